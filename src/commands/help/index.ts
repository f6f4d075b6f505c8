import type { Command } from 'commander';
import { UsageError } from '../../errors.ts';
import { TOPIC_NAMES } from '../../manual/topic-names.ts';
import { addExamples, findCommand, type PrepareCommand } from '../options.ts';

/** `orgctl help <topic>`, and `orgctl help <noun> <verb>` for those who expect it. */
export function registerHelp(program: Command, prepare: PrepareCommand): Command {
  const verb = program
    .command('help')
    .description(`help on a command, or on one of: ${TOPIC_NAMES.join(', ')}`)
    .argument('[words...]', 'a topic, a noun, or a noun and a verb');
  return addExamples(verb, {
    'orgctl help exit-codes': 'what each exit code means',
  }).action(async (words: readonly string[]) => {
    const open = await prepare(verb);
    await open(verb).screen.print((await findHelp(program, words, prepare)).trimEnd());
  });
}

async function findHelp(program: Command, words: readonly string[], prepare: PrepareCommand): Promise<string> {
  const topic = TOPIC_NAMES.find((name) => words.length === 1 && name === words[0]);
  if (topic !== undefined) return (await import('../../manual/topics.ts')).HELP_TOPICS[topic]();
  let command = program;
  for (const word of words) {
    const next = findCommand(command, word);
    if (next === undefined) {
      throw new UsageError(`there is no help on '${words.join(' ')}'`, {
        hint: `Topics: ${TOPIC_NAMES.join(', ')}. Commands: see orgctl --help.`,
      });
    }
    await prepare(next);
    command = next;
  }
  return toWholeHelp(command);
}

/** What `--help` prints: commander's own text lacks the examples, which are added as it is put out. */
function toWholeHelp(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (piece) => (text += piece) });
  command.outputHelp();
  return text;
}
