import { OrgctlError, UsageError } from '../errors.ts';
import { describeReference, type MemberReference } from '../input/member-reference.ts';
import { findInEach, type Organizations } from '../organizations/organizations.ts';
import { collect } from '../reading.ts';
import { NO_INCLUDE } from '../service/include.ts';
import type { Service } from '../service/service.ts';
import type { AskedIn } from './asked.ts';
import { type AdviseAbsent, lookFor, refuseNowhere, type Sought, settle } from './find-members.ts';
import { createTeamFinder, type KnownTeam, partByTeams } from './find-team.ts';
import { type Member, refuseOtherOrganization, toMembers } from './member.ts';
import { findSelf, guardOwnersTeam } from './removal-guard.ts';

/** Which people join a team and which leave one: looked for, and nothing changed. */

/** By name or id: the team that people are to be in, and the one that they are not to be in. */
export interface AskedTeams {
  readonly into?: string | undefined;
  readonly outOf?: string | undefined;
}

export function listNames({ into, outOf }: AskedTeams): readonly string[] {
  return [into, outOf].flatMap((name) => name ?? []);
}

interface KnownTeams {
  readonly into?: KnownTeam;
  readonly outOf?: KnownTeam;
}

/** Without `member` a `refusal` says why no one could be looked for. */
export interface TeamStep {
  readonly organization: string;
  readonly teams: KnownTeams;
  /** How the person was named; left out where `member` says it better. */
  readonly reference?: MemberReference;
  readonly member?: Member;
  readonly refusal?: OrgctlError;
  /** Whether there is something to do. */
  readonly joins: boolean;
  readonly leaves: boolean;
}

export interface TeamRules {
  /** Whether the caller may leave the team of owners. */
  readonly allowSelf: boolean;
  readonly adviseAbsent?: AdviseAbsent;
}

export interface FoundSteps {
  readonly steps: readonly TeamStep[];
  /** With such a team, and without. */
  readonly organizations: readonly string[];
  readonly without: readonly string[];
  /** Who is in others of them, and not in this one. */
  readonly absent: readonly { readonly person: string; readonly organization: string }[];
}

/**
 * A step for each person in each organization that has such a team, where they are; each membership once. Throws what `rules` do not
 * allow, UsageError where none of them has the team, and `not-found` for people who are in none of those that have it.
 */
export async function findTeamSteps(
  service: Service,
  organizations: Organizations,
  asked: AskedTeams,
  askedIn: AskedIn,
  { rules, note }: { readonly rules: TeamRules; note(text: string): void },
): Promise<FoundSteps> {
  const found = await findInEach(organizations, async (organization) => {
    const teams = await findTeams(service, organization, asked, organizations.isOne ? 'require' : 'find');
    if (teams === undefined) return undefined;
    const people = { memberships: service.memberships, note };
    return { teams, looked: await lookFor(people, organizations, organization, askedIn(organization)) };
  });
  const { there, without } = partByTeams(found, (value) => value !== undefined, listNames(asked));
  const teamsOf = new Map(there.map(({ organization, value }) => [organization, value?.teams]));
  const places = settle(
    there.map(({ organization, value, error }) =>
      error === undefined ? { organization, value: value?.looked ?? [] } : { organization, error },
    ),
  );
  refuseNowhere(organizations, places, askedIn, { advise: rules.adviseAbsent, advice: 'Check the email.' });
  const steps: TeamStep[] = [];
  const absent: { readonly person: string; readonly organization: string }[] = [];
  for (const { organization, value, error } of places) {
    const teams = teamsOf.get(organization);
    if (error !== undefined) {
      steps.push(...askedIn(organization).map(({ reference }) => toRefused(organization, reference, error)));
    }
    if (value === undefined || teams === undefined) continue;
    const members = new Map<string, Sought & { readonly member: Member }>();
    for (const { reference, member } of value) {
      if (member instanceof OrgctlError) absent.push({ person: describeReference(reference), organization });
      else {
        refuseOtherOrganization(member, organization);
        if (!members.has(member.id)) members.set(member.id, { reference, member });
      }
    }
    const own = await toSteps(service, organization, teams, [...members.values()]);
    await guardSteps(service, organizations, organization, teams, own, rules);
    steps.push(...own);
  }
  return { steps, organizations: there.map(({ organization }) => organization), without, absent };
}

/** Undefined where one of them is not there. Throws UsageError for that where one is required. */
async function findTeams(
  service: Service,
  organization: string,
  { into, outOf }: AskedTeams,
  way: 'find' | 'require',
): Promise<KnownTeams | undefined> {
  const finder = createTeamFinder(service.teams, organization);
  const joined = into === undefined ? undefined : await finder[way](into);
  const left = outOf === undefined ? undefined : await finder[way](outOf);
  const isMissing = (joined === undefined) !== (into === undefined) || (left === undefined) !== (outOf === undefined);
  return isMissing ? undefined : toTeams(joined, left);
}

function toTeams(into: KnownTeam | undefined, outOf: KnownTeam | undefined): KnownTeams {
  if (into !== undefined && into.id === outOf?.id) {
    throw new UsageError(`${into.name} is both the team to join and the team to leave`, {
      hint: 'Name two different teams.',
    });
  }
  return { ...(into === undefined ? {} : { into }), ...(outOf === undefined ? {} : { outOf }) };
}

async function toSteps(
  service: Service,
  organization: string,
  teams: KnownTeams,
  people: readonly (Pick<Sought, 'reference'> & { readonly member: Member })[],
): Promise<readonly TeamStep[]> {
  const members = people.map(({ member }) => member);
  const isIn = async (team: KnownTeam): Promise<(member: Member) => boolean> => {
    if (members.every((member) => member.teams !== undefined)) {
      return (member) => member.teams?.some(({ id }) => id === team.id) === true;
    }
    // A service that does not say of a member which teams they are in says of the team who is in it.
    const pages = await collect(service.teams.listMembers(team, NO_INCLUDE, {}), toMembers);
    const there = new Set(pages.flat().map(({ id }) => id));
    return (member) => there.has(member.id);
  };
  const { into, outOf } = teams;
  const isInto = into === undefined ? undefined : await isIn(into);
  const isOutOf = outOf === undefined ? undefined : await isIn(outOf);
  return people.map(({ reference, member }) => ({
    organization,
    teams,
    ...(reference.kind === 'email' ? { reference } : {}),
    member,
    joins: isInto?.(member) === false,
    leaves: isOutOf?.(member) === true,
  }));
}

async function guardSteps(
  service: Service,
  organizations: Organizations,
  organization: string,
  { outOf }: KnownTeams,
  steps: readonly TeamStep[],
  { allowSelf }: TeamRules,
): Promise<void> {
  const leaving = steps.flatMap(({ member, leaves }) => (leaves && member !== undefined ? [member] : []));
  if (outOf?.isOwners !== true || leaving.length === 0) return;
  const self = allowSelf
    ? undefined
    : await findSelf(service, organization, { hint: 'Add --allow-self.', own: await organizations.own() });
  await guardOwnersTeam(service, organization, leaving, outOf.id, self);
}

function toRefused(organization: string, reference: MemberReference, refusal: OrgctlError): TeamStep {
  return { organization, teams: {}, reference, refusal, joins: false, leaves: false };
}
