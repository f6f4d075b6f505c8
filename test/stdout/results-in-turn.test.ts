import { describe, expect, it } from 'vitest';
import { FORMATS, type Format } from '../../src/format.ts';
import type { Columns } from '../../src/stdout/columns.ts';
import { createOutput, type WriteResult } from '../../src/stdout/output.ts';
import { PLAIN_STYLE } from '../../src/text/plain-style.ts';
import { captureStream } from '../support/streams.ts';

const COLUMNS: Columns = {
  name: 'memberships',
  shown: ['id', 'email', 'user.username', 'changed', 'result', 'error.code'],
  fields: ['type'],
  shape: 'resource',
};

const made: WriteResult = {
  resource: {
    id: 'ou-1',
    type: 'organization-memberships',
    attributes: { email: 'ana@example.com', 'created-at': '2026-11-21T08:15:00Z' },
    relationships: { user: { data: { id: 'user-1', type: 'users' } } },
  },
  included: [{ id: 'user-1', type: 'users', attributes: { username: 'ana\u009b' } }],
  extra: { changed: true, result: 'invited' },
};
const removed: WriteResult = {
  resource: { id: 'ou-2', type: 'organization-memberships' },
  extra: { changed: true, result: 'removed' },
};
const failed: WriteResult = {
  resource: { id: null, type: 'organization-memberships' },
  extra: { email: 'b,"o"@example.com', changed: false, result: 'failed', error: { code: 'rejected', message: 'no' } },
};

async function* inTurn(results: readonly WriteResult[], onTake: () => void = () => undefined) {
  for (const result of results) {
    onTake();
    yield result;
  }
}

function open(format: Format, fields?: readonly string[]) {
  const stdout = captureStream();
  const output = createOutput({
    stdout,
    stderr: captureStream(),
    format,
    ...(fields === undefined ? {} : { fields }),
    style: PLAIN_STYLE,
    now: () => Date.UTC(2026, 10, 21, 9),
  });
  return { stdout, output };
}

describe('results that are still to come', () => {
  for (const format of FORMATS) {
    for (const results of [[], [made], [made, removed, failed], [failed, failed]]) {
      for (const fields of [undefined, ['email', 'result']]) {
        if (format === 'jsonapi' && fields !== undefined) continue;
        it(`are the same text in ${format} as those that are all there: ${results.length}, ${fields ?? 'all fields'}`, async () => {
          const [atOnce, later] = [open(format, fields), open(format, fields)];
          // The view's columns are all there are.
          await atOnce.output.changedMany({ ...COLUMNS, shown: [...COLUMNS.shown] }, results.map(withoutMore));
          await later.output.changedMany(COLUMNS, inTurn(results.map(withoutMore)));
          expect(later.stdout.text()).toBe(atOnce.stdout.text());
        });
      }
    }
  }

  it.each(['tsv', 'csv', 'json', 'ndjson'] as const)('are printed one by one in %s', async (format) => {
    const { stdout, output } = open(format);
    const seen: number[] = [];
    await output.changedMany(
      COLUMNS,
      inTurn([made, removed, failed], () => seen.push(stdout.pieces.length)),
    );
    expect(seen).toEqual([0, 1, 2]);
  });

  it('without a resource stand beside the document’s data in jsonapi', async () => {
    const { stdout, output } = open('jsonapi');
    await output.changedMany(COLUMNS, inTurn([removed, failed]));
    expect(JSON.parse(stdout.text())).toEqual({
      data: [{ id: 'ou-2', type: 'organization-memberships', meta: removed.extra }],
      meta: { results: [failed.extra] },
    });
  });

  it('in json have a null id where there is no resource', async () => {
    const { stdout, output } = open('json');
    await output.changedMany(COLUMNS, inTurn([failed]));
    expect(JSON.parse(stdout.text())).toEqual([{ id: null, type: 'organization-memberships', ...failed.extra }]);
  });
});

/** Columns of results that are all there grow by what orgctl adds; here that is in the view but for the error itself. */
function withoutMore(result: WriteResult): WriteResult {
  const { error: _error, ...extra } = result.extra;
  return { ...result, extra };
}
