import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FormatName } from '../../src/old/stdout/formats/index.ts';
import { parseCsv, parseJsonLines, parseMarkdown, parseTsv } from '../support/formats.ts';
import {
  type Asked,
  createRows,
  type Pagination,
  type Row,
  type Sheet,
  startListed,
  toRow,
  toSheet,
} from '../support/listed.ts';

type Rows = readonly { readonly id?: unknown }[];
type ListFormat = Exclude<FormatName, 'table'>;

const idsOf = (rows: Rows): readonly unknown[] => rows.map(({ id }) => id);

/** The ids a format shows, in its order. */
function readIds(format: ListFormat, text: string): readonly unknown[] {
  if (format === 'json') return idsOf(JSON.parse(text) as Rows);
  if (format === 'ndjson') return idsOf(parseJsonLines(text));
  if (format === 'markdown')
    return parseMarkdown(text)
      .slice(1)
      .map((row) => row.at(-1));
  return (format === 'csv' ? parseCsv(text).slice(1) : parseTsv(text)).map(([id]) => id);
}

const EMPTY: Readonly<Record<ListFormat, string>> = {
  ndjson: '',
  tsv: '',
  csv: 'id,email,status,user.username,teams.name\r\n',
  json: '[]\n',
  // What a summary of steps shows says that there are none.
  markdown: 'No members match.\n',
};
const FORMAT_NAMES = Object.keys(EMPTY) as readonly ListFormat[];

const NO_TOTALS = 'warning: the service gives no totals: there is no proof that the list is complete\n';
const toReason = (text: string): string =>
  `orgctl: can't list the members of acme completely: ${text}\n  The list was read 4 times.\n  → Run the command again when fewer changes are made.\n`;

describe('every row once, in order,', () => {
  describe.each([0, 1, 20, 21, 100, 101, 1_000])('of %i', (count) => {
    const rows = createRows(count);

    test.each(FORMAT_NAMES)('in %s', async (format) => {
      const service = await startListed((asked) => toSheet(rows, asked));
      const { stdout, ...result } = await service.read('-o', format);
      expect(result).toEqual({ code: 0, stderr: '' });
      expect(readIds(format, stdout)).toEqual(idsOf(rows));
      expect(service.requests).toHaveLength(Math.max(1, Math.ceil(count / 100)));
      if (count === 0) expect(stdout).toBe(EMPTY[format]);
    });
  });

  test('of many, line by line, and none is kept', async () => {
    const rows = createRows(10_000);
    const service = await startListed((asked) => toSheet(rows, asked));
    let rest = '';
    let count = 0;
    let misplaced = 0;
    const result = await service.list(['-o', 'ndjson'], (piece) => {
      const lines = (rest + piece.toString('utf8')).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if ((JSON.parse(line) as { id: string }).id !== rows[count]?.id) misplaced += 1;
        count += 1;
      }
    });
    expect({ ...result, rest, count, misplaced }).toEqual({
      code: 0,
      stderr: '',
      rest: '',
      count: rows.length,
      misplaced: 0,
    });
    expect(service.requests).toHaveLength(rows.length / 100);
  });
});

interface Case {
  readonly name: string;
  /** Made anew for each run. */
  readonly serve: () => (asked: Asked) => Sheet;
}

/** The well-behaved page of so many rows, with something else in its pagination. */
const claim =
  (count: number, change: (pagination: Pagination, asked: Asked) => Pagination | undefined) =>
  (): ((asked: Asked) => Sheet) => {
    const rows = createRows(count);
    return (asked) => {
      const sheet = toSheet(rows, asked);
      return { ...sheet, pagination: change(sheet.pagination ?? {}, asked) };
    };
  };

const without = (pagination: Pagination, ...names: readonly (keyof Pagination)[]): Pagination =>
  Object.fromEntries(Object.entries(pagination).filter(([name]) => !names.includes(name as keyof Pagination)));

const page = (rows: readonly Row[], pagination?: Pagination): Sheet => ({ rows, pagination });

/** Some of what `service/pages.test.ts` has, in every format. */
describe('a list that cannot be believed', () => {
  const CASES: readonly (Case & { readonly reason: string })[] = [
    {
      name: 'has another row at its head after the first page',
      serve: () => {
        const rows = createRows(251);
        return (asked) => toSheet(asked.number === 1 ? rows.slice(1) : rows, asked);
      },
      reason: 'its length changed from 250 to 251',
    },
    {
      name: 'has lost its first row after the first page',
      serve: () => {
        const rows = createRows(250);
        return (asked) => toSheet(asked.number === 1 ? rows : rows.slice(1), asked);
      },
      reason: 'its length changed from 250 to 249',
    },
    {
      name: 'repeats its first page',
      serve: () => {
        const rows = createRows(250);
        return (asked) => ({ ...toSheet(rows, asked), rows: toSheet(rows, { ...asked, number: 1 }).rows });
      },
      reason: 'ou-0 came twice',
    },
    {
      name: 'has an empty page in the middle',
      serve: () => {
        const rows = createRows(250);
        return (asked) => ({ ...toSheet(rows, asked), ...(asked.number === 2 ? { rows: [] } : {}) });
      },
      reason: 'page 2 came empty',
    },
    {
      name: 'has no totals, and next pages in a circle',
      serve: () => {
        const rows = createRows(300);
        return (asked) => ({
          rows: toSheet(rows, asked).rows,
          pagination: { 'current-page': asked.number, 'next-page': asked.number === 3 ? 1 : asked.number + 1 },
        });
      },
      reason: 'page 3 is followed by page 1',
    },
    {
      name: 'knows no pages, and sends the same hundred whatever is asked',
      serve: () => () => page(createRows(100)),
      reason: 'ou-0 came twice',
    },
  ];

  describe.each(CASES)('since it $name', ({ serve, reason }) => {
    test.each(['json', 'table'] as const)('gives nothing in %s', async (format) => {
      const service = await startListed(serve());
      const { code, stdout, stderr } = await service.read('-o', format);
      expect({ code, stdout }).toEqual({ code: 10, stdout: '' });
      const said = stderr.replace(NO_TOTALS, '');
      if (format === 'table') expect(said).toBe(toReason(reason));
      else expect(said).toContain(`completely: ${reason}`);
    });

    test.each(['ndjson', 'tsv', 'csv'] as const)('streams %s, and says so at its end', async (format) => {
      const service = await startListed(serve());
      const { code, stdout, stderr } = await service.read('-o', format);
      expect(code).toBe(10);
      const ids = readIds(format, stdout);
      expect(new Set(ids).size).toBe(ids.length);
      expect(stderr).toContain(`completely: ${reason}`);
    });
  });
});

describe('a list that says less', () => {
  test.each<Case & { readonly requests: number; readonly warns: boolean }>([
    {
      name: 'without the number of pages',
      serve: claim(250, (pagination) => without(pagination, 'total-pages', 'next-page')),
      requests: 3,
      warns: false,
    },
    {
      name: 'without its length',
      serve: claim(250, (pagination) => without(pagination, 'total-count', 'next-page')),
      requests: 3,
      warns: false,
    },
    {
      name: 'with next pages only',
      serve: claim(250, (pagination) => without(pagination, 'total-count', 'total-pages')),
      requests: 3,
      warns: true,
    },
    { name: 'without any pagination', serve: claim(250, () => undefined), requests: 3, warns: true },
    {
      name: 'in pages of its own size',
      serve: () => {
        const rows = createRows(250);
        return (asked) => toSheet(rows, { ...asked, size: 20 });
      },
      requests: 13,
      warns: false,
    },
    {
      name: 'all at once, whatever is asked',
      serve: () => () => page(createRows(250)),
      requests: 1,
      warns: true,
    },
  ])('$name is read whole', async ({ serve, requests, warns }) => {
    for (const format of ['json', 'ndjson', 'tsv', 'csv'] as const) {
      const service = await startListed(serve());
      const result = await service.read('-o', format);
      expect(result.code).toBe(0);
      expect(readIds(format, result.stdout)).toEqual(idsOf(createRows(250)));
      if (format === 'json' || format === 'ndjson') expect(result.stderr.includes('there is no proof')).toBe(warns);
      else expect(result.stderr).toBe(warns ? NO_TOTALS : '');
      expect(service.requests).toHaveLength(requests);
    }
  });
});

describe('a list that changes while it is read', () => {
  /** `at`: before which request; `place`: where in the list, from 0 to 1. */
  const changes = fc.array(fc.record({ at: fc.nat({ max: 12 }), place: fc.double({ min: 0, max: 1, noNaN: true }) }), {
    minLength: 1,
    maxLength: 3,
  });

  test.each(['inserted', 'deleted'] as const)('has lost nothing when rows were %s and the exit is 0', async (kind) => {
    await fc.assert(
      fc.asyncProperty(changes, fc.constantFrom(...FORMAT_NAMES), async (list, format) => {
        let rows = createRows(330);
        let next = 1_000;
        const service = await startListed((asked) => {
          for (const { place } of list.filter(({ at }) => at === asked.before)) {
            const index = Math.floor(place * (rows.length - 1));
            rows = rows.toSpliced(index, kind === 'deleted' ? 1 : 0, ...(kind === 'deleted' ? [] : [toRow(next)]));
            next += 1;
          }
          return toSheet(rows, asked);
        });
        const { code, stdout, stderr } = await service.read('-o', format);
        if (code !== 0) {
          expect({ code, stderr }).toEqual({
            code: 10,
            stderr: expect.stringContaining('the list changed while it was being read'),
          });
          if (format === 'json') expect(stdout).toBe('');
          return;
        }
        const ids = readIds(format, stdout);
        const had = new Set(ids);
        expect(had.size).toBe(ids.length);
        // Who was there from the start and still is must be shown.
        const stayed = rows.filter(({ id }) => Number(id.slice(3)) < 1_000);
        expect(stayed.filter(({ id }) => !had.has(id))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test('once is read again: all that is there, and nothing that is not', async () => {
    const before = createRows(250);
    const after = [toRow(1_000), ...before];
    const serve = () => (asked: Asked) => toSheet(asked.before === 0 ? before : after, asked);
    const whole = await (await startListed(serve())).read('-o', 'json');
    expect({ ...whole, stdout: readIds('json', whole.stdout) }).toEqual({ code: 0, stderr: '', stdout: idsOf(after) });
    const streamed = await (await startListed(serve())).read('-o', 'ndjson');
    expect({ code: streamed.code, stderr: streamed.stderr }).toEqual({ code: 0, stderr: '' });
    expect([...readIds('ndjson', streamed.stdout)].sort()).toEqual([...idsOf(after)].sort());
  });

  test('and loses a row that was streamed already ends with exit 10', async () => {
    const before = createRows(250);
    const serve = () => (asked: Asked) => toSheet(asked.before === 0 ? before : before.slice(1), asked);
    const streamed = await (await startListed(serve())).read('-o', 'tsv');
    expect({ ...streamed, stdout: '' }).toEqual({
      code: 10,
      stdout: '',
      stderr:
        'orgctl: the list changed while it was being read\n' +
        '  1 row printed above is no longer in the list.\n' +
        '  → Run the command again, or use -o json, which prints nothing before the whole list is read.\n',
    });
    const whole = await (await startListed(serve())).read('-o', 'json');
    expect(readIds('json', whole.stdout)).toEqual(idsOf(before.slice(1)));
  });
});

describe('what is not the whole list', () => {
  test('a limit stops early, and claims nothing', async () => {
    const rows = createRows(5_000);
    const service = await startListed((asked) => toSheet(rows, asked));
    const { code, stdout, stderr } = await service.read('-o', 'ndjson', '--limit', '120');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(readIds('ndjson', stdout)).toEqual(idsOf(rows.slice(0, 120)));
    expect(service.requests).toHaveLength(2);
  });
});
