import type { Person } from './organizations.ts';

/** People of an organization in January and in March, and the changes in between. */

export const KINDS = [
  'joined',
  'left',
  'status',
  'owner-gained',
  'owner-lost',
  'team-added',
  'team-removed',
  '2fa-gained',
  '2fa-lost',
] as const;

type Kind = (typeof KINDS)[number];

export interface Review {
  readonly january: readonly Person[];
  readonly march: readonly Person[];
  /** `team-added ana@example.com audit`, sorted. */
  readonly changes: readonly string[];
}

const TEAMS = ['audit', 'platform', 'security', 'a,b'];

/** Of who is invited no second factor is shown. */
const ACCEPTED = { status: 'active' } as const;

/** `draw` gives whole numbers from 0 and below its argument. Of `count` changes there are as many of each kind as of any other. */
export function createReview(draw: (below: number) => number, count: number): Review {
  const people = Array.from({ length: count * 3 }, (_, index) => createPerson(index, draw));
  const owner: Person = { ...createPerson(people.length, draw), teams: ['owners'], status: 'active' };
  const changes: string[] = [];
  const before = new Map([...people, owner].map((person) => [person.id, person] as const));
  const after = new Map(before);
  const free = [...people];
  for (let index = 0; index < count; index += 1) {
    const kind = KINDS[index % KINDS.length] as Kind;
    const [person] = free.splice(draw(free.length), 1) as [Person];
    const team = TEAMS[draw(3)] as string;
    const [was, is, what = ''] = change(kind, person, team);
    if (was === undefined) before.delete(person.id);
    else before.set(person.id, was);
    if (is === undefined) after.delete(person.id);
    else after.set(person.id, is);
    changes.push(toLine(kind, person.email ?? person.id, what));
  }
  return {
    january: shuffle([...before.values()], draw),
    march: shuffle([...after.values()], draw),
    changes: changes.sort(),
  };
}

function change(
  kind: Kind,
  person: Person,
  team: string,
): readonly [before: Person | undefined, after: Person | undefined, what?: string] {
  const others = person.teams.filter((each) => each !== team && each !== 'owners');
  switch (kind) {
    case 'joined':
      return [undefined, person];
    case 'left':
      return [person, undefined];
    case 'status':
      return [
        { ...person, status: 'invited' },
        { ...person, status: 'active' },
      ];
    case 'owner-gained':
      return [
        { ...person, teams: others },
        { ...person, teams: [...others, 'owners'] },
      ];
    case 'owner-lost':
      return [
        { ...person, teams: ['owners', ...others] },
        { ...person, teams: others },
      ];
    case 'team-added':
      return [{ ...person, teams: others }, { ...person, teams: [team, ...others] }, team];
    case 'team-removed':
      return [{ ...person, teams: [...others, team] }, { ...person, teams: others }, team];
    case '2fa-gained':
      return [
        { ...person, ...ACCEPTED, secondFactor: false },
        { ...person, ...ACCEPTED, secondFactor: true },
      ];
    case '2fa-lost':
      return [
        { ...person, ...ACCEPTED, secondFactor: true },
        { ...person, ...ACCEPTED, secondFactor: false },
      ];
  }
}

function createPerson(index: number, draw: (below: number) => number): Person {
  // What a spreadsheet would take for a formula, letters of both cases, and people whose email is hidden.
  const start = ['ana', '+ana', '=ana', '-ana', 'Ana', 'änä', "o'ana"][draw(7)];
  const teams = TEAMS.filter(() => draw(3) === 0);
  return {
    id: `ou-${String(index).padStart(5, '0')}`,
    email: draw(12) === 0 ? null : `${start}${index}@example.com`,
    status: draw(6) === 0 ? 'invited' : 'active',
    teams: draw(20) === 0 ? [...teams, 'owners'] : teams,
    secondFactor: [true, false, null][draw(3)] as boolean | null,
  };
}

/** The same people in another order, and some emails in other letters. */
function shuffle(people: readonly Person[], draw: (below: number) => number): readonly Person[] {
  const left = [...people];
  const shuffled: Person[] = [];
  while (left.length > 0) {
    const [person] = left.splice(draw(left.length), 1) as [Person];
    shuffled.push(draw(10) === 0 ? { ...person, email: person.email?.toUpperCase() ?? null } : person);
  }
  return shuffled;
}

/** As `changes` of a review have them. */
export function toChanges(rows: readonly Record<string, unknown>[]): readonly string[] {
  return rows
    .map(({ change: kind, email, id, before, after }) => {
      const team = String(kind).startsWith('team-') ? String(before || after) : '';
      return toLine(String(kind), String(email || id), team);
    })
    .sort();
}

/** Emails are compared without case. */
function toLine(kind: string, person: string, what: string): string {
  return `${kind} ${person.toLowerCase()} ${what}`.trimEnd();
}
