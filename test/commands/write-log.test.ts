import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder, permissions } from '../support/files.ts';
import { startService } from '../support/service.ts';

const POST = ['api', 'POST', 'organizations/acme/registry-providers', '--input', '-'];
const attributes = { name: 'null', namespace: 'hashicorp', 'registry-name': 'public' };
const stdin = JSON.stringify({ data: { type: 'registry-providers', attributes } });

function createLog() {
  const path = join(createFolder(), 'writes.ndjson');
  const text = (): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  const lines = () =>
    text()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { path, env: { ORGCTL_LOG_FILE: path }, text, lines };
}

test('logs a line before a write is sent and one after its answer', async () => {
  const log = createLog();
  const seen: unknown[] = [];
  const service = await startService({
    alter(answer) {
      seen.push(log.lines());
      return answer;
    },
  });
  expect(await service.run(POST, { env: log.env, stdin })).toMatchObject({ code: 0 });
  const [sent, answered, ...more] = log.lines();
  expect(sent).toEqual({
    time: '2026-11-21T09:00:00.000Z',
    id: expect.stringMatching(/^[0-9a-f]{16}$/),
    event: 'sent',
    user: 'tester',
    host: 'machine',
    pid: 4711,
    method: 'POST',
    path: '/organizations/acme/registry-providers',
    what: 'send POST /organizations/acme/registry-providers',
    organization: 'acme',
  });
  expect(answered).toEqual({ time: '2026-11-21T09:00:00.000Z', id: sent?.['id'], event: 'answered', result: 'ok' });
  expect({ more, seen }).toEqual({ more: [], seen: [[sent]] });
  if (process.platform !== 'win32') expect(permissions(log.path)).toBe(0o600);
});

test('readings, dry runs, and writes that are refused here have none', async () => {
  const log = createLog();
  const service = await startService();
  await service.run(['api', 'organizations/acme/teams'], log);
  await service.run([...POST, '--dry-run'], { env: log.env, stdin });
  await service.run(POST, { env: { ...log.env, ORGCTL_READ_ONLY: '1' }, stdin });
  expect(existsSync(log.path)).toBe(false);
});

test('no secret of a query, a path or a body is in it', async () => {
  const log = createLog();
  const service = await startService();
  const token = 'of-my-own-0123456789';
  const argv = ['api', 'POST', `things/${token}`, '-f', 'key=s3cret', '--input', '-'];
  const env = { ...log.env, ORGCTL_TOKEN: token };
  const options = { env, stdin: '{"password":"hunter22"}' };
  const { code, stderr } = await service.run([...argv, '-o', 'json'], options);
  expect(code).toBe(5);
  expect(stderr + (await service.run([...argv, '--debug'], options)).stderr).not.toMatch(/hunter22|of-my-own/);
  expect(log.text()).not.toMatch(/s3cret|hunter22|of-my-own/);
  expect(log.lines()).toMatchObject([{ path: '/things/[removed]' }, { result: 'not-found' }, {}, {}]);
});

test.each([
  ['was limited, and sent again', '429', 'ok', 0],
  ['was refused', '422', 'rejected', 7],
  ['broke off', 'reset-after-commit', 'outcome-unknown', 11],
])('a write that %s has one pair of lines', async (_name, fault, result, code) => {
  const log = createLog();
  const service = await startService({ faults: [`POST registry-providers: nth=1 ${fault}`] });
  expect(await service.run(POST, { env: log.env, stdin })).toMatchObject({ code });
  expect(log.lines()).toMatchObject([{ event: 'sent' }, { event: 'answered', result }]);
});

test('if the first line cannot be written, nothing is sent', async () => {
  const folder = createFolder();
  const service = await startService();
  for (const path of [folder, join(folder, 'missing', 'log')]) {
    const env = { ORGCTL_LOG_FILE: path };
    for (const argv of [POST, ['providers', 'create', 'hashicorp/null']]) {
      const { code, stderr } = await service.run(argv, { env, stdin });
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`can't write`) });
      expect(stderr).toContain(path);
    }
    expect(await service.run(['feature-sets', 'list'], { env })).toMatchObject({ code: 0, stderr: '' });
  }
  expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('if the second cannot, the result is printed all the same, with a warning', async () => {
  const log = createLog();
  const service = await startService({
    alter(answer) {
      renameSync(log.path, `${log.path}.1`);
      mkdirSync(log.path);
      return answer;
    },
  });
  const { code, stdout, stderr } = await service.run(POST, { env: log.env, stdin });
  expect({ code, stderr }).toEqual({ code: 0, stderr: `warning: can't log the end of a write to ${log.path}\n` });
  expect(stdout).toContain('"registry-providers"');
});

test.runIf(process.platform === 'linux')('it keeps what it had, its mode and half a line too', async () => {
  const log = createLog();
  writeFileSync(log.path, '{"event":"old"}\n{"eve');
  chmodSync(log.path, 0o640);
  const service = await startService();
  await service.run(POST, { env: log.env, stdin });
  expect(log.text()).toMatch(/^{"event":"old"}\n{"eve\n{.*"event":"sent".*}\n{.*"event":"answered".*}\n$/);
  expect(permissions(log.path)).toBe(0o640);
});

test('a request for several people names each', async () => {
  const log = createLog();
  const service = await startService();
  await service.run(['teams', 'add', 'platform', 'ada-auditor', 'milo-member'], { env: log.env });
  const people = ['ada.auditor@example.com', 'milo.member@example.com'];
  expect(log.lines()[0]).toMatchObject({ what: 'add 2 people to platform', people });
});
