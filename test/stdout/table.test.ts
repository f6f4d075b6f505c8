import Table from 'cli-table3';
import { describe, expect, it } from 'vitest';
import type { Host } from '../../src/host.ts';
import { renderDetails, renderTable } from '../../src/stdout/formats/table.ts';
import { createStyle } from '../../src/text/style.ts';

const host = { env: { FORCE_COLOR: '1' } } as unknown as Host;
const plain = createStyle(host, host.stdout, true);
const coloured = createStyle(host, host.stdout, false);

async function join(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

const toRows = (count: number) =>
  Array.from({ length: count }, (_, index) => [`ou-${index}`, index % 7 === 0 ? '漢字' : 'ana']);

describe('renderTable', () => {
  it('draws rules between the rows of a short table', async () => {
    const rows = Object.entries({ 1: 'Ana', 2: '漢字', 3: '' });
    expect(await join(renderTable(['id', 'name'], rows, plain))).toBe(`┌────┬──────┐
│ id │ name │
├────┼──────┤
│ 1  │ Ana  │
├────┼──────┤
│ 2  │ 漢字 │
├────┼──────┤
│ 3  │      │
└────┴──────┘
`);
  });

  it('colours nothing by itself: cli-table3 colours head and borders even into pipes', async () => {
    expect(await join(renderTable(['id'], toRows(3), plain))).not.toContain('\u001b');
  });

  it.each([1, 501])('sets only the header apart, and aligns it all the same (%i rows)', async (count) => {
    const table = await join(renderTable(['id', 'user.username'], toRows(count), coloured));
    expect(table.split('\n')[1]).toMatch(/^│ \u001b\[1mid\u001b\[22m +│ \u001b\[1muser\.username\u001b\[22m │$/);
    expect(table.match(/\u001b/g)).toHaveLength(4);
    const bare = await join(renderTable(['id', 'user.username'], toRows(count), plain));
    expect(table.replaceAll(/\u001b\[\d+m/g, '')).toBe(bare);
  });

  it.each([3, 501])('lets nothing through that a terminal would obey (%i rows)', async (count) => {
    const rows = toRows(count).map(([id]) => [`${id}\u001b[2J`, 'a\nb\u202e\u009b1m\u001b]0;t\u0007']);
    const table = await join(renderTable(['i\u001b[2Jd', 'text\u202e'], rows, plain));
    expect(table.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(table).toMatch(/│ ou-1 +│ a b +│/);
    const lines = table.trimEnd().split('\n');
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  });

  it('has rules up to 500 rows and none beyond', async () => {
    expect((await join(renderTable(['id', 'name'], toRows(500), plain))).match(/├/g)).toHaveLength(500);
    expect((await join(renderTable(['id', 'name'], toRows(501), plain))).match(/├/g)).toHaveLength(1);
  });

  it('draws long tables with the characters of cli-table3', async () => {
    const rows = toRows(501);
    const compact = new Table({ head: ['id', 'name'], style: { head: [], border: [], compact: true } });
    compact.push(...rows);
    expect(await join(renderTable(['id', 'name'], rows, plain))).toBe(`${compact.toString()}\n`);
  });

  it('draws a short table with one very long cell as cli-table3 would, without its quadratic shortening', async () => {
    const rows = Object.entries({ 1: 'a'.repeat(201), 2: 'b' });
    const table = new Table({ head: ['id', 'name'], style: { head: [], border: [] } });
    table.push(...rows);
    expect(await join(renderTable(['id', 'name'], rows, plain))).toBe(`${table.toString()}\n`);
    expect(await join(renderTable(['id'], [['漢'.repeat(200_000)]], plain))).toContain('漢'.repeat(200_000));
  });

  it('is linear: 20,000 rows, each once, in pieces', async () => {
    const pieces: string[] = [];
    for await (const piece of renderTable(['id', 'name'], toRows(20_000), plain)) pieces.push(piece);
    expect(pieces).toHaveLength(21);
    const lines = pieces.join('').split('\n');
    expect(lines).toHaveLength(20_000 + 5);
    expect(lines[3]).toBe('│ ou-0     │ 漢字 │');
    expect(lines[4]).toBe('│ ou-1     │ ana  │');
    expect(lines[20_002]).toBe('│ ou-19999 │ 漢字 │');
  });

  it('draws 130,000 rows, where cli-table3 throws RangeError', async () => {
    const table = await join(renderTable(['id', 'name'], toRows(130_000), plain));
    expect(table.split('\n')).toHaveLength(130_000 + 5);
  });
});

describe('renderDetails', () => {
  it('has no header, and sets the fields apart', async () => {
    const details = Object.entries({ id: 'ou-1', status: '' });
    expect(await join(renderDetails(details, plain))).toBe(`┌────────┬──────┐
│ id     │ ou-1 │
├────────┼──────┤
│ status │      │
└────────┴──────┘
`);
    expect(await join(renderDetails([['id', 'ou-1']], coloured))).toContain('│ \u001b[1mid\u001b[22m │ ou-1 │');
  });

  it('keeps a very long value whole', async () => {
    const details = Object.entries({ id: '1', text: 'long '.repeat(1000) });
    const text = await join(renderDetails(details, plain));
    expect(text).toContain('long '.repeat(1000));
    expect(text.match(/├/g)).toHaveLength(1);
  });
});

describe('without boxes', () => {
  it('a table is a paragraph a row, each value whole behind its label, as wide as it is', async () => {
    const rows = Object.entries({ 1: '漢'.repeat(50), 2: '' });
    const text = await join(renderTable(['id', 'name'], rows, plain, 'paragraphs'));
    expect(text).toBe(`id: 1\nname: ${'漢'.repeat(50)}\n\nid: 2\nname: \n`);
  });

  it('details are a line each', async () => {
    const details = Object.entries({ id: '1', 'na\u001b[2Jme': 'A\nB' });
    expect(await join(renderDetails(details, plain, 'paragraphs'))).toBe('id: 1\nname: A B\n');
  });
});
