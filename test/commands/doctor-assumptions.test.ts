import { expect, test } from 'vitest';
import type { AssumptionRow } from '../../src/commands/doctor/columns.ts';
import { run } from '../support/run.ts';
import { answer, startScripted } from '../support/scripted.ts';
import { serve } from '../support/served.ts';

async function tryAll(env: Readonly<Record<string, string | undefined>>) {
  const { code, stdout } = await run(['doctor', '--assumptions', '-o', 'json'], { env: env as Record<string, string> });
  return { code, stdout, rows: JSON.parse(stdout) as readonly AssumptionRow[] };
}

test('what the sandbox plays holds there, and no name, id or token is shown', async () => {
  const served = await serve();
  const { code, stdout, rows } = await tryAll(served.as('owner'));
  expect(rows.filter(({ holds }) => holds !== 'yes')).toEqual([]);
  expect(rows.length).toBeGreaterThan(20);
  expect(new Set(rows.map(({ assumption }) => assumption)).size).toBe(rows.length);
  expect(code).toBe(0);
  expect(stdout).not.toMatch(/acme|olive|example\.com|sandbox\.|ou-\w|127\.0\.0\.1/);
});

test('of a service with nothing beyond the document it says what it cannot know', async () => {
  const served = await serve(['--document-only']);
  const { code, rows } = await tryAll(served.as('owner'));
  const missing = rows.filter(({ status }) => status === 404);
  expect(missing.map(({ assumption }) => assumption)).toContain('there is a route /account/details');
  expect(new Set(missing.map(({ holds }) => holds))).toEqual(new Set(['unknown']));
  expect(code).toBe(0);
});

test('what another service does otherwise is said, and ends with 13', async () => {
  const body = { data: [{ type: 'organization-memberships', id: 'ou-l000000000000000' }] };
  const scripted = await startScripted(answer(200, body));
  const env = { ORGCTL_BASE_URL: `${scripted.origin}/api/v2`, ORGCTL_TOKEN: 'a-token', ORGCTL_ORG: 'acme' };
  const { code, rows } = await tryAll(env);
  const wrong = rows.filter(({ holds }) => holds === 'no').map(({ assumption }) => assumption);
  expect(wrong).toContain('a list has its total under meta.pagination.total-count');
  expect(wrong).toContain('ids have no letter that looks like another (0 O I l)');
  expect(code).toBe(13);
});

test('it is about one organization', async () => {
  const { code, stderr } = await run(['--sandbox', 'doctor', '--assumptions', '--all-orgs']);
  expect(code).toBe(2);
  expect(stderr).toContain('use --assumptions or --all-orgs, not both');
});
