import type { Command } from 'commander';
import { UsageError } from '../../errors.ts';
import { askMeant } from '../../text/near.ts';
import { findMeantWords } from '../misuse.ts';
import { text } from '../param.ts';
import { findCommand } from '../usage.ts';
import { verb } from '../verb.ts';
import { describeProgram } from './describe.ts';

/** What commands take and print, for programs that call orgctl. */
export const registerSchema = verb({
  name: 'schema',
  effect: 'own',
  topic: 'agents',
  near: ['schemas', 'spec'],
  args: { words: text('[words...]', 'A noun, or a noun and a verb (default: every command)', { complete: 'help' }) },
  examples: ['orgctl schema', 'orgctl schema members list', "orgctl schema --query 'exits[].[code, when]'"],
  async run({ screen }, { words: given }, { command, prepare }) {
    // The schema itself names commands in one text.
    const words = given.flatMap((word) => (word.trim() === '' ? word : word.trim().split(/\s+/)));
    const program = command.parent ?? command;
    const asked = words.length === 0 ? program.commands : [await find(program, words)];
    for (const noun of program.commands) if (words.length === 0) await prepare(noun);
    await screen.print((await screen.output()).toJson(describeProgram(program, asked.flatMap(listVerbs))).trimEnd());

    async function find(parent: Command, [word = '', ...rest]: readonly string[]): Promise<Command> {
      const found = findCommand(parent, word);
      if (found === undefined) {
        const meant = askMeant(await findMeantWords(command, parent, [word, ...rest], prepare));
        throw new UsageError(`no command '${words.join(' ')}'`, {
          hint: meant ?? 'See all:',
          next: meant === undefined ? [['orgctl', 'help']] : [],
        });
      }
      await prepare(found);
      return rest.length === 0 ? found : await find(found, rest);
    }
  },
});

function listVerbs(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands;
}
