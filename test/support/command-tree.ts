import type { Command } from 'commander';
import { type Effect, readVerb } from '../../src/old/commands/verb.ts';
import { createHost } from '../../src/old/host.ts';
import type { CommandName } from '../../src/old/input/about.ts';
import { createProgram } from '../../src/old/program.ts';

/** Every command, by its words: `members list`, `help`. */
export interface CommandTree {
  readonly nouns: readonly string[];
  /** Commands that do something. */
  readonly verbs: readonly string[];
  /** Those that do this to what the service has. */
  doing(effect: Effect): readonly CommandName[];
  /** Those that print no rows. */
  readonly rowless: readonly string[];
  /** Those that say nothing of what they do. */
  readonly mute: readonly string[];
  /** Those that take an option, such as `--file`. */
  taking(option: string): readonly string[];
}

export async function readCommandTree(): Promise<CommandTree> {
  const open = (): never => {
    throw new Error('this program is only looked at');
  };
  const host = createHost(process);
  const { program, prepare } = createProgram({
    host,
    version: '0',
    loadContext: async () => open,
    onPrint: () => undefined,
  });
  for (const noun of program.commands) await prepare(noun);
  const all = listBelow(program, []);
  const verbs = all.filter(({ command }) => command.commands.length === 0);
  return {
    nouns: all.filter(({ command }) => command.commands.length > 0).map(({ words }) => words),
    verbs: verbs.map(({ words }) => words),
    doing: (wanted) =>
      verbs.flatMap(({ command }) => {
        const { name, effect } = readVerb(command) ?? {};
        return name === undefined || effect !== wanted ? [] : [name];
      }),
    rowless: verbs.filter(({ command }) => readVerb(command)?.columns === undefined).map(({ words }) => words),
    mute: verbs.filter(({ command }) => command.description() === '').map(({ words }) => words),
    taking: (option) =>
      verbs.filter(({ command }) => command.options.some(({ long }) => long === option)).map(({ words }) => words),
  };
}

function listBelow(parent: Command, above: readonly string[]): readonly { words: string; command: Command }[] {
  return parent.commands.flatMap((command) => {
    const words = [...above, command.name()];
    return [{ words: words.join(' '), command }, ...listBelow(command, words)];
  });
}
