import type { Command } from 'commander';
import type { OpenContext } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { addExamples } from '../options.ts';
import { HELP_TOPICS } from './topics.ts';

/** `orgctl help <topic>`, and `orgctl help <noun> <verb>` for those who expect it. */
export function registerHelpTopics(program: Command, open: OpenContext): void {
  const verb = program
    .command('help')
    .description(`help on a command, or on one of: ${Object.keys(HELP_TOPICS).join(', ')}`)
    .argument('[words...]', 'a topic, a noun, or a noun and a verb');
  addExamples(verb, [{ command: 'orgctl help exit-codes', shows: 'what each exit code means' }]).action(async function (
    this: Command,
    words: readonly string[],
  ) {
    await (await open(this).output()).raw(findHelp(program, words).trimEnd());
  });
}

function findHelp(program: Command, words: readonly string[]): string {
  const [topic] = words;
  const isTopic = words.length === 1 && topic !== undefined && Object.hasOwn(HELP_TOPICS, topic);
  if (isTopic) return HELP_TOPICS[topic as keyof typeof HELP_TOPICS]();
  let command = program;
  for (const word of words) {
    const next = command.commands.find((candidate) => candidate.name() === word || candidate.aliases().includes(word));
    if (next === undefined) {
      throw new UsageError(`there is no help on '${words.join(' ')}'`, {
        hint: `Topics: ${Object.keys(HELP_TOPICS).join(', ')}. Commands: see orgctl --help.`,
      });
    }
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
