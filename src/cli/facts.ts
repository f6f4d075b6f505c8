import type { Command } from 'commander';
import { formatInOneLine, formatReason, OrgctlError } from '../lib/errors.ts';
import { capitalize, quoteWord } from '../lib/text.ts';
import type { Facts } from '../output/renderer.ts';
import type { Session } from './session.ts';

/** What a page says of a command that has ended. `path` is `orgctl members list`. */
export function createFacts(session: Session, command: Command, path: string, failure: unknown): Facts {
  const { output, messages, redactor, runtime, version, settings, isSandbox, usedOrgs } = session;
  const isFound = failure instanceof OrgctlError && failure.exit === 'attention';
  const given = [...listGiven(command, () => true), ...listGlobals(command)];
  const problems = messages.warnings.map((text) => ({ text }));
  return redactor.json({
    title: capitalize(path.replace('orgctl ', '')),
    command: [path, ...command.args.map(quoteWord), ...given].join(' '),
    service: isSandbox ? 'sandbox' : settings['base-url'].value,
    orgs: [...usedOrgs].sort(),
    now: runtime.now(),
    version: `orgctl ${version}`,
    part: listGiven(command, (name) => name === 'page' || name === 'limit').join(' '),
    more: { ...(isFound && { found: formatInOneLine(failure) }), ...output.facts },
    isOfWrite: output.isOfWrite,
    problems: failure === undefined || isFound ? problems : [...problems, ...listProblems(failure)],
  });
}

function listGiven(command: Command, isWanted: (name: string) => boolean): string[] {
  return command.options
    .filter((option) => isWanted(option.attributeName()))
    .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
    .flatMap((option) => {
      const value: unknown = command.getOptionValue(option.attributeName());
      if (typeof value === 'boolean') return [`${option.long}`];
      return [value].flat().map((each) => `${option.long} ${quoteWord(String(each))}`);
    });
}

/** What chose the organizations and what they show. An address may hold a password. */
function listGlobals({ parent }: Command): string[] {
  const isShown = (name: string): boolean => ['org', 'allOrgs', 'profile', 'sandbox', 'as', 'fields'].includes(name);
  return parent ? [...listGiven(parent, isShown), ...listGlobals(parent)] : [];
}

function listProblems(failure: unknown): Facts['problems'] {
  if (!(failure instanceof OrgctlError)) return [{ text: formatReason(failure) }];
  const items = failure.items.map(({ item, error }) => ({ item, text: formatInOneLine(error) }));
  return items.length > 0 ? items : [{ text: formatInOneLine(failure) }];
}
