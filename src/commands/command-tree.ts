import type { Command } from 'commander';
import type { OpenContext } from '../context/context.ts';

/** Gives a command its verbs, where it is a noun, and the way to make contexts. */
export type PrepareCommand = (command: Command) => Promise<OpenContext>;

/** By its name or another one it has. */
export function findCommand(parent: Command, word: string): Command | undefined {
  return parent.commands.find((command) => command.name() === word || command.aliases().includes(word));
}
