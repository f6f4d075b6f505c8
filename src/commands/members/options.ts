import type { Context } from '../../context/context.ts';
import { OrgctlError, UsageError } from '../../errors.ts';
import { toErrorOf } from '../../organizations/failures.ts';
import {
  planRoster,
  type RosterInput,
  type RosterPlan,
  type RosterReader,
  readRoster,
} from '../../roster/plan-roster.ts';
import { flag, text, type Values } from '../param.ts';
import { toFileReader } from '../people.ts';

function toRosterReader(context: Context): RosterReader {
  const { screen, services } = context;
  return { ...toFileReader(context), service: services.current, progress: screen.progress, warn: screen.warn };
}

/** Plans, and acts on the plan. Where no organization is named, the command is about the one that the roster names. */
export async function actOnRoster(
  context: Context,
  input: RosterInput,
  act: (context: Context, made: RosterPlan) => Promise<void>,
): Promise<void> {
  const { identity } = context;
  const current = identity.currentOrganization();
  const placed = await readRoster(toFileReader(context), input.file, { current, require: identity.organization });
  if (current !== undefined) return await act(context, await planRoster(toRosterReader(context), placed, input));
  const { organization } = placed;
  const one = context.of(organization);
  try {
    await act(one, await planRoster(toRosterReader(one), placed, input));
  } catch (error) {
    throw error instanceof OrgctlError ? toErrorOf(organization, error) : error;
  }
}

/** Printed behind the help of what takes a roster. */
export const ROSTER_HELP = `
A roster:
  organization: acme
  members:
    - email: ana@example.com      # or user: ana, or id: ou-…
      teams: [platform, security]

Without teams a row leaves them as they are; teams: [] means none.`;

export const ROSTER = {
  file: text('--file <path>', 'The roster: YAML, JSON or CSV; - is stdin'),
  prune: flag('--prune', 'Remove people who are not in the roster (never owners, never you)'),
  pruneTeams: flag(
    '--prune-teams',
    'Remove people from teams that their row does not name (never from owners, never you)',
  ),
  allowOwners: flag('--allow-owners', 'With --prune: remove owners too (never the last one, never you)'),
  includeManaged: flag(
    '--include-managed',
    'Change people and teams too that SSO or SCIM manages, and service accounts',
  ),
};

export function toRosterInput({ file, ...rules }: Values<typeof ROSTER>): RosterInput {
  if (file === undefined) {
    throw new UsageError('missing --file: the roster', {
      hint: 'To print a roster of the current members:',
      next: [['orgctl', 'members', 'plan', '--init']],
    });
  }
  if (rules.allowOwners && !rules.prune) {
    throw new UsageError('--allow-owners works only with --prune', { hint: 'Without --prune no one is removed.' });
  }
  return { file, ...rules };
}

/** The options as they were given, for a command that does the same. */
export function toRosterFlags({ prune, pruneTeams, allowOwners, includeManaged }: RosterInput): readonly string[] {
  return [
    ...(prune ? ['--prune'] : []),
    ...(pruneTeams ? ['--prune-teams'] : []),
    ...(allowOwners ? ['--allow-owners'] : []),
    ...(includeManaged ? ['--include-managed'] : []),
  ];
}
