import type { Command, CommanderError } from 'commander';
import { UsageError } from '../errors.ts';
import { readTyped } from './typed.ts';
import { toPath } from './usage.ts';
import type { PrepareCommand } from './verb.ts';

/** A longer word may be a token. */
const LONGEST_WORD = 64;

/** A command line that commander could not read, in commander's words. */
export async function toMisuse(
  error: CommanderError,
  argv: readonly string[],
  program: Command,
  prepare: PrepareCommand,
): Promise<UsageError> {
  const { command } = await readTyped(program, argv, prepare);
  const text = error.message.replace(/^error: /, '');
  const isUnknown = error.code.startsWith('commander.unknown');
  const message = isUnknown ? text.replace(/'(.*)'/s, (_, word: string) => `'${hideValue(word)}'`) : text;
  return new UsageError(message.replace('\n(Did', ' (Did'), { hint: `Help: ${toPath(command)} --help` });
}

/** What is joined to an unknown option may be a secret. */
function hideValue(word: string): string {
  if (word.startsWith('--')) return word.split('=', 1).join();
  if (word.startsWith('-')) return word.slice(0, 2);
  return word.length > LONGEST_WORD ? '…' : word;
}
