import type { Command } from 'commander';
import { defineVerb, findSubcommand, type Verb } from '../../cli/command.ts';
import { argument, type Complete } from '../../cli/options.ts';
import { UsageError } from '../../lib/errors.ts';
import { suggest } from '../../lib/text.ts';

export interface HelpTopics {
  names: string[];
  load(name: string): Promise<string>;
}

/** `prepare` loads a noun or a verb. */
export function createHelp(program: Command, topics: HelpTopics, prepare: (noun: Command) => Promise<void>): Verb {
  const complete: Complete = async ({ operands: [noun] }) => {
    const command = noun === undefined ? program : findSubcommand(program, noun);
    if (command) await prepare(command);
    const names = command?.commands.map((each) => each.name()) ?? [];
    return noun === undefined ? [...topics.names, ...names] : names;
  };
  return defineVerb({
    arguments: [argument('[words...]', 'a topic, a noun, or a noun and a verb', { complete })],
    examples: ['help exit-codes', 'help members invite'],
    async run({ output }, _options, words) {
      const [topic = ''] = words;
      if (words.length === 1 && topics.names.includes(topic)) return output.page(await topics.load(topic));
      const { findPosition } = await import('../../cli/completion.ts');
      const { command, operands } = await findPosition({ program, prepare }, words);
      const [unknown] = operands;
      if (unknown === undefined) return command.outputHelp();
      const known = [...command.commands.map((each) => each.name()), ...(command === program ? topics.names : [])];
      const hint = suggest(unknown, known) ?? `Topics: ${topics.names.join(', ')}`;
      throw new UsageError(`no help on '${words.join(' ')}'`, { hint });
    },
  });
}
