import type { Command, CommanderError } from 'commander';
import type { OpenContext } from '../context/context.ts';
import { UsageError } from '../errors.ts';
import { findAbout, findCommandName } from '../input/about.ts';
import { foldName } from '../names.ts';
import { joinNames } from '../text/join.ts';
import { askMeant, findNear, listFew } from '../text/near.ts';
import { findMeantCommand, findMeantOption } from './near-options.ts';
import { findAbsent, listMeantVerbs } from './near-words.ts';
import { readTyped, type Typed } from './typed.ts';
import { findCommand, hasOption, listMeantOptions, toPath, toUsage } from './usage.ts';
import { type PrepareCommand, readVerb } from './verb.ts';

/** Command lines that cannot be understood: what is wrong, and what was probably meant. */

/** A longer word may be a token. */
const MOST_REPEATED = 64;

/** A service of a domain that tokens don't end in, or with its port: a word without a dot may be a name with its password. */
const HOST =
  /^(?:localhost:\d{1,5}|(?!sandbox\.)[a-z0-9-]{1,40}(?:\.[a-z0-9-]{1,40}){0,4}\.(?:[a-z0-9-]{1,40}:\d{1,5}|com|net|org|io|dev|local|internal|localhost))$/;

interface Line {
  readonly program: Command;
  /** Loads a noun's verbs. */
  readonly prepare: PrepareCommand;
  readonly loadContext: () => Promise<OpenContext>;
  /** The nouns that are about organizations. */
  readonly nouns: readonly string[];
  /** As a shell takes it. */
  readonly toWord: (word: string) => string;
}

export async function toMisuse(
  error: CommanderError,
  argv: readonly string[],
  { program, prepare, loadContext, nouns, toWord }: Line,
): Promise<UsageError> {
  const typed = await readTyped(program, argv, prepare);
  const { command, operands } = typed;
  const [first = ''] = error.message.replace(/^error: /, '').split('\n');
  const [, quoted = ''] = /'([^']*)'/.exec(first) ?? [];
  switch (error.code) {
    case 'commander.missingArgument':
      return new UsageError(`missing <${quoted}>`, { hint: toUsage(command) });
    case 'commander.unknownCommand':
      return await toUnknownCommand(command, operands, { prepare, nouns });
    case 'commander.unknownOption':
      return toUnknownOption(quoted, typed, argv, { program, toWord });
    case 'commander.optionMissingArgument':
      return new UsageError(`missing value: ${quoted}`, { hint: `Help: ${toPath(command)} --help` });
    case 'commander.excessArguments': {
      const excess = operands.slice(command.registeredArguments.length);
      const message = `too many arguments for ${toPath(command)}`;
      // What is typed there may be a secret, and is not repeated.
      const name = readVerb(command)?.name;
      if (name === 'auth login') {
        const hint = 'It asks for the token, or reads it from stdin (< token). A service is named by --host <name>.';
        const [only = ''] = excess.length === 1 ? excess : [];
        return new UsageError(message, { hint: HOST.test(only) ? `Did you mean --host ${only}?` : hint });
      }
      if (name?.startsWith('auth ') === true || excess.some((word) => word.length > MOST_REPEATED))
        return new UsageError(message, { hint: toUsage(command) });
      return new UsageError(`${message}: ${joinNames(excess)}`, {
        hint: askMeant(await listMeantWords(command, excess, { argv, loadContext, toWord })) ?? toUsage(command),
      });
    }
    case 'commander.invalidArgument': {
      // An option, and what was given to it; of an argument the other way round.
      const [, one = '', , other = ''] = first.split("'");
      const [option, value] = first.startsWith('option') ? [one, other] : [`<${other}>`, one];
      const choices = cutBetween(first, 'Allowed choices are ', '.');
      if (choices === undefined) return new UsageError(first, { hint: toUsage(command) });
      const near = askMeant(findNear(value, choices.split(', ')));
      return new UsageError(`${option.split(' <', 1)[0]} doesn't take '${value}'`, {
        hint: `${near === undefined ? '' : `${near} `}It takes ${choices}.`,
      });
    }
    default:
      return new UsageError(first, { hint: toUsage(command) });
  }
}

/** Undefined where they do not stand there. */
function cutBetween(text: string, before: string, after: string): string | undefined {
  const start = text.indexOf(before);
  const end = text.indexOf(after, start + before.length);
  return start < 0 || end < 0 ? undefined : text.slice(start + before.length, end);
}

/** What an argument too many was probably meant for: an option, or another verb of the noun. */
async function listMeantWords(
  command: Command,
  excess: readonly string[],
  { argv, loadContext, toWord }: Pick<Line, 'loadContext' | 'toWord'> & { readonly argv: readonly string[] },
): Promise<readonly string[]> {
  const [word = ''] = excess;
  const joined = joinOrganizations(command, argv, excess);
  if (joined !== undefined) return [joined];
  // It prints what others write to a file.
  if (excess.length === 1 && command.opts()['init'] === true) return [`--init > ${toWord(word)}`];
  const meant = listMeantOptions(command, excess, toWord);
  if (excess.length !== 1 || meant.some((each) => each.startsWith('--file'))) return meant;
  const name = readVerb(command)?.name;
  const isOfOrganization = findAbout(name?.split(' ') ?? [])?.startsWith('organization') === true;
  const organization = isOfOrganization && /^[\w-]+$/.test(word) ? [`--org ${word}`] : [];
  if (organization.length > 0 && (await isOwnOrganization(command, word, loadContext))) return organization;
  const noun = command.parent;
  if (command.registeredArguments.length > 0) return meant;
  const one = command.name() === 'list' && noun !== null ? findVerbs(noun, ['describe']) : [];
  const shows = one.filter((path) => path !== toPath(command)).map((path) => `${path} ${toWord(word)}`);
  return [...(meant.length > 0 ? meant : shows), ...organization];
}

/** `--orgs acme,globex` of `--orgs acme globex`; undefined where the words don't stand behind the option. */
function joinOrganizations(command: Command, argv: readonly string[], excess: readonly string[]): string | undefined {
  const at = argv.indexOf('--orgs');
  const given = argv.slice(at + 1, at + 2 + excess.length);
  if (at < 0 || given.slice(1).join(' ') !== excess.join(' ') || !hasOption(command, '--orgs')) return undefined;
  return given.every((word) => /^[\w,-]+$/.test(word))
    ? `--orgs ${given.flatMap((word) => word.split(',').filter(Boolean)).join(',')}`
    : undefined;
}

async function isOwnOrganization(command: Command, word: string, loadContext: Line['loadContext']): Promise<boolean> {
  try {
    const { identity } = (await loadContext())(command);
    return foldName(identity.currentOrganization() ?? '') === foldName(word);
  } catch {
    // Whatever is wrong with what is stored, the command line is wrong before.
    return false;
  }
}

/** What stands behind = or a single letter is left out: it may be a secret. */
function toUnknownOption(
  given: string,
  { command, operands }: Typed,
  argv: readonly string[],
  { program, toWord }: Pick<Line, 'program' | 'toWord'>,
): UsageError {
  const [whole = '', ...joined] = given.split('=');
  const value = joined.length > 0 ? joined.join('=') : argv[argv.indexOf(given) + 1];
  const other = findMeantCommand(readVerb(command)?.name, whole, { value, operands, toWord });
  if (other !== undefined) {
    const hint = askMeant([`${toPath(program)} ${other}`]) ?? toUsage(command);
    return new UsageError(`unknown option: ${whole}`, { hint });
  }
  const known = new Set(
    [...command.options, ...program.options].flatMap(({ long, hidden }) => (hidden ? [] : (long ?? []))),
  );
  const byWord = new Map([...known].map((long) => [long.replace(/^--/, ''), long]));
  const isLetter = /^-[^-]./.test(whole);
  const letter = whole.slice(0, 2);
  const letters = [...command.options, ...program.options].flatMap(({ short }) => short ?? []);
  const { options, says } = findMeantOption(
    isLetter ? letter : whole,
    value,
    new Set([...known, ...letters]),
    readVerb(command),
  );
  const near = findNear(whole.replace(/^-+/, ''), byWord.keys()).flatMap((word) => byWord.get(word) ?? []);
  const meant = says ?? askMeant(options.length > 0 ? options : near);
  const isSlip = isLetter && options.length === 0 && says === undefined && near.length > 0;
  return new UsageError(`unknown option: ${isLetter && !isSlip ? letter : whole}`, {
    hint: `${meant === undefined ? '' : `${meant} `}Help: ${toPath(command)} --help`,
  });
}

async function toUnknownCommand(
  parent: Command,
  operands: readonly string[],
  { prepare, nouns }: Pick<Line, 'nouns' | 'prepare'>,
): Promise<UsageError> {
  const isNoun = parent.parent === null;
  const [word = ''] = operands;
  const meant = askMeant(await findMeantCommands(parent, operands, prepare));
  const few = listFew(isNoun ? nouns : parent.commands.map((each) => each.name()));
  const known = findAbsent(word, isNoun) ?? (few === undefined ? '' : `It has: ${few}.`);
  const shown = word.length > MOST_REPEATED ? '…' : word;
  return new UsageError(`unknown command: ${isNoun ? '' : `${parent.name()} `}${shown}`, {
    hint: meant ?? `${known} Help: ${toPath(parent)} --help`.trimStart(),
  });
}

/** The same where a command takes the words of another one, as `help` and `schema` do. */
export async function findMeantWords(
  command: Command,
  parent: Command,
  operands: readonly string[],
  prepare: PrepareCommand,
): Promise<readonly string[]> {
  const calls = await findMeantCommands(parent, operands, prepare);
  const names = calls.flatMap((call) => findCommandName(call.split(' ').slice(1)) ?? []);
  return names.map((name) => `${toPath(command)} ${name}`);
}

/** What was probably meant by words behind the program or a noun, which name none of its commands. */
async function findMeantCommands(
  parent: Command,
  operands: readonly string[],
  prepare: PrepareCommand,
): Promise<readonly string[]> {
  const program = parent.parent ?? parent;
  for (const noun of program.commands) await prepare(noun);
  const names = parent.commands.map((each) => each.name());
  const isProgram = parent === program;
  const meant = isProgram ? findMeant(program, operands) : findVerbs(parent, operands);
  const [word = '', ...rest] = operands;
  if (meant.length > 0 || findAbsent(word, isProgram) !== undefined) return meant;
  const near = findNear(word, names).map((name) => `${toPath(parent)} ${name}`);
  // `list-users`
  return near.length > 0 || !isProgram || !word.includes('-')
    ? near
    : findMeant(program, [...word.split('-'), ...rest]);
}

/** What two words mean of which the first is no noun: a noun by another word, the verb first, or one word for both. */
function findMeant(program: Command, [first = '', second, ...more]: readonly string[]): readonly string[] {
  const verbs = listVerbs(program);
  if (second !== undefined) {
    const isAlone = more.length === 0;
    const whole = verbs.flatMap((verb) => {
      const turned = findCalls(verb, `${second} ${first}`);
      const list = isAlone && turned.length > 0 ? withoutArgument(verb) : verb;
      return list === verb ? [...findCalls(verb, `${first} ${second}`), ...turned] : [toPath(list)];
    });
    if (whole.length > 0) return whole;
    for (const [one, other] of [[first, second] as const, [second, first] as const]) {
      const nouns = findNouns(program, one);
      const elsewhere = nouns.flatMap((noun) =>
        verbs.flatMap((verb) => (verb.parent === noun ? [] : findCalls(verb, `${noun.name()} ${other}`))),
      );
      if (elsewhere.length > 0) return elsewhere;
      const found = nouns.flatMap((noun) => findVerb(noun, other) ?? []);
      if (found.length > 0) return found.map((verb) => toPath(more.length > 0 ? verb : withoutArgument(verb)));
    }
  }
  const thing = second === undefined ? undefined : findCommand(program, second);
  const list = thing === undefined ? undefined : findCommand(thing, 'list');
  if (list !== undefined) return [toPath(list)];
  for (const word of second === undefined ? [first] : [first, second]) {
    const near = verbs.flatMap((verb) => findCalls(verb, word));
    if (near.length > 0) return near;
  }
  const exact = program.commands.flatMap((noun) => findCommand(noun, first) ?? []);
  if (exact.length > 0) return exact.map(toPath);
  if (findAbsent(first, true) !== undefined) return [];
  const [meant = []] = listMeantVerbs(first)
    .map((each) => program.commands.flatMap((noun) => findCommand(noun, each) ?? []))
    .filter((found) => found.length > 0);
  return meant.map(toPath);
}

/** That of a noun which does what this word means in other tools. */
function findMeantVerb(noun: Command, word: string): Command | undefined {
  const [meant] = listMeantVerbs(word).flatMap(
    (each) => findCommand(noun, each) ?? noun.commands.find((verb) => isCalled(verb, `${noun.name()} ${each}`)) ?? [],
  );
  return meant;
}

/** What a word behind a noun means that is none of its verbs. */
function findVerbs(noun: Command, [word = '', next]: readonly string[]): readonly string[] {
  const near = noun.commands.flatMap((verb) => findCalls(verb, word, `${noun.name()} ${word}`));
  if (near.length > 0) return near;
  const elsewhere = listVerbs(noun.parent ?? noun).flatMap((verb) => findCalls(verb, `${noun.name()} ${word}`));
  if (elsewhere.length > 0) return elsewhere;
  const meant = findMeantVerb(noun, word);
  if (meant !== undefined) return [toPath(meant)];
  const other = noun.parent === null ? undefined : findCommand(noun.parent, word);
  // `members help list` and `members doctor`; then `members teams`.
  if (other?.commands.length === 0) {
    const takesWords = other.registeredArguments.some(({ variadic }) => variadic);
    return [[toPath(other), ...(takesWords ? [noun.name(), ...(next === undefined ? [] : [next])] : [])].join(' ')];
  }
  const turned = other === undefined ? undefined : findCommand(other, noun.name());
  return turned === undefined ? [] : [toPath(turned)];
}

function listVerbs(program: Command): readonly Command[] {
  return program.commands.flatMap((noun) => (noun.commands.length > 0 ? noun.commands : [noun]));
}

/** Those that a word names, or means: by what is read with them, or by a slip. */
function findNouns(program: Command, word: string): readonly Command[] {
  const exact = findCommand(program, word);
  if (exact !== undefined) return [exact];
  const near = program.commands.filter((noun) =>
    noun.commands.some((verb) => readVerb(verb)?.effect !== 'writes' && isCalled(verb, word)),
  );
  return near.length > 0 ? near : findLike(program, word);
}

function findVerb(noun: Command, word: string): Command | undefined {
  return (
    findCommand(noun, word) ??
    noun.commands.find((verb) => readVerb(verb)?.effect === 'writes' && isCalled(verb, word)) ??
    findMeantVerb(noun, word) ??
    findLike(noun, word)[0]
  );
}

function findLike(parent: Command, word: string): readonly Command[] {
  const names = parent.commands.map((each) => each.name());
  return findNear(word, names).flatMap((name) => findCommand(parent, name) ?? []);
}

/** The list in place of what shows one thing, of which none is named. */
function withoutArgument(verb: Command): Command {
  const isWithout = verb.registeredArguments[0] !== undefined && readVerb(verb)?.effect === 'reads';
  return (isWithout && verb.parent !== null ? findCommand(verb.parent, 'list') : undefined) ?? verb;
}

function isCalled(verb: Command, words: string): boolean {
  return findCalls(verb, words).length > 0;
}

/** How it is called where people who know other tools call it by one of these, in the singular or the plural. */
function findCalls(verb: Command, ...called: readonly string[]): readonly string[] {
  const toSingular = (text: string): string => text.toLowerCase().replace(/s(?= |$)/g, '');
  const wanted = new Set(called.map(toSingular));
  const found = readVerb(verb)
    ?.near?.map((each) => (typeof each === 'string' ? { words: each, rest: '' } : each))
    .find(({ words }) => wanted.has(toSingular(words)));
  return found === undefined ? [] : [`${toPath(verb)} ${found.rest}`.trimEnd()];
}
