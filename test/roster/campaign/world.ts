/** One organization as the service has it: who is there, in which teams, and who asks. Plain data and what changes it. */

export interface Team {
  readonly id: string;
  readonly name: string;
  /** Null where logins do not fill it. */
  ssoTeamId: string | null;
  /** Filled by SCIM. */
  scimLinked: boolean;
}

export interface Person {
  /** `ou-…` */
  readonly id: string;
  /** `user-…` */
  readonly user: string;
  email: string;
  /** Nobody is shown the address. */
  readonly hidden: boolean;
  /** Null until there is an account. */
  username: string | null;
  status: 'active' | 'invited' | 'inactive';
  readonly serviceAccount: boolean;
  /** Null where SCIM does not know them. */
  readonly scim: string | null;
  /** Ids of teams. */
  readonly teams: Set<string>;
}

export interface World {
  readonly organization: string;
  readonly teams: Map<string, Team>;
  /** By `ou-…`, in the order of the list. */
  readonly people: Map<string, Person>;
  /** Id of the membership of the person who asks; undefined for the organization's own token. */
  readonly caller: string | undefined;
  readonly manners: Manners;
  /** What has been changed, in turn. */
  readonly deeds: Deed[];
  /** Addresses that orgctl asked to invite once more, which it had invited already. */
  readonly repeated: string[];
  /** Counts memberships that were made after the start. */
  made: number;
}

/** What services are not known to agree about. */
export interface Manners {
  /** A list of ids with one that cannot be: none is done, or those before it are. */
  readonly batch: 'whole' | 'until-wrong';
  /** Whether the list of members may include SCIM identities. */
  readonly scimInclude: boolean;
  /** `users`: as Enterprise does; `relationship`: as the hosted edition does. */
  readonly scimShown: 'users' | 'relationship';
  /** Routes outside the service's document answer 404. */
  readonly documentOnly: boolean;
  /** People and teams are managed elsewhere: no team can be changed here. */
  readonly unified: boolean;
}

export type Deed = { readonly by: 'orgctl' | 'others' } & (
  | { readonly kind: 'invite'; readonly id: string; readonly email: string; readonly teams: readonly string[] }
  | { readonly kind: 'remove'; readonly id: string; readonly person: Person }
  | { readonly kind: 'join' | 'leave'; readonly id: string; readonly team: string }
);

export const OWNERS = 'owners';

export function ownersOf({ teams }: Pick<World, 'teams'>): string {
  for (const { id, name } of teams.values()) if (name === OWNERS) return id;
  throw new Error('an organization has a team of owners');
}

/** A refusal, as the service answers it. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

export function fold(email: string): string {
  return email.toLowerCase();
}

export function invite(world: World, email: string, teams: readonly string[], by: Deed['by']): Person {
  if (teams.length === 0) throw new Refusal(422, 'Teams must name at least one team');
  for (const team of teams) if (!world.teams.has(team)) throw new Refusal(404, 'not found');
  for (const other of world.people.values()) {
    if (fold(other.email) !== fold(email)) continue;
    const isOwn = world.deeds.some((deed) => deed.kind === 'invite' && deed.by === 'orgctl' && deed.id === other.id);
    if (isOwn && by === 'orgctl') world.repeated.push(email);
    throw new Refusal(422, 'User has already been invited or is a member');
  }
  world.made += 1;
  const number = String(world.made).padStart(8, '0');
  const person: Person = {
    id: `ou-made${number}abcd`,
    user: `user-made${number}abcd`,
    email,
    hidden: false,
    username: null,
    status: 'invited',
    serviceAccount: false,
    scim: null,
    teams: new Set(teams),
  };
  world.people.set(person.id, person);
  world.deeds.push({ by, kind: 'invite', id: person.id, email, teams: [...teams] });
  return person;
}

export function remove(world: World, id: string, by: Deed['by']): void {
  const person = world.people.get(id);
  if (person === undefined) throw new Refusal(404, 'not found');
  if (by === 'orgctl' && id === world.caller && person.teams.has(ownersOf(world))) {
    throw new Refusal(403, 'You can not remove yourself from an organization you own');
  }
  if (isLastOwner(world, [id])) throw new Refusal(403, 'The last owner can not be removed');
  world.people.delete(id);
  world.deeds.push({ by, kind: 'remove', id, person });
}

export function join(world: World, team: string, ids: readonly string[], by: Deed['by']): void {
  changeTeam(world, team, ids, (person) => {
    if (person.teams.has(team)) throw new Refusal(400, `${person.id} is already a member`);
    return () => {
      person.teams.add(team);
      world.deeds.push({ by, kind: 'join', id: person.id, team });
    };
  });
}

export function leave(world: World, team: string, ids: readonly string[], by: Deed['by']): void {
  if (team === ownersOf(world) && isLastOwner(world, ids)) throw new Refusal(403, 'The last owner can not be removed');
  changeTeam(world, team, ids, (person) => {
    if (!person.teams.has(team)) throw new Refusal(400, `${person.id} is not a member`);
    return () => {
      person.teams.delete(team);
      world.deeds.push({ by, kind: 'leave', id: person.id, team });
    };
  });
}

function changeTeam(world: World, team: string, ids: readonly string[], prepare: (person: Person) => () => void): void {
  if (!world.teams.has(team)) throw new Refusal(404, 'not found');
  const acts: (() => void)[] = [];
  const finish = (): void => {
    for (const act of acts.splice(0)) act();
  };
  for (const id of ids) {
    const person = world.people.get(id);
    try {
      if (person === undefined) throw new Refusal(400, `${id} is not a member of the organization`);
      acts.push(prepare(person));
    } catch (error) {
      if (world.manners.batch === 'until-wrong') finish();
      throw error;
    }
  }
  finish();
}

function isLastOwner(world: World, leaving: readonly string[]): boolean {
  const owners = ownersOf(world);
  const owns = [...world.people.values()].filter(({ status, teams }) => status === 'active' && teams.has(owners));
  const left = owns.filter(({ id }) => !leaving.includes(id));
  return owns.length > 0 && left.length === 0;
}
