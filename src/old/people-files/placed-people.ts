import { groupBy } from '../groups.ts';
import { foldName, isSameName } from '../names.ts';
import { joinNames } from '../text/join.ts';
import type { PlacedPeople } from './person-rows.ts';
import { foldRows, type PeopleFile, type PersonRow, type Problem, toKey } from './person-rows.ts';

/** Names are compared without case. `organizations`: those that the command is about. `isNamed`: every row says in which it acts. */
export function placePeople(
  file: PeopleFile,
  organizations: readonly string[],
  isNamed = false,
): { readonly people: PlacedPeople; readonly problems: readonly Problem[] } {
  const known = new Set(organizations.map(foldName));
  const isPlaced = ({ organization }: PersonRow): boolean =>
    organization === undefined || known.has(foldName(organization));
  const rows = file.rows.filter(isPlaced);
  const everywhere = rows.filter(({ organization }) => organization === undefined);
  const named = groupBy(rows, ({ organization }) => foldName(organization));
  return {
    people: {
      file,
      in(organization) {
        const own = named.get(foldName(organization));
        if (own === undefined) return everywhere;
        return everywhere.length === 0 ? own : foldPeople(select(rows, organization));
      },
      unusableIn: (organization) => select(file.unusable, organization),
    },
    problems: [
      ...[...file.rows, ...file.unusable]
        .filter((row) => !isPlaced(row))
        .map(({ line, organization }) =>
          toProblem(line, `${file.organizationColumn} is ${organization}`, organizations),
        ),
      ...(isNamed ? everywhere.map(({ line }) => ({ line, ...UNPLACED })) : []),
    ],
  };
}

function select(rows: readonly PersonRow[], organization: string): readonly PersonRow[] {
  return rows.filter((row) => isSameName(row.organization ?? organization, organization));
}

/** One row may name a person in this organization, and another row name the same person in all of them. */
function foldPeople(rows: readonly PersonRow[]): readonly PersonRow[] {
  const people = new Map<string, PersonRow>();
  for (const row of rows) {
    const before = people.get(toKey(row));
    people.set(toKey(row), before === undefined ? row : foldRows(before, row));
  }
  return [...people.values()];
}

const UNPLACED = {
  text: 'names no organization, and this command is about several',
  advice: 'Name one in each row, in a column organization.',
};

const MOST_NAMED = 5;

function toProblem(line: number, what: string, organizations: readonly string[]): Problem {
  const option = organizations.length === 1 ? '--org' : '--orgs';
  const about = organizations.length > MOST_NAMED ? `${organizations.length} others` : joinNames(organizations);
  return {
    line,
    text: `${what}, and this command is about ${about}`,
    advice: `Name that organization with ${option}, use another file, or leave the column out (--fields).`,
  };
}
