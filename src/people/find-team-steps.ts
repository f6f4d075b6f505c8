import { OrgctlError, UsageError } from '../errors.ts';
import type { MemberReference } from '../input/member-reference.ts';
import type { Reached } from '../organizations/find-organizations.ts';
import { findEach } from '../organizations/side-by-side.ts';
import { NO_INCLUDE } from '../service/include.ts';
import type { Page } from '../service/page.ts';
import type { Service } from '../service/service.ts';
import type { Membership } from '../wire/resources.ts';
import { type Asked, type AskedIn, listEmails, matchEmails, refuseFalseIds } from './asked.ts';
import { type AdviseAbsent, findMembers, refuseAbsent } from './find-members.ts';
import { findNowhere, refuseNowhere } from './find-removals.ts';
import { createTeamFinder, type KnownTeam, toNoTeam } from './find-team.ts';
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

export interface KnownTeams {
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

/** Each membership of one organization once. Throws what `rules` do not allow, and UsageError for an unknown team. */
export async function findTeamSteps(
  service: Service,
  organization: string,
  asked: AskedTeams,
  people: readonly Asked[],
  { rules, note }: { readonly rules: TeamRules; note(text: string): void },
): Promise<{ readonly teams: KnownTeams; readonly steps: readonly TeamStep[] }> {
  const { require } = createTeamFinder(service.teams, organization);
  const teams = toTeams(
    asked.into === undefined ? undefined : await require(asked.into),
    asked.outOf === undefined ? undefined : await require(asked.outOf),
  );
  const sought = await findMembers({ memberships: service.memberships, note }, organization, people);
  refuseAbsent(sought, organization, rules.adviseAbsent);
  const members = new Map<string, Member>();
  for (const { member } of sought) {
    if (member instanceof OrgctlError) continue;
    refuseOtherOrganization(member, organization);
    if (!members.has(member.id)) members.set(member.id, member);
  }
  const steps = await toSteps(service, organization, teams, [...members.values()]);
  await guardSteps(service, organization, teams, steps, rules);
  return { teams, steps };
}

/**
 * A step for each person in each organization that has such a team, where they are. Throws UsageError where none of them has it, and
 * `not-found` for people who are in none of those.
 */
export async function findTeamStepsEverywhere(
  service: Service,
  asked: AskedTeams,
  { organizations, own }: Reached,
  askedIn: AskedIn,
  rules: TeamRules,
): Promise<{
  readonly steps: readonly TeamStep[];
  /** With such a team, and without. */
  readonly organizations: readonly string[];
  readonly without: readonly string[];
  /** Who is in others of them, and not in this one. */
  readonly absent: readonly { readonly email: string; readonly organization: string }[];
}> {
  const names = listNames(asked);
  const found = await findEach(organizations, async (organization) => {
    const { find } = createTeamFinder(service.teams, organization);
    const into = asked.into === undefined ? undefined : await find(asked.into);
    const outOf = asked.outOf === undefined ? undefined : await find(asked.outOf);
    if ([into, outOf].filter((team) => team !== undefined).length < names.length) return {};
    const teams = toTeams(into, outOf);
    const emails = listEmails(askedIn(organization));
    return { there: { teams, present: await service.memberships.findByEmail(organization, emails) } };
  });
  const without = found.flatMap(({ organization, value }) =>
    value !== undefined && value.there === undefined ? [organization] : [],
  );
  if (without.length === organizations.length) throw toNoTeam(names, organizations);
  const matched = found.map(({ organization, value, error }) => ({
    organization,
    teams: value?.there?.teams,
    error,
    people: matchEmails(askedIn(organization), value?.there?.present, organization),
  }));
  refuseFalseIds(matched.flatMap(({ people }) => people.flatMap(({ falseIds }) => falseIds)));
  const steps: TeamStep[] = [];
  const absent: { readonly email: string; readonly organization: string }[] = [];
  for (const { organization, teams, error, people } of matched) {
    if (error !== undefined) steps.push(...people.map(({ email }) => toRefused(organization, email, error)));
    if (teams === undefined) continue;
    const members = people.flatMap(({ member }) => member ?? []);
    const there = await toSteps(service, organization, teams, members);
    await guardSteps(service, organization, teams, there, rules, own);
    const byId = new Map(there.map((step) => [step.member?.id, step]));
    for (const { email, member } of people) {
      const step = byId.get(member?.id);
      if (step !== undefined) steps.push({ ...step, reference: { kind: 'email', email } });
      else absent.push({ email, organization });
    }
  }
  const within = organizations.filter((name) => !without.includes(name));
  refuseNowhere(findNowhere(askedIn, within, steps), 'Check the email.');
  return { steps, organizations: within, without, absent };
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
  members: readonly Member[],
): Promise<readonly TeamStep[]> {
  const isIn = async (team: KnownTeam): Promise<(member: Member) => boolean> => {
    if (members.every((member) => member.teams !== undefined)) {
      return (member) => member.teams?.some(({ id }) => id === team.id) === true;
    }
    // A service that does not say of a member which teams they are in says of the team who is in it.
    const pages = await service.teams.listMembers(team, NO_INCLUDE, {}).collect(toMembers);
    const there = new Set(pages.flat().map(({ id }) => id));
    return (member) => there.has(member.id);
  };
  const { into, outOf } = teams;
  const isInto = into === undefined ? undefined : await isIn(into);
  const isOutOf = outOf === undefined ? undefined : await isIn(outOf);
  return members.map((member) => ({
    organization,
    teams,
    member,
    joins: isInto?.(member) === false,
    leaves: isOutOf?.(member) === true,
  }));
}

async function guardSteps(
  service: Service,
  organization: string,
  { outOf }: KnownTeams,
  steps: readonly TeamStep[],
  { allowSelf }: TeamRules,
  own?: readonly Page<Membership>[],
): Promise<void> {
  const leaving = steps.flatMap(({ member, leaves }) => (leaves && member !== undefined ? [member] : []));
  if (outOf?.isOwners !== true || leaving.length === 0) return;
  const advice = { hint: 'Add --allow-self.', ...(own === undefined ? {} : { own }) };
  const self = allowSelf ? undefined : await findSelf(service, organization, advice);
  await guardOwnersTeam(service, organization, leaving, outOf.id, self);
}

function toRefused(organization: string, email: string, refusal: OrgctlError): TeamStep {
  const reference = { kind: 'email', email } as const;
  return { organization, teams: {}, reference, refusal, joins: false, leaves: false };
}
