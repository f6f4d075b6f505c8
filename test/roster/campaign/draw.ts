import type { Random } from '../../campaign/random.ts';
import { type Manners, OWNERS, type Person, type Team, type World } from './world.ts';

/** An organization, a roster and options, drawn by a seed. */

export interface Row {
  readonly email?: string;
  /** A user name. */
  readonly user?: string;
  /** Of a membership or a user. */
  readonly id?: string;
  /** Names or ids; undefined leaves a person's teams as they are. */
  readonly teams?: readonly string[];
}

interface Options {
  readonly prune: boolean;
  readonly pruneTeams: boolean;
  readonly includeManaged: boolean;
  readonly allowOwners: boolean;
  /** How `--max-removals` stands to what is needed: as many, one less, or left to its default. */
  readonly room: 'enough' | 'short' | 'default';
}

export interface Drawn {
  readonly world: World;
  readonly rows: readonly Row[];
  readonly options: Options;
  readonly format: 'yaml' | 'json' | 'csv';
}

export interface DrawOptions {
  readonly most: number;
  readonly fewest?: number;
  readonly manners?: Partial<Manners>;
  readonly options?: Partial<Options>;
}

export function draw(random: Random, { most, fewest = 2, manners, options }: DrawOptions): Drawn {
  const size = Math.round(fewest * (most / fewest) ** (random.int(10_001) / 10_000));
  const world = drawWorld(random, size, manners);
  const format = random.pick<Drawn['format']>(['yaml', 'json', 'csv']);
  const rows = drawRows(random, world, { size, mayEmpty: format !== 'csv' });
  const prune = random.chance(60);
  return {
    world,
    rows,
    format,
    options: {
      prune,
      pruneTeams: random.chance(55),
      includeManaged: random.chance(30),
      allowOwners: prune && random.chance(40),
      room: random.name({ enough: 60, short: 25, default: 15 }),
      ...options,
    },
  };
}

function drawWorld(random: Random, size: number, manners: Partial<Manners> = {}): World {
  const hasScim = random.chance(40);
  const teams = drawTeams(random, size, hasScim);
  const people = new Map<string, Person>();
  const world: World = {
    organization: 'acme',
    teams: new Map(teams.map((team) => [team.id, team])),
    people,
    // Set below: the first is an owner.
    caller: random.chance(80) ? 'ou-person0000abcdefg' : undefined,
    manners: {
      batch: random.pick(['whole', 'until-wrong']),
      scimInclude: random.chance(70),
      scimShown: random.pick(['users', 'relationship']),
      documentOnly: false,
      unified: false,
      ...manners,
    },
    deeds: [],
    repeated: [],
    made: 0,
  };
  const owners = teams[0] as Team;
  // Those that are not in the roster, and those that are: as many more, at most.
  const there = Math.max(2, Math.round(size * (0.3 + random.int(100) / 100)));
  for (let index = 0; index < there; index += 1) {
    const digits = String(index).padStart(4, '0');
    const isOwner = index === 0 || random.chance(index < 5 ? 30 : 1);
    const isService = index > 0 && random.chance(3);
    const status = index === 0 ? 'active' : random.name({ active: 80, invited: 14, inactive: 6 });
    people.set(`ou-person${digits}abcdefg`, {
      id: `ou-person${digits}abcdefg`,
      user: `user-person${digits}abcde`,
      email: `${random.chance(10) ? 'Person' : 'person'}${digits}@example.com`,
      hidden: index > 0 && random.chance(4),
      username: status === 'invited' ? null : `name${digits}`,
      status,
      serviceAccount: isService,
      scim: hasScim && index > 0 && random.chance(12) ? `scim-${digits}` : null,
      teams: new Set([...(isOwner ? [owners.id] : []), ...drawTeamsOf(random, teams)]),
    });
  }
  return world;
}

function drawTeams(random: Random, size: number, hasScim: boolean): readonly Team[] {
  const many = random.chance(3) ? 101 + random.int(60) : 1 + random.int(Math.min(25, 2 + size));
  return Array.from({ length: many + 1 }, (_, index): Team => {
    const isOrdinary = index < 2;
    return {
      id: `team-${String(index).padStart(4, '0')}abcdefghijkl`,
      name:
        index === 0
          ? OWNERS
          : `${random.weigh([
              [16, 'group'],
              [4, 'Group'],
              [1, 'team'],
            ])}-${index}`,
      ssoTeamId: !isOrdinary && random.chance(12) ? `sso-${index}` : null,
      scimLinked: !isOrdinary && hasScim && random.chance(15),
    };
  });
}

/** Without owners. Mostly few. */
function drawTeamsOf(random: Random, teams: readonly Team[]): readonly string[] {
  const count = random.weigh([
    [2, 0],
    [6, 1],
    [4, 2],
    [2, 4],
  ]);
  const ids = new Set<string>();
  for (let left = count; left > 0; left -= 1) ids.add((teams[1 + random.int(teams.length - 1)] as Team).id);
  return [...ids];
}

/** `mayEmpty`: whether a row can say that somebody is in no team. */
function drawRows(
  random: Random,
  world: World,
  { size, mayEmpty }: { readonly size: number; readonly mayEmpty: boolean },
): readonly Row[] {
  const rows: Row[] = [];
  const teams = [...world.teams.values()];
  // Invitations need at least one team that nobody else fills.
  const plain = teams.filter(({ name, ssoTeamId, scimLinked }) => name !== OWNERS && ssoTeamId === null && !scimLinked);
  const toName = (id: string): string => {
    const { name } = world.teams.get(id) as Team;
    return random.weigh([
      [8, name],
      [1, name.toUpperCase()],
      [1, id],
    ]);
  };
  const stays = 40 + random.int(55);
  for (const person of world.people.values()) {
    // The one who asks is often forgotten.
    if (rows.length >= size || !random.chance(person.id === world.caller ? 50 : stays)) continue;
    rows.push({ ...drawKeys(random, person), ...drawWanted(random, person) });
  }
  const newcomers = rows.length > 0 && random.chance(20) ? 0 : size - rows.length;
  for (let index = 0; index < newcomers; index += 1) {
    const ids = new Set(drawTeamsOf(random, teams));
    // Sometimes all of them are filled by others.
    if (ids.size === 0 || random.chance(90)) ids.add((plain[random.int(plain.length)] as Team).id);
    if (random.chance(2)) ids.add((teams[0] as Team).id);
    rows.push({ email: `new${String(index).padStart(4, '0')}@example.com`, teams: [...ids].map(toName) });
  }
  return shuffle(random, rows);

  function drawWanted(of: Random, person: Person): Pick<Row, 'teams'> {
    if (of.chance(12)) return {};
    const now = [...person.teams];
    const ids = of.weigh<readonly string[]>([
      [5, now],
      [3, [...now, ...drawTeamsOf(of, teams)]],
      [2, drawTeamsOf(of, teams)],
      [1, now.slice(1)],
      [1, of.chance(20) ? [...now, (teams[0] as Team).id] : now],
    ]);
    return ids.length === 0 && !mayEmpty ? {} : { teams: [...new Set(ids)].map(toName) };
  }
}

/** What the row names a person by. Addresses change; ids do not. */
function drawKeys(random: Random, person: Person): Row {
  const changed = `former.${person.email}`;
  const email = random.chance(15) ? person.email.toUpperCase() : person.email;
  const ids: readonly [Row, ...Row[]] = [{ id: person.id }, { id: person.user }];
  const { username } = person;
  const byId = random.pick<Row>(
    username === null ? ids : [...ids, { user: random.chance(20) ? username.toUpperCase() : username }],
  );
  if (person.hidden) return byId;
  return random.weigh<Row>([
    [12, { email }],
    [4, byId],
    [2, { ...byId, email }],
    [1, { ...byId, email: changed }],
  ]);
}

function shuffle<T>(random: Random, values: readonly T[]): readonly T[] {
  const left = [...values];
  return values.map(() => left.splice(random.int(left.length), 1)[0] as T);
}

/** The roster as a file. */
export function toText({ rows, format }: Pick<Drawn, 'rows' | 'format'>): string {
  if (format === 'json') return JSON.stringify({ members: rows });
  if (format === 'csv') {
    const line = ({ email = '', user = '', id = '', teams = [] }: Row) => `${email},${user},${id},${teams.join(';')}\n`;
    return `email,user,id,teams\n${rows.map(line).join('')}`;
  }
  const entry = ({ teams, ...keys }: Row): string => {
    const parts = Object.entries(keys).map(([name, value]) => `${name}: ${value}`);
    return `- {${[...parts, ...(teams === undefined ? [] : [`teams: [${teams.join(', ')}]`])].join(', ')}}\n`;
  };
  return `members:\n${rows.map(entry).join('')}`;
}
