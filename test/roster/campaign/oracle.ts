import type { Drawn, Row } from './draw.ts';
import { fold, ownersOf, type Person, type Team, type World } from './world.ts';

/** What a roster asks for, worked out from the promise alone: who is invited, who leaves, who changes teams. */

export interface Wanted {
  readonly invites: readonly { readonly email: string; readonly teams: readonly string[] }[];
  /** Ids of memberships. */
  readonly removals: readonly string[];
  readonly joins: readonly TeamChange[];
  readonly leaves: readonly TeamChange[];
  /** Nothing is sent: the organization would be without an owner. */
  readonly isOwnerless: boolean;
  /** Nothing is sent: rows of people who are not there and can't be invited. */
  readonly isUnusable: boolean;
}

interface TeamChange {
  readonly id: string;
  readonly team: string;
}

export function want({ world, rows, options }: Pick<Drawn, 'world' | 'rows' | 'options'>): Wanted {
  const owners = ownersOf(world);
  const named = new Map<string, Row>();
  const find = indexByKey(world);
  let isUnusable = false;
  const invites: { email: string; teams: readonly string[] }[] = [];
  const free = (team: string): boolean => options.includeManaged || !isFilled(world.teams.get(team));
  for (const row of rows) {
    const person = find(row);
    if (person !== undefined) named.set(person.id, row);
    else {
      const asked = teamsOf(world, row);
      const teams = asked.filter(free);
      if (row.email === undefined || asked.length === 0) isUnusable = true;
      // One whom only others could put into the teams asked for is left to them.
      else if (teams.length > 0) invites.push({ email: row.email, teams });
    }
  }

  const removals: string[] = [];
  const joins: TeamChange[] = [];
  const leaves: TeamChange[] = [];
  for (const person of world.people.values()) {
    const row = named.get(person.id);
    const isKept = !options.includeManaged && isManaged(world, person);
    if (row === undefined) {
      const isSafe = person.id === world.caller || (person.teams.has(owners) && !options.allowOwners);
      // A row may mean a person whose address is hidden; the account of a token has none.
      const isUnnamed = person.hidden && !person.serviceAccount;
      if (options.prune && !isSafe && !isKept && !isUnnamed) removals.push(person.id);
      continue;
    }
    if (row.teams === undefined) continue;
    const wanted = new Set(teamsOf(world, row));
    for (const team of wanted) if (!person.teams.has(team) && free(team)) joins.push({ id: person.id, team });
    if (!options.pruneTeams || isKept || person.id === world.caller) continue;
    for (const team of person.teams) {
      if (!wanted.has(team) && team !== owners && free(team)) leaves.push({ id: person.id, team });
    }
  }
  const gone = new Set(removals);
  const stays = [...world.people.values()].some(
    ({ id, status, teams }) => status === 'active' && teams.has(owners) && !gone.has(id),
  );
  return { invites, removals, joins, leaves, isOwnerless: !stays, isUnusable };
}

/** How many people leave the organization or a team: what `--max-removals` counts. */
export function countLeavers({ removals, leaves }: Wanted): number {
  return new Set([...removals, ...leaves.map(({ id }) => id)]).size;
}

export function isNothing({ invites, removals, joins, leaves }: Wanted): boolean {
  return invites.length + removals.length + joins.length + leaves.length === 0;
}

/** The state that `apply` ends in. */
export function toEnd(world: World, { invites, removals, joins, leaves }: Wanted): ReadonlyMap<string, string> {
  const end = new Map<string, Set<string>>();
  for (const { id, teams } of world.people.values()) end.set(id, new Set(teams));
  for (const id of removals) end.delete(id);
  for (const { id, team } of joins) end.get(id)?.add(team);
  for (const { id, team } of leaves) end.get(id)?.delete(team);
  for (const { email, teams } of invites) end.set(`invited ${fold(email)}`, new Set(teams));
  return new Map([...end].map(([key, teams]) => [key, [...teams].sort().join()]));
}

/** The state as it is, in the same words; `before`: who was there. */
export function toNow(world: World, before: ReadonlySet<string>): ReadonlyMap<string, string> {
  return new Map(
    [...world.people.values()].map(({ id, email, teams }) => [
      before.has(id) ? id : `invited ${fold(email)}`,
      [...teams].sort().join(),
    ]),
  );
}

function indexByKey({ people }: World): (row: Row) => Person | undefined {
  const known = new Map<string, Person>();
  for (const person of people.values()) {
    known.set(`id ${person.id}`, person);
    known.set(`id ${person.user}`, person);
    if (person.username !== null) known.set(`user ${person.username.toLowerCase()}`, person);
    if (!person.hidden) known.set(`email ${fold(person.email)}`, person);
  }
  // An id says most, and an address least.
  return ({ id, user, email }) =>
    known.get(`id ${id}`) ?? known.get(`user ${user?.toLowerCase()}`) ?? known.get(`email ${fold(email ?? '')}`);
}

function teamsOf(world: World, { teams = [] }: Row): readonly string[] {
  const all = [...world.teams.values()];
  const ids = teams.map((asked) => {
    const found =
      all.find(({ id, name }) => id === asked || name === asked) ??
      all.find(({ name }) => name.toLowerCase() === asked.toLowerCase());
    if (found === undefined) throw new Error(`no team ${asked}`);
    return found.id;
  });
  return [...new Set(ids)];
}

/** Whether logins or SCIM fill it. */
function isFilled(team: Team | undefined): boolean {
  return team !== undefined && (team.ssoTeamId !== null || team.scimLinked);
}

function isManaged(world: World, person: Person): boolean {
  return (
    person.scim !== null ||
    person.status === 'inactive' ||
    person.serviceAccount ||
    [...person.teams].some((team) => isFilled(world.teams.get(team)))
  );
}
