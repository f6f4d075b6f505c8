import type { Command } from 'commander';
import { defineVerb, findSubcommand, type Verb } from '../../cli/command.ts';
import { argument } from '../../cli/options.ts';
import { UsageError } from '../../lib/errors.ts';
import { suggest } from '../../lib/text.ts';

export interface HelpTopics {
  names: string[];
  load(name: string): Promise<string>;
}

/** `prepare` loads a noun or a verb. */
export function createHelp(program: Command, topics: HelpTopics, prepare: (noun: Command) => Promise<void>): Verb {
  return defineVerb({
    arguments: [argument('[words...]', 'a topic, a noun, or a noun and a verb')],
    examples: ['help exit-codes', 'help members invite'],
    async run({ output }, _options, words) {
      const [topic = ''] = words;
      if (words.length === 1 && topics.names.includes(topic)) return output.page(await topics.load(topic));
      let command = program;
      for (const word of words) {
        const subcommand = findSubcommand(command, word);
        if (!subcommand) {
          const known = [...command.commands.map((each) => each.name()), ...(command === program ? topics.names : [])];
          throw new UsageError(`no help on '${words.join(' ')}'`, {
            hint: suggest(word, known) ?? `Topics: ${topics.names.join(', ')}`,
          });
        }
        command = subcommand;
        await prepare(command);
      }
      command.outputHelp();
    },
  });
}
