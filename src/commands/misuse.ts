import type { Command, CommanderError } from 'commander';
import { UsageError } from '../errors.ts';
import { askMeant, findNear, listFew } from '../text/near.ts';
import { findCommand, toPath, toUsage } from './usage.ts';
import { type PrepareCommand, readVerb } from './verb.ts';

/** Command lines that cannot be understood: what is wrong, and what was probably meant. */

/** `prepare` loads a noun's verbs. */
export async function toMisuse(
  error: CommanderError,
  argv: readonly string[],
  { program, prepare }: { readonly program: Command; readonly prepare: PrepareCommand },
): Promise<UsageError> {
  const command = await findNamed(program, argv, prepare);
  const [first = '', ...more] = error.message.replace(/^error: /, '').split('\n');
  const [, quoted = ''] = /'([^']*)'/.exec(first) ?? [];
  const meant = cutBetween(more.join(' '), 'Did you mean ', '?')?.replace('one of ', '').split(', ');
  switch (error.code) {
    case 'commander.missingArgument':
      return new UsageError(`missing <${quoted}>`, { hint: toUsage(command) });
    case 'commander.unknownCommand':
      return await toUnknownCommand(quoted, command, prepare);
    case 'commander.unknownOption':
      return new UsageError(`unknown option: ${quoted}`, {
        hint: `${meant === undefined ? '' : `${askMeant(meant)} `}Help: ${toPath(command)} --help`,
      });
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

async function toUnknownCommand(word: string, parent: Command, prepare: PrepareCommand): Promise<UsageError> {
  const isNoun = parent.parent === null;
  const names = parent.commands.map((each) => each.name());
  const suggested = isNoun ? await findCommands(word, parent, prepare) : [];
  const near = suggested.length > 0 ? suggested : findNear(word, names).map((name) => `${toPath(parent)} ${name}`);
  const few = isNoun ? undefined : listFew(names);
  return new UsageError(`unknown command: ${isNoun ? '' : `${parent.name()} `}${word}`, {
    hint: askMeant(near) ?? `${few === undefined ? '' : `It has: ${few}. `}Help: ${toPath(parent)} --help`,
  });
}

/** Those that are meant by the word elsewhere, or else those that are called so. */
async function findCommands(word: string, program: Command, prepare: PrepareCommand): Promise<readonly string[]> {
  for (const noun of program.commands) await prepare(noun);
  const verbs = program.commands.flatMap((noun) => (noun.commands.length > 0 ? noun.commands : [noun]));
  const forms = [word.toLowerCase(), word.toLowerCase().replace(/s$/, '')];
  const near = verbs.filter((verb) => readVerb(verb)?.near?.some((each) => forms.includes(each)));
  if (near.length > 0) return near.map(toPath);
  return program.commands
    .filter((noun) => findCommand(noun, word) !== undefined)
    .map((noun) => `${toPath(noun)} ${word}`);
}

/** The command that the words name, as far as they do: of a noun whose verbs may not have been loaded yet. */
async function findNamed(program: Command, argv: readonly string[], prepare: PrepareCommand): Promise<Command> {
  let command = program;
  for (const word of argv) {
    const next = findCommand(command, word);
    if (next === undefined) continue;
    if (next.parent === program) await prepare(next);
    command = next;
  }
  return command;
}
