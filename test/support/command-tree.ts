import type { Command } from 'commander';
import { findVerb } from '../../src/cli/command.ts';
import { createProgram } from '../../src/program.ts';

/** Every command, by its words: `members list`, `help`. */
export interface CommandTree {
  nouns: string[];
  /** Commands that do something. */
  verbs: string[];
  /** Those that take an option, such as `--file`. */
  taking(option: string): string[];
  /** Examples of each, without the program's name. */
  examples: Record<string, string[]>;
}

export async function readCommandTree(): Promise<CommandTree> {
  const { program, prepare } = createProgram({
    version: '0',
    width: undefined,
    open: () => Promise.reject(new Error('this program is only looked at')),
    topics: { names: [], load: async () => '' },
    print: () => undefined,
  });
  for (const noun of program.commands) {
    await prepare(noun);
    for (const verb of noun.commands) await prepare(verb);
  }
  const all = listBelow(program, []);
  const verbs = all.filter(({ command }) => command.commands.length === 0);
  return {
    nouns: all.filter(({ command }) => command.commands.length > 0).map(({ words }) => words),
    verbs: verbs.map(({ words }) => words),
    taking: (option) =>
      verbs.filter(({ command }) => command.options.some(({ long }) => long === option)).map(({ words }) => words),
    examples: Object.fromEntries(verbs.map(({ words, command }) => [words, findVerb(command)?.examples ?? []])),
  };
}

function listBelow(parent: Command, above: string[]): { words: string; command: Command }[] {
  return parent.commands.flatMap((command) => {
    const words = [...above, command.name()];
    return [{ words: words.join(' '), command }, ...listBelow(command, words)];
  });
}
