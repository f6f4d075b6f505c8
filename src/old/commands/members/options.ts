import type { Context } from '../../context/context.ts';
import { OrgctlError, UsageError } from '../../errors.ts';
import { isSameName } from '../../names.ts';
import { toErrorOf, toUnread, type Unread } from '../../organizations/failures.ts';
import { type PlacedStep, place } from '../../roster/plan.ts';
import {
  planRoster,
  type ReadRoster,
  type RosterInput,
  type RosterPlan,
  type RosterReader,
  readRoster,
} from '../../roster/plan-roster.ts';
import { describeOrganizations } from '../../text/count.ts';
import { flag, type Need, needed, text, type Values } from '../param.ts';
import { toFileReader } from '../people.ts';
import type { PlanSource } from '../plans.ts';

/** How the organizations that a command is about differ from a roster. */
export interface PlannedRoster extends PlanSource {
  readonly plans: readonly RosterPlan[];
  /** Organizations that could not be read. */
  readonly unread: readonly Unread[];
  /** Of all of them. */
  readonly steps: readonly PlacedStep[];
}

/** Plans, and acts on the plan. Where no organization is named, the command is about the one or those that the roster names. */
export async function actOnRoster(
  context: Context,
  input: RosterInput,
  act: (context: Context, planned: PlannedRoster) => Promise<void>,
): Promise<void> {
  const { roster, isFile } = await readRoster(toFileReader(context), input.file);
  const { name, organization } = roster;
  const about = await findAbout(context, roster);
  const isChosen = organization !== undefined && about !== context;
  try {
    const found = await planRoster(toRosterReader(about), about.organizations, roster, input);
    const plans = found.flatMap(({ value }) => value ?? []);
    const steps = plans.flatMap(({ plan, organization: where }) => place(plan.steps, where));
    const isOfFile = roster.organizations !== undefined;
    await act(about, { plans, unread: toUnread(found), steps, name, isFile, isOfFile });
  } catch (error) {
    throw isChosen && error instanceof OrgctlError ? toErrorOf(organization, error) : error;
  }
}

/** Throws UsageError where the roster is of others than the command line, the environment or a profile names. */
async function findAbout(
  context: Context,
  { name, organization, organizations }: ReadRoster['roster'],
): Promise<Context> {
  if (organizations !== undefined) return context.ofFile(organizations, name);
  if (organization === undefined) return context;
  const { identity } = context;
  const isOne = context.organizations.isOne;
  if (isOne && identity.currentOrganization() === undefined) return context.of(organization);
  const named = await context.organizations.names();
  if (named.every((one) => isSameName(one, organization))) return context;
  throw new UsageError(
    `${name} is the roster of ${organization}, and this command is about ${describeOrganizations(named)}`,
    {
      hint: `Nothing was sent. ${isOne ? `Add --org ${organization}` : `Name it with --org ${organization}`}, or use another file.`,
    },
  );
}

export function toRosterReader(context: Context): RosterReader {
  const { screen, services } = context;
  return { ...toFileReader(context), service: services.current, progress: screen.progress, warn: screen.warn };
}

/** Printed behind the help of what takes a roster. */
export const ROSTER_HELP = `
A roster:
  organization: acme
  members:
    - email: ana@example.com      # or user: ana, or id: ou-…
      teams: [platform, security]

Without teams a row leaves them as they are; teams: [] means none.
Of several organizations:
  organizations:
    acme:
      members: [{email: ana@example.com, teams: [platform]}]`;

const ROSTER_NEED: Need = {
  is: 'the roster',
  hint: 'To print a roster of the current members:',
  next: ['orgctl', 'members', 'plan', '--init'],
};

export const ROSTER = {
  file: needed(text('--file <path>', 'The roster: YAML, JSON or CSV; - is stdin', { complete: 'files' }), ROSTER_NEED),
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
  if (rules.allowOwners && !rules.prune) {
    throw new UsageError('--allow-owners works only with --prune', { hint: 'Without --prune no one is removed.' });
  }
  return { file, ...rules };
}
