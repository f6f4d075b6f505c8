import type { Command } from 'commander';
import { UsageError } from '../../errors.ts';
import { TOPIC_NAMES, type TopicName } from '../../manual/topic-names.ts';
import { text } from '../param.ts';
import { findCommand } from '../usage.ts';
import { type PrepareCommand, verb } from '../verb.ts';

/** `orgctl help <topic>`, and `orgctl help <noun> <verb>` for those who expect it. */
export const registerHelp = verb({
  name: 'help',
  effect: 'own',
  args: { words: text('[words...]', 'A topic, a noun, or a noun and a verb', { complete: 'help' }) },
  examples: ['orgctl help exit-codes'],
  async run({ screen }, { words }, { command, prepare }) {
    await screen.print((await findHelp(command, words, prepare)).trimEnd());
  },
});

async function findHelp(help: Command, words: readonly string[], prepare: PrepareCommand): Promise<string> {
  const program = help.parent ?? help;
  const topic = TOPIC_NAMES.find((name) => words.length === 1 && name === words[0]);
  if (topic !== undefined) return await showTopic(topic, toWidth(program));
  let command = program;
  for (const word of words) {
    const next = findCommand(command, word);
    if (next === undefined) {
      throw new UsageError(`no help on '${words.join(' ')}'`, {
        hint: `Topics: ${TOPIC_NAMES.join(', ')}. Commands: orgctl --help`,
      });
    }
    await prepare(next);
    command = next;
  }
  return toWholeHelp(command);
}

function toWidth(program: Command): number {
  return program.configureOutput().getOutHelpWidth?.() ?? 80;
}

async function showTopic(name: TopicName, width: number): Promise<string> {
  const [{ TOPICS: texts }, { renderMarkdown }] = await Promise.all([
    import('../../manual/topics.ts'),
    import('../../manual/markdown.ts'),
  ]);
  return renderMarkdown(texts[name](), width);
}

/** What `--help` prints: commander's own text lacks the examples, which are added as it is put out. */
function toWholeHelp(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (piece) => (text += piece) });
  command.outputHelp();
  return text;
}
