import { EMAIL_FORM } from '../email.ts';
import { UsageError } from '../errors.ts';
import { readCsv } from '../input/csv.ts';
import { joinNames } from '../text/join.ts';
import {
  type Column,
  createUnused,
  EMAIL_ALONE,
  isKey,
  type PeopleRules,
  toColumns,
  toPlainName,
} from './people-columns.ts';
import {
  CSV_FORM,
  collectPeople,
  type FileName,
  isStatus,
  type PeopleFile,
  type RawRow,
  type Reading,
  SEMICOLON_FORM,
  toNames,
  toRow,
  toTeams,
} from './person-rows.ts';

/** People in lines: CSV with a header, an address each, or what orgctl prints without a header. */

const DELIMITERS = [',', ';', '\t'] as const;

interface Form {
  readonly delimiter: string;
  /** Where the text has no header. */
  readonly names?: readonly string[];
  readonly isPlain?: boolean;
}

export function parsePeopleLines(written: string, name: string, rules: PeopleRules): PeopleFile {
  // Excel may write `sep=;` first. The line becomes a comment, so that those below keep their numbers.
  const text = written.slice(0, 4).toLowerCase() === 'sep=' ? `#${written}` : written;
  const { names, ...form } = findForm(findFirstLine(text), rules);
  const isList = names !== undefined && form.isPlain !== true;
  const shape = isList ? EMAIL_FORM : form.delimiter === ';' ? SEMICOLON_FORM : CSV_FORM;
  const file: FileName = { name, kind: 'csv', form: shape };
  const people = collectPeople(file, rules);
  const unused = createUnused();
  const toHeader = (columns: readonly string[]): Header => ({
    names: columns,
    columns: findColumns(columns, name, rules),
    separator: form.delimiter === ';' ? 'commas' : 'semicolons',
  });
  let header = names === undefined ? undefined : toHeader(names);
  const onRecord = (record: readonly string[], line: number): void => {
    if (header === undefined) header = toHeader(record);
    else if (record.some((value) => value !== '')) people.add(toLineRow(record, line, header, { file, rules, unused }));
  };
  const broken = readCsv(text, onRecord, form);
  if (header === undefined) throw new UsageError(`${name} has no header`, { hint: CSV_FORM });
  if (broken !== undefined) people.add({ line: broken.line, problems: [`${broken.problem}; the rest was not read`] });
  const { columns, names: all } = header;
  const used = toColumns(all, rules);
  // What orgctl prints without a header is known.
  for (const [at, column] of (names === undefined ? all : []).entries())
    if (column !== '' && used[at] === undefined) unused.column(column);
  return people.finish(unused.list(), all[columns.get('organization') ?? -1]);
}

/** What the first line says of all. */
function findForm(line: string, rules: PeopleRules): Form {
  const printed = findPrinted(line);
  if (printed !== undefined) return { delimiter: '\t', names: printed, isPlain: true };
  const heads = DELIMITERS.map((delimiter) => ({ delimiter, names: readRecord(line, delimiter) }));
  const head = heads.find(({ names }) => toColumns(names, rules).some((column) => isKey(column, rules)));
  if (head !== undefined) return { delimiter: head.delimiter };
  const [address, ...more] = heads[0]?.names ?? [];
  const isList = more.length === 0 && address?.includes('@') === true && !address.includes('\t');
  return { delimiter: ',', ...(isList ? { names: ['email'] } : {}) };
}

/** The first that is neither empty nor a comment. */
function findFirstLine(text: string): string {
  for (let start = 0; start < text.length; ) {
    let end = start;
    while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end += 1;
    const line = text.slice(start, end);
    if (line.trim() !== '' && !line.trimStart().startsWith('#')) return line;
    start = end + 1;
  }
  return '';
}

function readRecord(line: string, delimiter: string): readonly string[] {
  const records: (readonly string[])[] = [];
  readCsv(line, (values) => void records.push(values), { delimiter });
  return records[0] ?? [];
}

/** The columns of `members list` and `teams members` where they print no header; undefined for any other line. */
function findPrinted(line: string): readonly string[] | undefined {
  const values = line.split('\t');
  const places = values[1]?.startsWith('ou-') === true ? ['organization.id'] : [];
  const [id = '', , status = '', ...rest] = values.slice(places.length);
  if (!id.startsWith('ou-') || !isStatus(status) || rest.length === 0 || rest.length > 3) return undefined;
  // Of one column more nothing says whether it holds names or teams.
  return [
    ...places,
    'id',
    'email',
    'status',
    '',
    ...(rest.length === 1 ? [] : ['teams.name', '']).slice(0, rest.length - 1),
  ];
}

function isLikeEmail(column: string): boolean {
  return toPlainName(column).includes('email') && !DELIMITERS.some((delimiter) => column.includes(delimiter));
}

interface Header {
  readonly names: readonly string[];
  readonly columns: ReadonlyMap<Column, number>;
  /** What separates teams. */
  readonly separator: string;
}

function findColumns(header: readonly string[], name: string, rules: PeopleRules): Header['columns'] {
  const columns = new Map<Column, number>();
  for (const [index, column] of toColumns(header, rules).entries()) {
    if (column === undefined) continue;
    if (columns.has(column)) throw new UsageError(`${name} has two columns for ${column}`, { hint: CSV_FORM });
    columns.set(column, index);
  }
  const { keys = EMAIL_ALONE } = rules;
  if (!keys.some((key) => columns.has(key))) {
    const found = header.length === 1 ? `'${header[0]}'` : header.map((column) => `'${column}'`).join(', ');
    // Not taken for one: it may be of another person, such as a manager.
    const [likely, other] = header.filter(isLikeEmail);
    throw new UsageError(`${name} has no column ${joinNames(toNames(keys), 'or')}`, {
      reasons: [`Its first line has: ${found}.`],
      hint: header.some((each) => each.includes('|'))
        ? 'Separate the columns by commas, semicolons or tabs.'
        : likely !== undefined && other === undefined
          ? `Rename '${likely}' to email.`
          : found.includes('\t')
            ? `${CSV_FORM} Print orgctl's with -o csv or -o json.`
            : CSV_FORM,
    });
  }
  return columns;
}

/** Values are counted, since teams separated by commas would be dropped unseen. */
function toLineRow(record: readonly string[], line: number, header: Header, reading: Reading): RawRow {
  const { names, columns, separator } = header;
  const beyond = record.slice(names.length).some((value) => value !== '');
  const toValue = (column: Column): string => {
    const index = columns.get(column);
    return index === undefined ? '' : (record[index] ?? '');
  };
  const { problems, ...row } = toRow(toValue, line, reading);
  // What orgctl prints joins them by comma.
  const teams = toTeams(toValue('teams').split(/[;,]/));
  return {
    ...row,
    ...(teams.length === 0 ? {} : { teams }),
    problems: beyond
      ? [...problems, `${record.length} values where the header names ${names.length}: separate teams by ${separator}`]
      : problems,
  };
}
