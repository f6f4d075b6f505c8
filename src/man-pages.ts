import type { OpenContext } from './context/context.ts';
import type { Host } from './host.ts';
import { renderNounPage, renderRootPage, renderTopicPage } from './manual/man-page.ts';
import { TOPIC_NAMES } from './manual/topic-names.ts';
import { TOPICS } from './manual/topics.ts';
import { HELP } from './nouns.ts';
import { createProgram } from './program.ts';

/** The manual pages by file name, such as `orgctl-members.1`: what `--help` and `help <topic>` say. Called by the build. */
export async function renderManual(host: Host, version: string): Promise<ReadonlyMap<string, string>> {
  const open: OpenContext = () => {
    throw new Error('the manual runs no command');
  };
  const { program, prepare } = createProgram({
    host,
    version,
    loadContext: async () => open,
    onPrint: () => undefined,
  });
  const pages = new Map<string, string>();
  for (const noun of program.commands.filter((command) => command.name() !== HELP.name)) {
    await prepare(noun);
    pages.set(`orgctl-${noun.name()}.1`, renderNounPage(noun, version));
  }
  for (const name of TOPIC_NAMES) pages.set(`orgctl-${name}.7`, renderTopicPage(name, TOPICS[name](), version));
  return pages.set('orgctl.1', renderRootPage(program, TOPIC_NAMES, version));
}

/** The topics by file name, as the package contains them. Called by the build. */
export function renderTopics(): ReadonlyMap<string, string> {
  return new Map(TOPIC_NAMES.map((name) => [`${name}.md`, TOPICS[name]()]));
}

/** The topic for coding agents as they load it: a skill, which begins with its name and when it is of use. Called by the build. */
export function renderSkill(): string {
  const head = {
    name: 'orgctl',
    description:
      'Administers organizations on HCP Terraform and Terraform Enterprise: members, teams, providers, tokens, the audit trail. Use it when a person asks about one, or wants one changed.',
  };
  const lines = Object.entries(head).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return ['---', ...lines, '---', '', TOPICS.agents()].join('\n');
}
