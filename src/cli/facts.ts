import type { Command } from 'commander';
import { formatInOneLine, formatReason, OrgctlError } from '../lib/errors.ts';
import { capitalize, quoteWord } from '../lib/text.ts';
import type { Facts } from '../output/renderer.ts';
import type { Session } from './session.ts';

/** What a page says of a command that has ended. `path` is `orgctl members list`. */
export function createFacts(session: Session, command: Command, path: string, failure: unknown): Facts {
  const { output, messages, redactor, runtime, settings, isSandbox, usedOrgs } = session;
  const isFound = failure instanceof OrgctlError && failure.exit === 'attention';
  const problems = messages.warnings.map((text) => ({ text }));
  return redactor.json({
    title: capitalize(path.replace('orgctl ', '')),
    command: [path, ...command.args.map(quoteWord), ...listGiven(command, () => true)].join(' '),
    service: isSandbox ? 'sandbox' : settings['base-url'].value,
    orgs: [...usedOrgs].sort(),
    now: runtime.now(),
    part: listGiven(command, (name) => name === 'page' || name === 'limit').join(' '),
    found: isFound ? formatInOneLine(failure) : '',
    isOfWrite: output.isOfWrite,
    problems: failure === undefined || isFound ? problems : [...problems, ...listProblems(failure)],
  });
}

function listGiven(command: Command, isWanted: (name: string) => boolean): string[] {
  return command.options
    .filter((option) => isWanted(option.attributeName()))
    .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
    .map((option) => {
      const value: unknown = command.getOptionValue(option.attributeName());
      return typeof value === 'boolean' ? `${option.long}` : `${option.long} ${quoteWord(String(value))}`;
    });
}

function listProblems(failure: unknown): Facts['problems'] {
  if (!(failure instanceof OrgctlError)) return [{ text: formatReason(failure) }];
  if (failure.items.length === 0) return [{ text: formatInOneLine(failure) }];
  return failure.items.map(({ item, error }) => ({ item, text: formatInOneLine(error) }));
}
