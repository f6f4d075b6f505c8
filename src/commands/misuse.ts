import type { Command, CommanderError } from 'commander';
import { UsageError } from '../errors.ts';
import { findCommandName } from '../input/about.ts';
import { askMeant, findNear, listFew } from '../text/near.ts';
import { findMeantOption } from './near-options.ts';
import { readTyped } from './typed.ts';
import { findCommand, listMeantOptions, toPath, toUsage } from './usage.ts';
import { type PrepareCommand, readVerb } from './verb.ts';

/** Command lines that cannot be understood: what is wrong, and what was probably meant. */

/** `prepare` loads a noun's verbs. */
export async function toMisuse(
  error: CommanderError,
  argv: readonly string[],
  { program, prepare }: { readonly program: Command; readonly prepare: PrepareCommand },
): Promise<UsageError> {
  const { command, operands } = await readTyped(program, argv, prepare);
  const [first = ''] = error.message.replace(/^error: /, '').split('\n');
  const [, quoted = ''] = /'([^']*)'/.exec(first) ?? [];
  switch (error.code) {
    case 'commander.missingArgument':
      return new UsageError(`missing <${quoted}>`, { hint: toUsage(command) });
    case 'commander.unknownCommand':
      return await toUnknownCommand(command, operands, prepare);
    case 'commander.unknownOption':
      return toUnknownOption(quoted, command, program);
    case 'commander.optionMissingArgument':
      return new UsageError(`missing value: ${quoted}`, { hint: `Help: ${toPath(command)} --help` });
    case 'commander.excessArguments':
      return new UsageError(`too many arguments for ${toPath(command)}`, {
        hint:
          askMeant(listMeantOptions(command, operands.slice(command.registeredArguments.length))) ?? toUsage(command),
      });
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

/** What stands behind = or a single letter is left out: it may be a secret. */
function toUnknownOption(given: string, command: Command, program: Command): UsageError {
  const [whole = ''] = given.split('=');
  const known = new Set(
    [...command.options, ...program.options].flatMap(({ long, hidden }) => (hidden ? [] : (long ?? []))),
  );
  const byWord = new Map([...known].map((long) => [long.replace(/^--/, ''), long]));
  const isLetter = /^-[^-]./.test(whole);
  const letter = whole.slice(0, 2);
  const letters = [...command.options, ...program.options].flatMap(({ short }) => short ?? []);
  const { options, says } = findMeantOption(isLetter ? letter : whole, new Set([...known, ...letters]));
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
  prepare: PrepareCommand,
): Promise<UsageError> {
  const isNoun = parent.parent === null;
  const [word = ''] = operands;
  const few = isNoun ? undefined : listFew(parent.commands.map((each) => each.name()));
  return new UsageError(`unknown command: ${isNoun ? '' : `${parent.name()} `}${word}`, {
    hint:
      askMeant(await findMeantCommands(parent, operands, prepare)) ??
      `${few === undefined ? '' : `It has: ${few}. `}Help: ${toPath(parent)} --help`,
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
  const meant = parent === program ? findMeant(program, operands) : findVerbs(parent, operands);
  if (meant.length > 0) return meant;
  return findNear(operands[0] ?? '', names).map((name) => `${toPath(parent)} ${name}`);
}

/** What two words mean of which the first is no noun: a noun by another word, the verb first, or one word for both. */
function findMeant(program: Command, [first = '', second, ...more]: readonly string[]): readonly string[] {
  const verbs = listVerbs(program);
  if (second !== undefined) {
    const whole = verbs.flatMap((verb) => findCalls(verb, `${first} ${second}`, `${second} ${first}`));
    if (whole.length > 0) return whole;
    for (const [one, other] of [[first, second] as const, [second, first] as const]) {
      const found = findNouns(program, one).flatMap((noun) => findVerb(noun, other) ?? []);
      if (found.length > 0) return found.map((verb) => toPath(more.length > 0 ? verb : withoutArgument(verb)));
    }
  }
  const near = verbs.flatMap((verb) => findCalls(verb, first));
  if (near.length > 0) return near;
  return program.commands.flatMap((noun) => findCommand(noun, first) ?? []).map(toPath);
}

/** What a word behind a noun means that is none of its verbs. */
function findVerbs(noun: Command, [word = '', next]: readonly string[]): readonly string[] {
  const near = noun.commands.flatMap((verb) => findCalls(verb, word, `${noun.name()} ${word}`));
  if (near.length > 0) return near;
  const elsewhere = listVerbs(noun.parent ?? noun).flatMap((verb) => findCalls(verb, `${noun.name()} ${word}`));
  if (elsewhere.length > 0) return elsewhere;
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
