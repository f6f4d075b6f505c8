import type { Command } from 'commander';
import { UsageError } from '../../errors.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { TOPIC_NAMES, type TopicName } from '../../manual/topic-names.ts';
import { findCommand } from '../usage.ts';
import type { PrepareCommand } from '../verb.ts';
import { formatGlobalOptions } from './layout.ts';

/** `orgctl help <topic>`, and `orgctl help <noun> <verb>` for those who expect it. */
export function registerHelp(program: Command, prepare: PrepareCommand): Command {
  const verb = program
    .command('help')
    .description(`Show help on a command, or on a topic: ${TOPICS.join(', ')}`)
    .argument('[words...]', 'A topic, a noun, or a noun and a verb');
  return addDocumentation(verb, { examples: ['orgctl help exit-codes'] }).action(async (words: readonly string[]) => {
    const open = await prepare(verb);
    await open(verb).screen.print((await findHelp(program, words, prepare)).trimEnd());
  });
}

const TOPICS = ['options', ...TOPIC_NAMES];

async function findHelp(program: Command, words: readonly string[], prepare: PrepareCommand): Promise<string> {
  if (words.length === 1 && words[0] === 'options') {
    return formatGlobalOptions(program, toWidth(program));
  }
  const topic = TOPIC_NAMES.find((name) => words.length === 1 && name === words[0]);
  if (topic !== undefined) return await showTopic(topic, toWidth(program));
  let command = program;
  for (const word of words) {
    const next = findCommand(command, word);
    if (next === undefined) {
      throw new UsageError(`no help on '${words.join(' ')}'`, {
        hint: `Topics: ${TOPICS.join(', ')}. Commands: orgctl --help`,
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
