import { expect, test } from 'vitest';
import { decodeText } from '../../src/lib/input-text.ts';
import { parseRows } from '../../src/members/rows.ts';

const read = (text: string) => {
  const findColumn = (column: string) => (column === 'email' ? column : undefined);
  const { rows } = parseRows(decodeText(Buffer.from(text), 'people'), 'people', findColumn);
  return Object.fromEntries(rows.map(({ location, record }) => [location, record]));
};

const MIXED = {
  'line 2': { email: 'ana@example.com', teams: 'a,b' },
  'line 3': { email: 'x', teams: '' },
  'line 4': { email: 'y', teams: '' },
};
const ANA = { email: 'ana@example.com', teams: 'a,b' };

test.each<[name: string, text: string, rows: object]>([
  ['commas', 'email,teams\nana@example.com,"a,b"\n', { 'line 2': ANA }],
  ['semicolons, as spreadsheets save it', 'email;teams\r\nana@example.com;a,b\r\n', { 'line 2': ANA }],
  ['tabs', 'email\tteams\nana@example.com\ta,b', { 'line 2': ANA }],
  ['a BOM, blank lines and blanks', '\ufeff\nemail , teams\n\nana@example.com,"a,b"\n', { 'line 4': ANA }],
  ['quotes and line breaks in quotes', 'email,teams\n"a""b","x\ny"\n', { 'line 3': { email: 'a"b', teams: 'x\ny' } }],
  ['a row with fewer cells', 'email,teams\nana\n', { 'line 2': { email: 'ana', teams: undefined } }],
  ['marks against formulas', "email,teams\n'+ana,'=x\n", { 'line 2': { email: '+ana', teams: '=x' } }],
  ['line ends of several systems', 'email,teams\r\nana@example.com,"a,b"\nx,\ry,\r\n', MIXED],
  [
    'a line break in the header',
    '"Why\r\nnot";"email";teams\nx;ana@example.com;a,b',
    { 'line 3': { ...ANA, 'Why\nnot': 'x' } },
  ],
  ['empty cells behind the last column', 'email,teams\nana@example.com,"a,b",, \n', { 'line 2': ANA }],
  ['columns without a name', 'email,teams,,\nana@example.com,"a,b",\n', { 'line 2': { ...ANA, '': undefined } }],
  ['a header alone', 'email,teams\n', {}],
  ['sep=, and rows without text', 'sep=;\r\n;;\r\nemail;teams\r\n ; \r\nana@example.com;a,b\r\n', { 'line 5': ANA }],
  ['another separator, in quotes', '"sep=|"\nemail|teams\nana@example.com|a,b\n;\n', { 'line 3': ANA }],
  ['one a line', '\ufeffa@b.c,,\r\n\r\nd@e.f', { 'line 1': { email: 'a@b.c' }, 'line 3': { email: 'd@e.f' } }],
  ['JSON', `\ufeff[${JSON.stringify(ANA)}]`, { 'entry 1': ANA }],
  ['one object', JSON.stringify(ANA, null, 2), { 'entry 1': ANA }],
  ['ndjson', `\ufeff${JSON.stringify(ANA)}\r\n\n{"email":"b"}\n`, { 'line 1': ANA, 'line 3': { email: 'b' } }],
])('reads %s', (_name, text, rows) => expect(read(text)).toEqual(rows));

test.each([
  [' \n', 'people is empty'],
  ['name,phone\nAna,1\n', 'people has no known column in its header: name, phone'],
  ['email,teams\nana@example.com,a,b\n', /^people is not valid CSV: .*line 2/],
  ['email,teams,\nana@example.com,a,,b\n', /^people is not valid CSV: line 2 has 4 cells/],
  ['email\n"ana@example.com\n', /^people is not valid CSV: .*line 2/],
  ['[1]', 'people is not valid JSON: entry 1 is not an object'],
  ['sep=;\r\n', 'people is empty'],
  [';;\n,,\n', 'people is empty'],
  ['[{"email":"a@b.c",\n"email":"d@e.f"}]', 'people: an object has the key email twice'],
  ['{"email":"a@b.c"}\n{"teams":[{"id":"a","\\u0069d":"b"}]}', 'people: an object has the key id twice'],
  ['{"email":"ana@example.com"}\n{', 'people is not valid JSON: line 2 is not JSON'],
  ['[{"email":"ana@example.com",}]', 'people is not valid JSON, or nested too deeply'],
  [`[{"email":${'['.repeat(9_000)}${']'.repeat(9_000)}}]`, 'people is not valid JSON, or nested too deeply'],
])('refuses %j', (text, message) => expect(() => read(text)).toThrow(message));
