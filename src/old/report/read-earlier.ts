import { UsageError } from '../errors.ts';
import { MEBIBYTE } from '../files/read-file.ts';
import { type FileReader, readText } from '../files/read-text.ts';
import { addToGroup, type Group } from '../groups.ts';
import { type BrokenCsv, readCsv } from '../input/csv.ts';
import { readJson } from '../input/json-lines.ts';
import { DEEPEST, isObject } from '../json-object.ts';
import { foldName } from '../names.ts';
import { getField } from '../stdout/fields.ts';
import { type FlatRecord, setMember } from '../stdout/flatten.ts';
import { countThings } from '../text/count.ts';
import type { ReportRow } from '../wire/flat.ts';
import { FACT_FIELDS } from './facts.ts';

/** A report that was printed before, as csv or json. */

export interface EarlierReport {
  /** As messages call it. */
  readonly name: string;
  /** The organizations that it has, by name in small letters, as it writes them. */
  readonly organizations: ReadonlyMap<string, string>;
  /** The rows of an organization, which are forgotten. */
  take(organization: string): readonly ReportRow[];
}

/** Room for the rows of some million people. */
const LARGEST_FILE = 400 * MEBIBYTE;
const FORM = 'Give what members report printed with -o csv or -o json.';
const HINT = { hint: FORM };

/** Throws UsageError whose reasons hold every row that can't be used. */
export async function readEarlier(reader: FileReader, path: string): Promise<EarlierReport> {
  const limits = {
    option: '--against',
    most: LARGEST_FILE,
    hint: 'Compare fewer organizations at a time, with --org.',
  };
  const { text, name } = await readText(reader, path, limits);
  return parseEarlier(text, name);
}

interface Row<Kept> {
  readonly line: number;
  readonly organization: unknown;
  readonly email: unknown;
  readonly id: unknown;
  readonly kept: Kept;
}

/** `Kept`: of csv the cells, since an object for each row of a large file would fill the memory. */
interface Rows<Kept> {
  readonly broken: BrokenCsv | undefined;
  /** What stands in it is anything: who needs a text checks that it is one. */
  toRow(kept: Kept): ReportRow;
}

/** Exported for tests. Throws like `readEarlier`. */
export function parseEarlier(text: string, name: string): EarlierReport {
  if (text.trim() === '') throw new UsageError(`${name} is empty`, HINT);
  return /^\s*[[{]/.test(text)
    ? collectRows(name, ['entry', 'entries'], (add: AddRow<FlatRecord>) => readEntries(text, name, add))
    : collectRows(name, ['line', 'lines'], (add: AddRow<readonly string[]>) => readLines(text, name, add));
}

type AddRow<Kept> = (row: Row<Kept>) => void;

function collectRows<Kept>(
  name: string,
  [place, places]: readonly [one: string, several: string],
  read: (add: AddRow<Kept>) => Rows<Kept>,
): EarlierReport {
  const organizations = new Map<string, string>();
  const rows = new Map<string, Group<Kept>>();
  const problems: string[] = [];
  let count = 0;
  const report = (line: number, problem: string): void => {
    count += 1;
    if (problems.length < MOST_PROBLEMS) problems.push(`${place} ${line}: ${problem}`);
  };
  const add = (row: Row<Kept>): void => {
    const { organization } = row;
    const isNamed = isFilled(row.email) || isFilled(row.id);
    if (!isFilled(organization) || !isNamed) {
      const { organization: where, email, id } = FACT_FIELDS;
      report(row.line, `has no ${isNamed ? where : `${email} and no ${id}`}`);
      return;
    }
    const key = foldName(organization);
    if (!organizations.has(key)) organizations.set(key, organization);
    addToGroup(rows, key, row.kept);
  };
  const { broken, toRow } = read(add);
  if (broken !== undefined) report(broken.line, `${broken.problem}; the rest was not read`);
  if (count > 0) {
    throw new UsageError(`${name}: ${countThings(count, place, places)} can't be used`, {
      code: 'invalid-rows',
      reasons: problems,
      ...HINT,
    });
  }
  return {
    name,
    organizations,
    take(organization) {
      const key = foldName(organization);
      const records = rows.get(key)?.map(toRow) ?? [];
      rows.delete(key);
      return records;
    },
  };
}

/** Of a wrong file nearly every row may be wrong. */
const MOST_PROBLEMS = 1_000;

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function readEntries(text: string, name: string, add: AddRow<FlatRecord>): Rows<FlatRecord> {
  const { value: list } = readJson(text, name, FORM);
  if (!Array.isArray(list)) throw new UsageError(`${name} is a JSON object, where an array is expected`, HINT);
  for (const [index, entry] of list.entries()) {
    const record = isObject(entry) ? entry : {};
    const value = (fact: 'organization' | 'email' | 'id'): unknown => getField(record, FACT_FIELDS[fact]);
    const [organization, email, id] = [value('organization'), value('email'), value('id')];
    add({ line: index + 1, organization, email, id, kept: record });
  }
  return { broken: undefined, toRow: (record) => record as ReportRow };
}

function readLines(text: string, name: string, add: AddRow<readonly string[]>): Rows<readonly string[]> {
  let header: { readonly fields: readonly string[]; find(fact: 'organization' | 'email' | 'id'): number } | undefined;
  const intern = createInterning();
  const broken = readCsv(text, (values, line) => {
    if (header === undefined) {
      checkHeader(values, name);
      header = { fields: values, find: (fact) => values.indexOf(FACT_FIELDS[fact]) };
      return;
    }
    const { find } = header;
    const [organization, email, id] = [values[find('organization')], values[find('email')], values[find('id')]];
    add({ line, organization, email, id, kept: values.map(intern) });
  });
  return { broken, toRow: (cells) => toRow(header?.fields ?? [], cells) };
}

/** So many different cells are looked for again: states, teams and days repeat, addresses and ids don't. */
const MOST_INTERNED = 10_000;

/** Gives one text for all that are alike. */
function createInterning(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text);
    if (found === undefined && known.size < MOST_INTERNED) known.set(text, text);
    return found ?? text;
  };
}

function checkHeader(fields: readonly string[], name: string): void {
  if (fields.some((field) => field.split('.', DEEPEST + 1).length > DEEPEST)) {
    throw new UsageError(`${name} has a column whose name has more than ${DEEPEST} parts`, HINT);
  }
  const twice = Object.values(FACT_FIELDS).find((field) => fields.indexOf(field) !== fields.lastIndexOf(field));
  if (twice !== undefined) throw new UsageError(`${name} has two columns ${twice}`, HINT);
  const { organization, email, id } = FACT_FIELDS;
  const lacks = !fields.includes(organization)
    ? organization
    : fields.includes(email) || fields.includes(id)
      ? undefined
      : `${email} or ${id}`;
  if (lacks === undefined) return;
  const found = fields.slice(0, MOST_NAMED).map((field) => `'${field}'`);
  throw new UsageError(`${name} has no column ${lacks}`, {
    reasons: [`The first line names the columns. It has: ${found.join(', ')}.`],
    ...HINT,
  });
}

const MOST_NAMED = 20;

/** As json has it: what stands in columns such as `user.username` is one within the other. */
function toRow(fields: readonly string[], values: readonly string[]): ReportRow {
  const record: Record<string, unknown> = {};
  for (const [index, field] of fields.entries()) {
    const cell = values[index] ?? '';
    if (field === FACT_FIELDS.teams) record['teams'] = cell === '' ? [] : cell.split(',').map((name) => ({ name }));
    else setAt(record, field.split('.'), FLAGS.has(field) ? toFlag(cell) : cell === '' ? null : cell);
  }
  return record as ReportRow;
}

const FLAGS: ReadonlySet<string> = new Set([FACT_FIELDS.owner, FACT_FIELDS.secondFactor, 'user.is-service-account']);

function toFlag(cell: string): boolean | null {
  return cell === 'true' ? true : cell === 'false' ? false : null;
}

function setAt(record: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    setMember(record, name, value);
    return;
  }
  const inner = Object.hasOwn(record, name) ? record[name] : undefined;
  const next = isObject(inner) ? inner : {};
  setMember(record, name, next);
  setAt(next, rest, value);
}
