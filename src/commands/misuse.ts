import type { Command, CommanderError } from 'commander';
import { UsageError } from '../errors.ts';
import { askMeant, findNear, listFew } from '../text/near.ts';
import { readTyped } from './typed.ts';
import { findCommand, toPath, toUsage } from './usage.ts';
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
      return new UsageError(`too many arguments for ${toPath(command)}`, { hint: toUsage(command) });
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

/** What stands behind = is left out: it may be a secret. */
function toUnknownOption(given: string, command: Command, program: Command): UsageError {
  const [name = ''] = given.split('=');
  const known = new Set(
    [...command.options, ...program.options].flatMap(({ long, hidden }) => (hidden ? [] : (long ?? []))),
  );
  const byWord = new Map([...known].map((long) => [long.replace(/^--/, ''), long]));
  const near = findNear(name.replace(/^-+/, ''), byWord.keys()).flatMap((word) => byWord.get(word) ?? []);
  const meant = askMeant(near);
  return new UsageError(`unknown option: ${name}`, {
    hint: `${meant === undefined ? '' : `${meant} `}Help: ${toPath(command)} --help`,
  });
}

async function toUnknownCommand(
  parent: Command,
  operands: readonly string[],
  prepare: PrepareCommand,
): Promise<UsageError> {
  const isNoun = parent.parent === null;
  const program = parent.parent ?? parent;
  for (const noun of program.commands) await prepare(noun);
  const names = parent.commands.map((each) => each.name());
  const [word = ''] = operands;
  const meant = isNoun ? findMeant(program, operands) : findVerbs(parent, operands);
  const near = meant.length > 0 ? meant : findNear(word, names).map((name) => `${toPath(parent)} ${name}`);
  const few = isNoun ? undefined : listFew(names);
  return new UsageError(`unknown command: ${isNoun ? '' : `${parent.name()} `}${word}`, {
    hint: askMeant(near) ?? `${few === undefined ? '' : `It has: ${few}. `}Help: ${toPath(parent)} --help`,
  });
}

/** What two words mean of which the first is no noun: a noun by another word, the verb first, or one word for both. */
function findMeant(program: Command, [first = '', second]: readonly string[]): readonly string[] {
  const verbs = listVerbs(program);
  if (second !== undefined) {
    const whole = verbs.filter((verb) => isCalled(verb, `${first} ${second}`) || isCalled(verb, `${second} ${first}`));
    if (whole.length > 0) return whole.map(toPath);
    for (const [one, other] of [[first, second] as const, [second, first] as const]) {
      const found = findNouns(program, one).flatMap((noun) => findVerb(noun, other) ?? []);
      if (found.length > 0) return found.map(toPath);
    }
  }
  const near = verbs.filter((verb) => isCalled(verb, first));
  if (near.length > 0) return near.map(toPath);
  return program.commands.flatMap((noun) => findCommand(noun, first) ?? []).map(toPath);
}

/** What a word behind a noun means that is none of its verbs. */
function findVerbs(noun: Command, [word = '', next]: readonly string[]): readonly string[] {
  const near = noun.commands.filter((verb) => isCalled(verb, word) || isCalled(verb, `${noun.name()} ${word}`));
  if (near.length > 0) return near.map(toPath);
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

/** Whether people who know other tools call it so, in the singular or the plural. */
function isCalled(verb: Command, words: string): boolean {
  const toSingular = (text: string): string => text.toLowerCase().replace(/s(?= |$)/g, '');
  return readVerb(verb)?.near?.some((each) => toSingular(each) === toSingular(words)) === true;
}
