import { groupBy } from '../groups.ts';
import { OWNERS_TEAM } from '../resources/team.ts';
import type { ReportRow } from '../wire/flat.ts';
import type { Named } from '../wire/resources.ts';
import { type Facts, toFacts } from './facts.ts';
import { compareTexts } from './order.ts';

/** What became of the people of an organization between two reports. */

export const CHANGES = [
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

type Change = (typeof CHANGES)[number];

export type ChangeRow = ReportRow & Named<'after' | 'before'> & { readonly change: Change };

/** What may be unknown in a report. */
export type Compared = 'status' | 'teams' | 'owner' | 'secondFactor';

export interface Comparison {
  /** A row for each change, by email and then by id: `change`, then the person's row, then `before` and `after`. */
  readonly changes: readonly ChangeRow[];
  /** What the earlier report says of no one, so that it could not be compared. */
  readonly unknown: readonly Compared[];
}

interface Person {
  readonly facts: Facts;
  readonly record: ReportRow;
}

/** `now` in the order of a report. People are the same with the same email, else with the same id. */
export function compareReports(earlier: readonly ReportRow[], now: readonly ReportRow[]): Comparison {
  const before = earlier.map(toPerson);
  const after = now.map(toPerson);
  const pairs = matchPeople(before, after);
  const matched = new Set(pairs.values());
  const left = before.filter((person) => !matched.has(person));
  const changes = [
    ...left.map((person) => ({ person, rows: [toRow('left', person.record)] })),
    ...after.map((person) => {
      const previous = pairs.get(person);
      return {
        person,
        rows: previous === undefined ? [toRow('joined', person.record)] : comparePerson(previous, person),
      };
    }),
  ];
  return {
    changes: changes
      .filter(({ rows }) => rows.length > 0)
      .sort((one, other) => comparePeople(one.person, other.person))
      .flatMap(({ rows }) => rows),
    unknown:
      earlier.length === 0 ? [] : COMPARED.filter((fact) => before.every(({ facts }) => facts[fact] === undefined)),
  };
}

const COMPARED: readonly Compared[] = ['status', 'teams', 'owner', 'secondFactor'];

function toPerson(record: ReportRow): Person {
  return { record, facts: toFacts(record) };
}

/** Who each person was before. An address may stand for two memberships: then those with the same id belong together. */
function matchPeople(before: readonly Person[], after: readonly Person[]): ReadonlyMap<Person, Person> {
  const pairs = new Map<Person, Person>();
  const free = new Set(before);
  const pairBy = (toKey: (facts: Facts) => string | undefined): void => {
    const known = groupBy(free, ({ facts }) => toKey(facts));
    for (const person of after) {
      const key = pairs.has(person) ? undefined : toKey(person.facts);
      const previous = key === undefined ? undefined : known.get(key)?.shift();
      if (previous === undefined) continue;
      pairs.set(person, previous);
      free.delete(previous);
    }
  };
  pairBy(({ email, id }) => (email === undefined || id === undefined ? undefined : `${email}\n${id}`));
  pairBy(({ email }) => email);
  pairBy(({ id }) => id);
  return pairs;
}

function comparePerson({ facts: was }: Person, { facts: now, record }: Person): readonly ChangeRow[] {
  const owner = compareFlag(record, [was.owner, now.owner], ['owner-gained', 'owner-lost']);
  // Who gains or loses the team of owners has a row that says so already.
  const isSaid = (team: string): boolean => owner.length > 0 && team === OWNERS_TEAM;
  const listNew = (after: readonly string[], before: readonly string[]): readonly string[] =>
    after.filter((team) => !before.includes(team) && !isSaid(team)).sort();
  const [before, after] = was.teams === undefined || now.teams === undefined ? [[], []] : [was.teams, now.teams];
  const isOtherStatus = was.status !== undefined && now.status !== undefined && was.status !== now.status;
  return [
    ...(isOtherStatus ? [toRow('status', record, was.status, now.status)] : []),
    ...owner,
    ...listNew(after, before).map((team) => toRow('team-added', record, null, team)),
    ...listNew(before, after).map((team) => toRow('team-removed', record, team, null)),
    ...compareFlag(record, [was.secondFactor, now.secondFactor], ['2fa-gained', '2fa-lost']),
  ];
}

/** What is unknown on one side has not changed. */
function compareFlag(
  record: ReportRow,
  [was, is]: readonly [boolean | undefined, boolean | undefined],
  [gained, lost]: readonly [Change, Change],
): readonly ChangeRow[] {
  if (was === undefined || is === undefined || was === is) return [];
  return [toRow(is ? gained : lost, record, was, is)];
}

function toRow(change: Change, record: ReportRow, before: unknown = null, after: unknown = null): ChangeRow {
  return { change, ...record, before, after };
}

function comparePeople(one: Person, other: Person): number {
  return compareTexts(one.facts.email, other.facts.email) || compareTexts(one.facts.id, other.facts.id);
}
