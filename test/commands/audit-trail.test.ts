import { describe, expect, test } from 'vitest';
import { NOW, run } from '../support/run.ts';
import { DAY, MINUTE, startTrail } from '../support/trail.ts';
import { transcript } from '../support/transcript.ts';

describe('audit-trail list', () => {
  test('prints the newest event first', () =>
    transcript({ reads: true })`
      $ AS=audit-token audit-trail list --limit 2
      2026-11-20T09:00:00.000Z\tshow\tauthentication_token\tat-1\tsandbox\trequest-1
      2026-11-19T09:00:00.000Z\tshow\tauthentication_token\tat-1\tsandbox\trequest-2
      > GET /account/details
      > GET /organization/audit-trail?page%5Bnumber%5D=1&page%5Bsize%5D=1000
      $ AS=audit-token audit-trail list --limit 1 -o ndjson
      {"id":"request-1","version":"0","type":"Resource","timestamp":"2026-11-20T09:00:00.000Z","auth":{"accessor_id":"sandbox","description":"sandbox","type":"System","impersonator_id":null,"organization_id":"org-1"},"request":{"id":"request-3"},"resource":{"id":"at-1","type":"authentication_token","action":"show","meta":null}}
      > GET /account/details
      > GET /organization/audit-trail?page%5Bnumber%5D=1&page%5Bsize%5D=1000
      $ AS=audit-token audit-trail list --since 1h -o json
      []
      > GET /account/details
      > GET /organization/audit-trail?since=2026-11-21T08%3A00%3A00.000Z&page%5Bnumber%5D=1&page%5Bsize%5D=1000
      > GET /account/details
    `);

  test('is a table at a terminal', () =>
    transcript({ tty: { stdout: true, stderr: true }, env: { NO_COLOR: '1' }, columns: 140 })`
      $ AS=audit-token audit-trail list --limit 1
      TIME (UTC)           ACTION  RESOURCE                                  ACTOR    ID
      2026-11-20 09:00:00  show    authentication_token/at-1  sandbox  request-1
      $ AS=audit-token audit-trail list --action delete
      ! no such events; actions: show
      $ AS=audit-token audit-trail list --until 15d
      ! warning: the audit trail keeps 14 days, so earlier events are missing
      ! no events found
      $ AS=audit-token audit-trail list --since 15d --limit 1 --fields id
      ID
      request-1
      ! warning: the audit trail keeps 14 days, so earlier events are missing
      $ AS=audit-token audit-trail follow --cursor acme.json --once --since 1h -o json
      []
    `);

  test('ends with 4 for a token that the service answers with an empty trail', () =>
    transcript({ reads: true })`
      $ audit-trail list -o json
      ! {"error":{"code":"wrong-token-kind","exit":4,"message":"this token can't read the audit trail: it belongs to a user","hint":"Use the audit trail token or the organization token; in the sandbox add --as audit-token."}}
      > GET /account/details
      > GET /organization/audit-trail?page%5Bnumber%5D=1&page%5Bsize%5D=1000
      > GET /account/details
      = 4
      $ AS=owners-team audit-trail list
      ! orgctl: this token can't read the audit trail: it belongs to a team
      !   → Use the audit trail token or the organization token; in the sandbox add --as audit-token.
      > GET /account/details
      > GET /organization/audit-trail?page%5Bnumber%5D=1&page%5Bsize%5D=1000
      > GET /account/details
      = 4
    `);

  test('a result that is printed as a whole has an end', () =>
    transcript()`
      $ audit-trail follow --cursor acme.json -o json
      ! {"error":{"code":"usage","exit":2,"message":"-o json and --query need --once","hint":"Use -o ndjson."}}
      = 2, nothing sent
    `);

  test.each([
    ['--since 2026-11-19T10:00+01:00', '6 5 4 3'],
    ['--since 2026-11-20', '6 5 4'],
    ['--since 2d --until 2026-11-20T09:00:00Z', '4 3'],
    ['--until 1d --limit 2', '4 3'],
    ['--actor MILO', '5 3 1'],
    ['--actor user-1,user-2 --action destroy', '3'],
    ['--action Destroy --action create', '6 3'],
    ['--resource team', '6 4 2'],
    ['--resource workspace/ws-3,ws-4 --until 5m', '4 3'],
  ])('%s', async (line, expected) => {
    const trail = await startTrail();
    const event = (number: number, at: number, action: string) => ({
      id: String(number),
      timestamp: new Date(NOW + at).toISOString(),
      auth: { accessor_id: `user-${number % 2}`, description: number % 2 ? 'milo-member' : 'olive-owner' },
      resource: { type: number % 2 ? 'workspace' : 'team', id: `ws-${number}`, action },
    });
    const times = [-3 * DAY, -2 * DAY - 1, -2 * DAY, -DAY - 1, -DAY, -MINUTE];
    const actions = ['show', 'update', 'destroy', 'update', 'show', 'create'];
    const events = times.map((at, index) => event(index + 1, at, actions[index] ?? '')).reverse();
    trail.onRequest = ({ searchParams }) => {
      const since = Date.parse(searchParams.get('since') ?? '') || 0;
      return Response.json({ data: events.filter(({ timestamp }) => Date.parse(timestamp) >= since), pagination: {} });
    };
    const { stdout } = await run(['audit-trail', 'list', '--fields', 'id', ...line.split(' ')], { env: trail.env });
    expect(stdout.trim().split('\n').join(' ')).toBe(expected);
  });

  test.each<[what: string, words: string, length: number, growth: number, queries: number]>([
    ['at rest', '', 2_500, 0, 3],
    ['that grows by an event for each request', '', 2_500, 1, 3],
    ['that grows by a page once, so that a page comes again', '', 2_500, 1_000, 4],
    ['that grows by more than a page', '--page-size 2', 5, 3, 4],
    ['that ends where a page does', '', 2_000, 0, 2],
  ])('every event of a trail %s comes once', async (_what, words, length, growth, queries) => {
    const trail = await startTrail();
    trail.add(...Array.from({ length }, (_, index) => index - length));
    const [none, some] = [[], Array<number>(growth).fill(MINUTE)];
    trail.onRequest = () => void trail.add(...(trail.queries.length === 1 || growth === 1 ? some : none));
    const argv = `audit-trail list --fields id ${words}`.trim().split(' ');
    const { code, stdout } = await run(argv, { env: trail.env });
    const ids = stdout.trim().split('\n');
    const before = ids.filter((id) => Number(id.slice('event-'.length)) <= length);
    expect({ code, queries: trail.queries.length }).toEqual({ code: 0, queries });
    expect(before).toEqual(Array.from({ length }, (_, index) => `event-${length - index}`));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('ends with 10 for pages that come to no end', async () => {
    const trail = await startTrail();
    const data = trail.add(...Array.from({ length: 5 }, (_, index) => index - 5)).slice(3);
    const list = () => run(['audit-trail', 'list', '--page-size', '2', '-o', 'json'], { env: trail.env });
    for (const pagination of [{ next_page: 2, total_pages: 2 }, { next_page: 2 }]) {
      trail.onRequest = () => Response.json({ data, pagination });
      expect(await list()).toMatchObject({
        code: 10,
        stdout: '',
        stderr: expect.stringContaining('grew while it was read'),
      });
    }
    // Each page has new events, for ever.
    trail.onRequest = () => void trail.add(...Array<number>(4).fill(MINUTE));
    expect(await list()).toMatchObject({ code: 10, stdout: '' });
  });

  test('the token of another organization is 2, as far as the service says whose it is', () =>
    transcript()`
      $ AS=org-token audit-trail list --org globex
      ! orgctl: this token belongs to acme, so it can't read the audit trail of globex
      !   → The token decides whose trail is read. Leave out --org, or use a token of that organization.
      = 2
      $ AS=org-token ORGCTL_ORG=globex audit-trail follow --cursor acme.json --once
      ! orgctl: this token belongs to acme, so it can't read the audit trail of globex
      !   → The token decides whose trail is read. Leave out --org, or use a token of that organization.
      = 2
      $ AS=org-token audit-trail list --org ACME --limit 1 --fields id
      request-1
    `);
});
