import { changeTeamMember, readTeams } from '../../api/teams.ts';
import { runBatch } from '../../cli/batch.ts';
import { readEachOrg } from '../../cli/each-org.ts';
import { readTargets, type Target } from '../../cli/people.ts';
import type { Session } from '../../cli/session.ts';
import { OrgctlError, UsageError } from '../../lib/errors.ts';
import { joinNames, plural } from '../../lib/text.ts';
import { createMemberRow, RESULT_COLUMNS } from '../../members/columns.ts';
import { createNotFound, findMembers } from '../../members/find-members.ts';
import { describeMember, formatMember, type Member } from '../../members/member.ts';
import { formatQuery } from '../../members/member-query.ts';
import { leavesAnOwner, readOwners, readOwnIds } from '../../members/owners.ts';
import { createTeamFinder, parseTeam, type Team } from '../../members/teams.ts';

export interface TeamChange {
  /** Name or id of the team that people join. */
  into?: string | undefined;
  /** Name or id of the team that people leave. */
  outOf?: string | undefined;
  allowSelf: boolean;
}

/** A member, and what is to be done. */
interface Step {
  org: string;
  member: Member;
  joins: Team | undefined;
  leaves: Team | undefined;
  /** The team that messages name. */
  team: Team;
}

/** The act of `teams add` and `teams remove`. */
export async function changeTeams(
  session: Session,
  named: string[],
  file: string | undefined,
  change: TeamChange,
): Promise<void> {
  const targets = await readTargets(session, named, file, { namesOrg: change.into === undefined });
  const { values, failures } = await readEachOrg(session, (org) => prepare(session, org, targets(org), change));
  const found = values.flat();
  const steps = selectSteps(found, session.hasSeveralOrgs);
  await confirm(session, steps);
  await runBatch<Step>(session, steps, {
    label: change.into === undefined ? 'Removing' : 'Adding',
    columns: RESULT_COLUMNS,
    failures,
    name: ({ member }) => formatMember(member),
    row: ({ org, member, team }) => ({
      ...createMemberRow(member, org),
      teams: [{ id: team.id, type: 'teams', name: team.name }],
    }),
    act: (step) => changeOne(session, step),
    sentence: (step, { result }) => formatStep(step, result, change),
  });
}

interface Found {
  org: string;
  name: string;
  step: Step | undefined;
}

async function prepare(
  { client }: Session,
  org: string,
  targets: Target[],
  { into, outOf, allowSelf }: TeamChange,
): Promise<Found[]> {
  const members = await findMembers(
    client,
    org,
    targets.map(({ query }) => query),
  );
  const teams = (await readTeams(client, org))?.map(parseTeam);
  const findTeam = createTeamFinder(org, teams);
  const [joins, leaves] = [into, outOf].map((text) => (text === undefined ? undefined : findTeam(text)));
  const found = targets.map(({ query }, at): Found => {
    const member = members[at];
    const team = joins ?? leaves;
    if (!member || !team) return { org, name: formatQuery(query), step: undefined };
    const isIn = (one: Team | undefined): boolean => one !== undefined && isInTeam(member, one);
    const step = {
      org,
      member,
      team,
      joins: isIn(joins) ? undefined : joins,
      leaves: isIn(leaves) ? leaves : undefined,
    };
    return { org, name: formatQuery(query), step };
  });
  const leaving = found.flatMap(({ step }) => (step?.leaves?.isOwners ? [step.member] : []));
  if (leaving.length > 0) await assertMayLeaveOwners(client, org, leaving, teams, allowSelf);
  return found;
}

/** Throws UsageError if the service doesn't say in which teams somebody is. */
function isInTeam(member: Member, team: Team): boolean {
  if (member.teams) return member.teams.some(({ id }) => id === team.id);
  throw new UsageError(`the service doesn't show the teams of ${formatMember(member)}`);
}

async function assertMayLeaveOwners(
  client: Session['client'],
  org: string,
  leaving: Member[],
  teams: Team[] | undefined,
  allowSelf: boolean,
): Promise<void> {
  const [owners, ownIds] = await Promise.all([readOwners(client, org, teams), readOwnIds(client)]);
  if (!allowSelf && leaving.some(({ id }) => ownIds.has(id))) {
    throw new UsageError('this would remove you from owners', { code: 'protected', hint: 'Use --allow-self.' });
  }
  if (owners && !leavesAnOwner(owners, leaving)) {
    throw new UsageError(`${org} would have no owner: ${joinNames(leaving.map(formatMember))} can't leave owners`, {
      code: 'protected',
    });
  }
}

/** Each member once. Throws `not-found` if somebody is in none of the organizations. */
function selectSteps(found: Found[], hasSeveralOrgs: boolean): Step[] {
  const present = new Set(found.filter(({ step }) => step).map(({ name }) => name));
  const missing = found.filter(({ step, name }) => !step && (!hasSeveralOrgs || !present.has(name)));
  if (missing[0])
    throw createNotFound(
      missing[0].org,
      missing.map(({ name }) => ({ email: name })),
    );
  const steps = found.flatMap(({ step }) => step ?? []);
  return [...new Map(steps.map((step) => [step.member.id, step])).values()];
}

async function confirm(session: Session, steps: Step[]): Promise<void> {
  const owners = steps.filter(({ joins }) => joins?.isOwners).map(({ member }) => formatMember(member));
  const leaving = steps.filter(({ leaves }) => leaves);
  const [first] = leaving;
  if (first) {
    const names = leaving.slice(0, 10).map(({ member }) => describeMember(member));
    const who =
      leaving.length === 1 ? names.join() : `${plural(leaving.length, 'person', 'people')}: ${names.join(', ')}`;
    const orgs = joinNames([...new Set(leaving.map(({ org }) => org))]);
    const makesOwners = owners.length > 0 ? ', and make them owners' : '';
    await session.confirm(`Remove from team ${first.leaves?.name} (${orgs}): ${who}${makesOwners}?`);
  } else if (owners.length > 0) {
    await session.confirm(`Make ${joinNames(owners)} ${owners.length === 1 ? 'an owner' : 'owners'}?`);
  }
}

async function changeOne({ client }: Session, { member, joins, leaves }: Step) {
  const person = { id: member.id, person: formatMember(member) };
  if (!joins && !leaves) return { result: 'unchanged' };
  const isAdded = joins && (await changeTeamMember(client, 'add', joins, person));
  if (joins && leaves && !isAdded) return undefined;
  try {
    const isRemoved = leaves && (await changeTeamMember(client, 'remove', leaves, person));
    if (!isAdded && !isRemoved) return undefined;
  } catch (error) {
    if (!isAdded || !(error instanceof OrgctlError)) throw error;
    throw new OrgctlError(
      error.exit,
      `${person.person} is in ${joins.name} now, and still in ${leaves?.name}: ${error.message}`,
      {
        code: error.code,
        reasons: error.reasons,
        cause: error,
      },
    );
  }
  return { result: !leaves ? 'added' : joins ? 'moved' : 'removed' };
}

function formatStep({ org, member, team, joins, leaves }: Step, result: string, { into }: TeamChange): string {
  const name = formatMember(member);
  if (result === 'unchanged') return `= ${name} is ${into === undefined ? 'not' : 'already'} in ${team.name} (${org})`;
  const [did, would] = !leaves ? ['Added', 'add'] : joins ? ['Moved', 'move'] : ['Removed', 'remove'];
  const way = !leaves ? `to ${team.name}` : joins ? `from ${leaves.name} to ${team.name}` : `from ${leaves.name}`;
  return result === 'planned' ? `Would ${would} ${name} ${way} (${org})` : `✓ ${did} ${name} ${way} (${org})`;
}
