import { actOnEach } from '../act-on-each.ts';
import { OrgctlError } from '../errors.ts';
import { groupBy } from '../groups.ts';
import { once } from '../once.ts';
import type { Service } from '../service/service.ts';
import type { PreparedTeamChange, TeamChange, TeamOutcome } from '../service/team-change.ts';
import { createStop } from '../stop.ts';
import { type Member, nameMember } from './member.ts';
import { type NamedTeam, toName } from './teams.ts';

/** The one way in which people come into teams and out of them. */

/** A member whose teams change. */
export interface TeamMoves {
  readonly member: Member;
  readonly add: readonly NamedTeam[];
  readonly remove: readonly NamedTeam[];
}

/** Whether no team is left that the member is seen in. False where the service does not say. */
export function leavesAll({ member, add, remove }: TeamMoves): boolean {
  const { teams = [] } = member;
  return add.length === 0 && teams.length > 0 && teams.every(({ id }) => remove.some((team) => team.id === id));
}

/** What was done of a member's moves; the rest was so already. */
export interface DoneTeams {
  readonly added: readonly NamedTeam[];
  readonly removed: readonly NamedTeam[];
}

/** Of people who are about to leave a team, by the id of the membership: who is not in it, and who is to stay. */
export type Held = ReadonlyMap<string, 'unchanged' | OrgctlError>;

type Teams = Pick<Service['teams'], 'prepareChange'>;

/** One change of one team, of many people. */
interface Part {
  settle(id: string): Promise<TeamOutcome>;
  /** Undefined as long as it is not certain. */
  known(id: string): TeamOutcome | undefined;
}

/**
 * One request for many people, sent when the first of them has their turn. No one is taken out of any team before they are in all that
 * they are added to. `hold`: looks at people once more before they leave a team.
 */
export function createTeamChanges(
  teams: Teams,
  organization: string,
  all: readonly TeamMoves[],
  hold?: (team: NamedTeam, members: readonly Member[]) => Promise<Held>,
) {
  const attempt = createAttempt();
  // Said once of each, with the last team that they leave.
  const lastTeams = new Map(
    all.flatMap((moves) => (leavesAll(moves) ? [[moves.member.id, moves.remove.at(-1)?.id] as const] : [])),
  );
  const toPart = (change: TeamChange['change'], team: NamedTeam, members: readonly Member[]): Part => {
    const prepared = teams.prepareChange(
      { change, team: { id: team.id, name: toName(team) }, organization },
      members.map((member) => ({
        id: member.id,
        person: nameMember(member),
        isOnly: change === 'remove' && lastTeams.get(member.id) === team.id,
      })),
    );
    return { settle: (id) => attempt(prepared, id), known: prepared.known };
  };
  const group = (kind: 'add' | 'remove') =>
    [
      ...groupBy(
        all.flatMap((moves) => moves[kind].map((team) => ({ team, moves }))),
        ({ team }) => team.id,
      ),
    ].map(([id, some]) => ({ id, team: some[0].team, some: some.map(({ moves }) => moves) }));
  const joins = new Map(
    group('add').map(({ id, team, some }) => [
      id,
      toPart(
        'add',
        team,
        some.map(({ member }) => member),
      ),
    ]),
  );
  /** Those who are in all teams that they were added to: a team is read only when no one is added to it any more. */
  const findJoined = once(async (): Promise<ReadonlySet<TeamMoves>> => {
    const joined = new Set<TeamMoves>();
    for await (const { item, outcome } of actOnEach(all, join)) if (outcome.kind === 'done') joined.add(item);
    return joined;
  });
  const leaves = new Map(
    group('remove').map(({ id, team, some }) => [id, createLeaving(team, some, { findJoined, hold, toPart })]),
  );

  /** Tries all teams, and throws what kept the member from being added to one of them. */
  async function join({ member, add }: TeamMoves): Promise<void> {
    let failure: unknown;
    for (const { id } of add) {
      try {
        await joins.get(id)?.settle(member.id);
      } catch (error) {
        failure ??= error;
      }
    }
    if (failure !== undefined) throw failure;
  }
  const list = ({ member, add, remove }: TeamMoves): readonly (readonly [NamedTeam, TeamOutcome | undefined])[] => [
    ...add.map((team) => [team, joins.get(team.id)?.known(member.id)] as const),
    ...remove.map((team) => [team, leaves.get(team.id)?.known(member.id)] as const),
  ];
  const done = (moves: TeamMoves): DoneTeams => {
    const changed = new Set(list(moves).flatMap(([{ id }, outcome]) => (outcome === 'changed' ? [id] : [])));
    const among = (some: readonly NamedTeam[]) => some.filter(({ id }) => changed.has(id));
    return { added: among(moves.add), removed: among(moves.remove) };
  };
  return {
    /** Does what is to be done of a member, and says what it was. Undefined in a dry run. Throws what kept it from being done. */
    async settle(moves: TeamMoves): Promise<DoneTeams | undefined> {
      await join(moves);
      for (const { id } of moves.remove) await leaves.get(id)?.settle(moves.member.id);
      return list(moves).some(([, outcome]) => outcome === 'planned') ? undefined : done(moves);
    },
    /** The same without another request, where all of it is certain. */
    known(moves: TeamMoves): DoneTeams | undefined {
      const outcomes = list(moves).map(([, outcome]) => outcome);
      const isCertain = outcomes.every((outcome) => outcome === 'changed' || outcome === 'unchanged');
      return isCertain && outcomes.length > 0 ? done(moves) : undefined;
    },
    /** What was done of it, in whole or in part. */
    done,
  };
}

interface Surroundings {
  findJoined(): Promise<ReadonlySet<TeamMoves>>;
  readonly hold: ((team: NamedTeam, members: readonly Member[]) => Promise<Held>) | undefined;
  toPart(change: TeamChange['change'], team: NamedTeam, members: readonly Member[]): Part;
}

function createLeaving(team: NamedTeam, some: readonly TeamMoves[], { findJoined, hold, toPart }: Surroundings): Part {
  let prepared: { readonly part: Part; readonly held: Held | undefined } | undefined;
  const prepare = once(async () => {
    const joined = await findJoined();
    const members = some.flatMap((moves) => (joined.has(moves) ? [moves.member] : []));
    const held = members.length === 0 ? undefined : await hold?.(team, members);
    const leaving = members.filter(({ id }) => held?.has(id) !== true);
    prepared = { part: toPart('remove', team, leaving), held };
    return prepared;
  });
  return {
    async settle(id) {
      const { part, held } = await prepare();
      const kept = held?.get(id);
      if (kept instanceof OrgctlError) throw kept;
      return kept ?? (await part.settle(id));
    },
    known(id) {
      const kept = prepared?.held?.get(id);
      return kept instanceof OrgctlError ? undefined : (kept ?? prepared?.part.known(id));
    },
  };
}

/** After a failure that would meet all, nothing more is sent. */
function createAttempt(): (prepared: PreparedTeamChange, id: string) => Promise<TeamOutcome> {
  const { failed, succeeded } = createStop('write');
  const counted = new Set<unknown>();
  let end: OrgctlError | undefined;
  return async (prepared, id) => {
    const known = prepared.known(id);
    if (known !== undefined) return known;
    if (end !== undefined) throw end;
    try {
      const outcome = await prepared.settle(id);
      succeeded();
      return outcome;
    } catch (error) {
      // Many people may have met the same one.
      if (error instanceof OrgctlError && !counted.has(error) && failed(error) !== 'go on') end = error;
      counted.add(error);
      throw error;
    }
  };
}
