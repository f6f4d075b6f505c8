import { UsageError } from '../errors.ts';
import { readJson } from '../input/json-lines.ts';
import { isObject } from '../json-object.ts';
import { isSameName } from '../names.ts';
import { ORGANIZATION_MEMBERSHIPS } from '../wire/resources.ts';
import { parsePeopleLines } from './parse-people-lines.ts';
import { type Column, createUnused, isKey, type PeopleRules, toColumn } from './people-columns.ts';
import {
  CSV_FORM,
  collectPeople,
  type FileName,
  JSON_FORM,
  type PeopleFile,
  type RawRow,
  type Reading,
  toRow,
  toTeams,
} from './person-rows.ts';

/** Files of people: lines, or JSON. How they begin says which. */

/**
 * The people a text names, and every row that cannot be used. `name` is what messages call it. An empty list is a list; an
 * empty text is none. Throws UsageError for a text that holds no list of people.
 */
export function parsePeople(text: string, name: string, rules: PeopleRules): PeopleFile {
  if (text.trim() === '') throw new UsageError(`${name} is empty`, { hint: CSV_FORM });
  if (!/^\s*[[{]/.test(text)) return parsePeopleLines(text, name, rules);
  const { value, lineOf } = readJson(text, name, JSON_FORM);
  const list = toList(value, rules);
  if (list !== undefined)
    return toPeople(list, { name, kind: lineOf === undefined ? 'json' : 'ndjson' }, rules, lineOf);
  throw new UsageError(`${name} is a JSON object, where an array is expected`, { hint: JSON_FORM });
}

/** A list of people, or of the one that stands alone. Undefined for what is neither. */
export function toList(value: unknown, rules: PeopleRules): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  return isObject(value) && Object.keys(value).some((name) => isKey(toColumn(name, rules), rules))
    ? [value]
    : undefined;
}

/**
 * The people of a list as JSON holds it, or YAML. `lineOf` gives the line of an entry, from 1, where it has one of its own, and
 * `organizationOf` where it acts, where its place in the file says so. Each list of teams is read once: entries may share a
 * long one.
 */
export function toPeople(
  list: readonly unknown[],
  file: FileName,
  rules: PeopleRules,
  lineOf: (entry: number) => number = (entry) => entry,
  organizationOf: (entry: number) => string | undefined = () => undefined,
): PeopleFile {
  const people = collectPeople(file, rules);
  const unused = createUnused();
  const names = new Map<Column, string>();
  const read = new Map<unknown, readonly string[] | undefined>();
  const readTeamsOnce = (value: unknown): readonly string[] | undefined => {
    if (!read.has(value)) read.set(value, readTeams(value));
    return read.get(value);
  };
  const reading = { file, rules, unused, names, readTeams: readTeamsOnce };
  for (const [index, entry] of list.entries()) {
    people.add(placeRow(toJsonRow(entry, lineOf(index + 1), reading), organizationOf(index + 1)));
  }
  return people.finish(unused.list(), names.get('organization'));
}

interface JsonReading extends Reading {
  /** How the file calls its columns. */
  readonly names: Map<Column, string>;
  readonly readTeams: (value: unknown) => readonly string[] | undefined;
}

function toJsonRow(entry: unknown, line: number, reading: JsonReading): RawRow {
  const { rules, unused, names } = reading;
  if (typeof entry === 'string') return toRow((column) => (column === 'email' ? entry : undefined), line, reading);
  if (!isObject(entry)) return { line, problems: ['is neither an object nor an address'] };
  const values = new Map<Column, unknown>();
  const twice: string[] = [];
  // What orgctl prints of a person holds more than a list of people needs.
  const isOwn = entry['type'] === ORGANIZATION_MEMBERSHIPS;
  for (const [key, value] of Object.entries(entry)) {
    const column = toColumn(key, rules);
    if (column === undefined && !isOwn) unused.column(key);
    if (column === undefined) continue;
    if (values.has(column) && column !== 'user' && column !== 'teams') twice.push(`has two values for ${column}`);
    values.set(column, column === 'user' && isObject(value) ? value['username'] : value);
    if (!names.has(column)) names.set(column, key);
  }
  const { problems, ...row } = toRow((column) => values.get(column), line, reading);
  const asked = values.get('teams') ?? undefined;
  const teams = asked === undefined ? undefined : reading.readTeams(asked);
  const isList = asked === undefined || teams !== undefined;
  return {
    ...row,
    ...(teams === undefined ? {} : { teams }),
    problems: [...problems, ...twice, ...(isList ? [] : ['teams is not a list of names or ids'])],
  };
}

/** `place`: the organization that the row stands under. */
function placeRow(row: RawRow, place: string | undefined): RawRow {
  if (place === undefined) return row;
  const { organization = place, problems } = row;
  const isElsewhere = !isSameName(organization, place);
  return {
    ...row,
    organization: place,
    problems: isElsewhere ? [...problems, `is of ${organization}, and stands under ${place}`] : problems,
  };
}

/** Undefined when it is no list of teams. A team may be an object with its id, as a printed membership has it. */
function readTeams(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.map((team: unknown) => (isObject(team) ? team['id'] : team));
  return texts.every((text) => typeof text === 'string') ? toTeams(texts) : undefined;
}
