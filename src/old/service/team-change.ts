import { ConnectionError, OrgctlError, orUndefined, ServiceError } from '../errors.ts';
import { NO_OTHER_TEAM } from '../resources/team.ts';
import { countPeople } from '../text/count.ts';
import { joinNames } from '../text/join.ts';
import { ORGANIZATION_MEMBERSHIPS } from '../wire/resources.ts';
import type { WriteOutcome } from './ambiguous-write.ts';
import { type Call, type Client, readNothing, readOrNothing, readResource } from './client.ts';

/** Which memberships are in a team, changed many at a time. */

export interface TeamChange {
  readonly change: 'add' | 'remove';
  readonly team: { readonly id: string; readonly name: string };
  readonly organization: string;
}

export interface TeamMember {
  /** Of the membership. */
  readonly id: string;
  /** As people call them. */
  readonly person: string;
  /** Whether the team is the only one that they are seen in, and taken out of. */
  readonly isOnly?: boolean;
}

/** `unchanged`: someone else did the same meanwhile. `planned`: a dry run sent nothing. */
export type TeamOutcome = 'changed' | 'unchanged' | 'planned';

export interface PreparedTeamChange {
  /**
   * What became of one of the memberships, by id; the first one asked for sends the request that it is in. Throws what kept it from
   * being changed: `outcome-unknown` where no reading could say, ServiceError with the code `managed-in-hcp`,
   * `managed-by-identity-provider` or `last-owner` where that is why the service refused.
   */
  settle(id: string): Promise<TeamOutcome>;
  /** What became of a membership, without a request. Undefined as long as that is not certain. */
  known(id: string): TeamOutcome | undefined;
}

/** Assumed: one request can put 100 people into a team, or take them out; the service names no limit. */
const TEAM_MEMBERS_AT_ONCE = 100;

export function prepareTeamChange(
  client: Client,
  change: TeamChange,
  members: readonly TeamMember[],
): PreparedTeamChange {
  const requests = new Map<string, () => Promise<Outcomes>>();
  const known = new Map<string, TeamOutcome>();
  for (let start = 0; start < members.length; start += TEAM_MEMBERS_AT_ONCE) {
    const some = members.slice(start, start + TEAM_MEMBERS_AT_ONCE);
    let sent: Promise<Outcomes> | undefined;
    const send = (): Promise<Outcomes> => {
      sent ??= sendChange(client, change, some).then((outcomes) => {
        for (const [id, outcome] of outcomes) if (typeof outcome === 'string') known.set(id, outcome);
        return outcomes;
      });
      return sent;
    };
    for (const { id } of some) requests.set(id, send);
  }
  return {
    async settle(id) {
      const outcome = (await requests.get(id)?.())?.get(id);
      if (outcome === undefined) throw new Error(`${id} is no part of this change`);
      if (typeof outcome === 'object') throw outcome;
      return outcome;
    },
    known: (id) => known.get(id),
  };
}

/** By id. */
type Outcomes = ReadonlyMap<string, TeamOutcome | OrgctlError>;

async function sendChange(client: Client, change: TeamChange, members: readonly TeamMember[]): Promise<Outcomes> {
  const { team, organization } = change;
  const isAddition = change.change === 'add';
  const people = members.length === 1 ? `${members[0]?.person}` : countPeople(members.length);
  const toAll = (outcome: TeamOutcome | OrgctlError): Outcomes => new Map(members.map(({ id }) => [id, outcome]));
  try {
    const written = await client.write({
      operation: isAddition ? 'add-team-members' : 'remove-team-members',
      parameters: { id: team.id, team: team.name, people },
      organization,
      effect: `${change.change} ${joinNames(members.map(({ person }) => person))} ${isAddition ? 'to' : 'from'} ${team.name} (${organization})${describeAlone(members)}`,
      body: { data: members.map(({ id }) => ({ type: ORGANIZATION_MEMBERSHIPS, id })) },
      read: readNothing,
      async findOutcome(): Promise<WriteOutcome<undefined>> {
        const states = await lookAt(client, change, members);
        if (states.includes('unknown')) return 'unknown';
        return states.every((state) => state === 'as-wanted')
          ? { happened: true, value: undefined }
          : { happened: false };
      },
    });
    return toAll(written === undefined ? 'planned' : 'changed');
  } catch (error) {
    if (!(error instanceof OrgctlError)) throw error;
    if (error.exit === 'outcome-unknown') return await settleEach(client, change, members, error);
    if (!(error instanceof ServiceError)) return toAll(error);
    if (error.status === 400) return await sendRest(client, change, members, error);
    return toAll(error.status === 403 ? await explainRefusal(client, change, error) : error);
  }
}

/** `; ada@example.com is in no other team that you can see` */
function describeAlone(members: readonly TeamMember[]): string {
  const alone = members.filter(({ isOnly }) => isOnly === true).map(({ person }) => person);
  if (alone.length === 0) return '';
  const who = alone.length === members.length ? 'they are' : `${joinNames(alone)} ${alone.length === 1 ? 'is' : 'are'}`;
  return `; ${who} ${NO_OTHER_TEAM}`;
}

/** After a request that may or may not have been acted on, in whole or, for all that is known, in part. */
async function settleEach(
  client: Client,
  change: TeamChange,
  members: readonly TeamMember[],
  error: OrgctlError,
): Promise<Outcomes> {
  // Whatever keeps us from looking leaves the question open.
  const states = await unlessRefused(lookAt(client, change, members));
  const isDone = (index: number): boolean => Array.isArray(states) && states[index] === 'as-wanted';
  return new Map(members.map(({ id }, index) => [id, isDone(index) ? 'changed' : error]));
}

async function unlessRefused<T>(looking: Promise<T>): Promise<T | OrgctlError> {
  return await looking.catch((error: unknown) => {
    if (error instanceof OrgctlError) return error;
    throw error;
  });
}

/**
 * The service refuses a whole request for one membership in it: one that someone else has added, taken out or removed
 * since it was read. Each try has fewer memberships than the one before. Assumed: a refused request to put people into
 * a team, or to take them out, has changed no one.
 */
async function sendRest(
  client: Client,
  change: TeamChange,
  members: readonly TeamMember[],
  error: ServiceError,
): Promise<Outcomes> {
  const states = await unlessRefused(lookAt(client, change, members));
  if (states instanceof OrgctlError) return new Map(members.map(({ id }) => [id, states]));
  const outcomes = new Map<string, TeamOutcome | OrgctlError>();
  const rest: TeamMember[] = [];
  for (const [index, member] of members.entries()) {
    const state = states[index];
    if (state === 'as-wanted') outcomes.set(member.id, 'unchanged');
    else if (state === 'gone') outcomes.set(member.id, toGone(member, change));
    else rest.push(member);
  }
  if (rest.length === 1 && members.length === 1) return outcomes.set(members[0]?.id ?? '', error);
  const isStuck = rest.length === members.length;
  const parts = isStuck ? [rest.slice(0, rest.length / 2), rest.slice(rest.length / 2)] : [rest];
  for (const part of parts) {
    if (part.length === 0) continue;
    for (const [id, outcome] of await sendChange(client, change, part)) outcomes.set(id, outcome);
  }
  return outcomes;
}

type State = 'as-wanted' | 'not-yet' | 'gone' | 'unknown';

/** Reads the memberships by themselves: a whole team may be long, and change while it is read. */
async function lookAt(client: Client, change: TeamChange, members: readonly TeamMember[]): Promise<readonly State[]> {
  const [first, ...others] = members;
  const state = first === undefined ? 'unknown' : await lookAtOne(client, change, first);
  // A service in trouble is not asked a hundred more times.
  if (state === 'unknown') return members.map(() => state);
  return [state, ...(await Promise.all(others.map((member) => lookAtOne(client, change, member))))];
}

async function lookAtOne(client: Client, { change, team }: TeamChange, { id }: TeamMember): Promise<State> {
  try {
    const answer = await orUndefined(client.read({ operation: 'show-member', parameters: { id } }));
    // Read before in this run: where it is not found it is gone, and with it from every team.
    if (answer === undefined) return change === 'add' ? 'gone' : 'as-wanted';
    const teams = readResource(answer).data.relationships?.['teams']?.data;
    if (!Array.isArray(teams)) return 'unknown';
    return teams.some((one) => one.id === team.id) === (change === 'add') ? 'as-wanted' : 'not-yet';
  } catch (error) {
    if (error instanceof ServiceError || error instanceof ConnectionError) return 'unknown';
    throw error;
  }
}

function toGone({ person }: TeamMember, { organization }: TeamChange): OrgctlError {
  return new OrgctlError('not-found', `${person} is no longer in ${organization}`, {
    code: 'changed-meanwhile',
    hint: 'Nothing was changed for them.',
  });
}

/** What is proved of the refusal in its place; the refusal itself where nothing is. */
async function explainRefusal(client: Client, { change, team, organization }: TeamChange, error: ServiceError) {
  const { explainTeamRefusal } = await import('./diagnosis/managed.ts');
  const read = (call: Call) => readOrNothing(client, call);
  return await explainTeamRefusal(error, {
    change,
    names: { team: team.name, organization },
    readTeam: () => read({ operation: 'show-team', parameters: { id: team.id } }),
    readOrganization: () => read({ operation: 'show-organization', parameters: { organization } }),
  });
}
