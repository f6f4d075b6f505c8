import { describe, expect, test } from 'vitest';
import { pass } from '../support/faults.ts';
import { parseJsonLines } from '../support/formats.ts';
import { startFront } from '../support/front.ts';
import { runTimed } from '../support/timed.ts';

/** An audit trail that goes on while it is read. */

const AT_START = 12_000;
const PAGE_SIZE = 1_000;
/** Two a second, where a page takes 100 ms. */
const EVENTS_PER_PAGE = 0.2;

const toEvent = (number: number) => ({
  id: `event-${number}`,
  version: '0',
  type: 'Resource',
  timestamp: new Date(Date.UTC(2026, 10, 20) + number * 500).toISOString(),
  auth: { description: 'olive-owner' },
  resource: { id: `ws-${number}`, type: 'workspace', action: 'update' },
});

/** Reads the trail of a service that gives it in this order, and counts the requests. */
async function readTrail(order: 'newest first' | 'oldest first', ...argv: readonly string[]) {
  let requests = 0;
  const front = await startFront(
    {
      async handle(request) {
        const query = new URL(request.url).searchParams;
        const number = Number(query.get('page[number]') ?? 1);
        const length = AT_START + Math.floor(requests * EVENTS_PER_PAGE);
        requests += 1;
        const pages = Math.ceil(length / PAGE_SIZE);
        const first = (number - 1) * PAGE_SIZE;
        const data = Array.from({ length: Math.min(PAGE_SIZE, length - first) }, (_, index) =>
          toEvent(order === 'newest first' ? length - first - index : first + index + 1),
        );
        return Response.json({
          data,
          pagination: {
            current_page: number,
            page_size: PAGE_SIZE,
            prev_page: number > 1 ? number - 1 : null,
            next_page: number < pages ? number + 1 : null,
            total_pages: pages,
            total_count: length,
          },
        });
      },
    },
    pass,
  );
  const pieces: Buffer[] = [];
  const result = await runTimed(['audit-trail', 'list', ...argv], {
    env: { ORGCTL_BASE_URL: front.url, ORGCTL_TOKEN: 'a-token-of-tests' },
    onStdout: (piece) => pieces.push(piece),
  });
  return { ...result, stdout: Buffer.concat(pieces).toString('utf8'), requests };
}

describe.each(['newest first', 'oldest first'] as const)('a trail that grows while it is read, %s,', (order) => {
  test.each(['ndjson', 'json'])('gives every event of the start once, as %s', async (format) => {
    const { stdout, requests, ...result } = await readTrail(order, '-o', format);
    expect(result).toEqual({ code: 0, stderr: '' });
    const events = format === 'json' ? (JSON.parse(stdout) as { id: string }[]) : parseJsonLines(stdout);
    const numbers = events.map(({ id }) => Number(String(id).replace('event-', '')));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.filter((number) => number <= AT_START)).toHaveLength(AT_START);
    expect(requests).toBeLessThanOrEqual(AT_START / PAGE_SIZE + 1);
  });
});
