import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SignalName } from '../../src/old/host.ts';
import { parseFault } from '../../src/sandbox/faults.ts';
import { createFolder, makePipe, permissions } from '../support/files.ts';
import { createNames } from '../support/names.ts';
import { failed, run } from '../support/run.ts';
import { answer, startScripted } from '../support/scripted.ts';
import { startService, type TestService } from '../support/service.ts';

const POSIX = process.platform !== 'win32';
const IS_ROOT = process.getuid?.() === 0;

type Line = Readonly<Record<string, unknown>>;

function createLog(name = 'writes.ndjson') {
  const path = join(createFolder(), name);
  return {
    path,
    env: { ORGCTL_LOG_FILE: path },
    text: (): string => (existsSync(path) ? readFileSync(path, 'utf8') : ''),
    lines: (): readonly Line[] =>
      existsSync(path)
        ? readFileSync(path, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => JSON.parse(line) as Line)
        : [],
  };
}

const isWrite = ({ method }: { readonly method: string }): boolean => method !== 'GET';

/** Each command that changes something, and what its lines say. */
const WRITES: readonly (readonly [argv: string, operation: string, effect: string, method: string, path: string])[] = [
  [
    'audit-token generate --yes',
    'generate-audit-token',
    "generate acme's audit trail token",
    'POST',
    'organizations/acme/authentication-token',
  ],
  [
    'audit-token delete --yes',
    'delete-audit-token',
    "delete acme's audit trail token (created 20 days ago, never used)",
    'DELETE',
    'organizations/acme/authentication-token',
  ],
  [
    'members invite new@example.com --team platform',
    'invite-member',
    'invite new@example.com to acme (platform)',
    'POST',
    'organizations/acme/organization-memberships',
  ],
  [
    'members remove ada.auditor@example.com --yes',
    'remove-member',
    'remove ada.auditor@example.com (active; audit; 2FA off) from acme',
    'DELETE',
    'organization-memberships/ou-ada',
  ],
  [
    'providers create hashicorp/null',
    'create-provider',
    'add public/hashicorp/null to acme',
    'POST',
    'organizations/acme/registry-providers',
  ],
  [
    'providers delete public/hashicorp/aws --yes',
    'delete-provider',
    'delete public/hashicorp/aws from acme',
    'DELETE',
    'organizations/acme/registry-providers/public/hashicorp/aws',
  ],
  [
    'api DELETE /organization-memberships/ou-ada --yes',
    'remove-member',
    'send DELETE /organization-memberships/ou-ada',
    'DELETE',
    'organization-memberships/ou-ada',
  ],
];

test('ORGCTL_LOG_FILE tells tokens of any form apart, and holds none', async () => {
  const server = await startScripted(answer(404, { errors: [{ status: '404', title: 'not found' }] }));
  const lines = await Promise.all(
    ['a-token-of-another-form-1', 'a-token-of-another-form-2', 'too-short-to-tell'].map(async (token) => {
      const log = createLog();
      const env = { ...log.env, ORGCTL_BASE_URL: server.origin, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: token };
      await run(['audit-token', 'delete', '--yes'], { env });
      expect(log.text()).not.toContain(token);
      return log.lines()[0]?.['who'] as { readonly fingerprint: string | null };
    }),
  );
  expect(lines.map(({ fingerprint }) => fingerprint)).toEqual([
    expect.stringMatching(/^sha256:[0-9a-f]{16}$/),
    expect.stringMatching(/^sha256:[0-9a-f]{16}$/),
    null,
  ]);
  expect(new Set(lines.map(({ fingerprint }) => fingerprint)).size).toBe(3);
});

describe('ORGCTL_LOG_FILE has two lines for each write', () => {
  test.each(WRITES)('of %s', async (argv, operation, effect, method, path) => {
    const log = createLog();
    const seen: (readonly Line[])[] = [];
    const service = await startService({
      alter(answer, request) {
        if (isWrite(request)) seen.push(log.lines());
        return answer;
      },
    });
    const { real, plain } = await createNames(service.sandbox);
    const result = await service.run(real(argv).split(' '), { env: log.env });
    expect(result.code, result.stderr).toBe(0);
    const [sent = {}, answered = {}, ...more] = log.lines();
    expect(more).toEqual([]);
    // The first is there when the request arrives, and the second is not.
    expect(seen).toEqual([[sent]]);
    expect({ ...sent, target: plain(String(sent['target'])), effect: plain(String(sent['effect'])) }).toEqual({
      event: 'sent',
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      at: '2026-11-21T09:00:00.000Z',
      who: { user: 'tester', host: 'machine', pid: 4711, fingerprint: null, 'token-source': 'ORGCTL_TOKEN' },
      organization: argv.startsWith('api') ? null : 'acme',
      operation,
      effect,
      method,
      target: `http://127.0.0.1:PORT/api/v2/${path}`,
    });
    const isCreation = operation === 'generate-audit-token';
    expect(answered).toEqual({
      event: 'answered',
      id: sent['id'],
      at: '2026-11-21T09:00:00.000Z',
      outcome: 'done',
      status: method === 'POST' ? 201 : 204,
      'request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...(isCreation ? { fingerprint: expect.stringMatching(/^sha256:[0-9a-f]{16}$/) } : {}),
    });
    if (POSIX) expect(permissions(log.path)).toBe(0o600);
    expect(log.text()).not.toContain(service.sandbox.tokenFor('owner', 'acme'));
    if (isCreation) expect(log.text()).not.toContain(result.stdout.trim());
  });

  test('of each of several requests, with an id of its own', async () => {
    const log = createLog();
    const service = await startService();
    const resend = ['members', 'resend', 'ivan.invitee@example.com', '--yes', '-q'];
    expect(await service.run(resend, log)).toMatchObject({ code: 0 });
    expect(log.lines().map(({ event, operation, outcome }) => [event, operation ?? outcome])).toEqual([
      ['sent', 'remove-member'],
      ['answered', 'done'],
      ['sent', 'invite-member'],
      ['answered', 'done'],
    ]);
    const [one, two, three, four] = log.lines().map(({ id }) => id);
    expect([one === two, three === four, one === three]).toEqual([true, true, false]);
  });

  test('and none of readings, dry runs and refused writes', async () => {
    const log = createLog();
    const service = await startService();
    const invite = ['members', 'invite', 'new@example.com', '--team', 'platform'];
    await service.run(['members', 'list'], log);
    await service.run([...invite, '--dry-run'], log);
    await service.run(invite, { env: { ...log.env, ORGCTL_READ_ONLY: '1' } });
    expect(existsSync(log.path)).toBe(false);
  });

  test('also with the sandbox', async () => {
    const log = createLog();
    const service = await startService();
    const argv = ['--sandbox', 'members', 'invite', 'new@example.com', '--team', 'platform', '-q'];
    expect(await service.run(argv, { env: { ...log.env, ORGCTL_BASE_URL: undefined } })).toMatchObject({ code: 0 });
    expect(log.lines()[0]).toMatchObject({ event: 'sent', who: { 'token-source': '--sandbox' } });
  });

  test('and no secret of a query, a path or a body', async () => {
    const log = createLog();
    const service = await startService();
    const token = 'of-my-own-0123456789';
    const argv = ['api', 'POST', `/things/${token}`, '-f', 'key=s3cret', '--input', '-', '--yes'];
    const options = { env: { ...log.env, ORGCTL_TOKEN: token }, stdin: '{"password":"hunter22"}' };
    expect(await service.run(argv, options)).toMatchObject({ code: 5 });
    expect(log.text()).not.toMatch(/s3cret|hunter22|of-my-own/);
    expect(log.lines()).toMatchObject([
      { operation: 'generic', target: expect.stringMatching(/\/api\/v2\/things\/\[removed\]$/) },
      { outcome: 'failed', status: 404, error: 'not-found' },
    ]);
  });

  test.each([
    ['POST /organizations/acme/authentication-token -f token=audit-trails --yes', 'generate-audit-token', true],
    ['POST /organizations/acme/authentication-token --yes', 'generate-organization-token', true],
    ['POST /organizations/acme/organization-memberships --yes', 'invite-member', false],
  ])('and the name of what api %s does', async (argv, operation, isToken) => {
    const log = createLog();
    const service = await startService();
    const options = { ...log, stdin: '{"data":{"type":"authentication-token","attributes":{}}}' };
    const result = await service.run(['api', ...argv.split(' '), '--input', '-'], options);
    expect(log.lines(), result.stderr).toMatchObject([
      { event: 'sent', operation, organization: 'acme' },
      isToken && result.code === 0
        ? { event: 'answered', fingerprint: expect.stringMatching(/^sha256:/) }
        : { event: 'answered', outcome: 'failed' },
    ]);
  });
});

type Case = [name: string, prepare: (folder: string) => string, why: string, isTooOpen?: true];

describe('where a line cannot be written, nothing is sent:', () => {
  const MORE = 'Set ORGCTL_LOG_FILE to the whole path of a file that you can write, with room on its disk.';
  const cases: Case[] = [
    ['a relative path', () => 'writes.ndjson', 'it is not an absolute path'],
    ['a folder that does not exist', (folder) => join(folder, 'missing', 'log'), "its folder doesn't exist"],
    ['a folder', (folder) => folder, 'it is a folder'],
    ...(POSIX
      ? ([
          [
            'a link',
            (folder) => {
              writeFileSync(join(folder, 'real'), '', { mode: 0o600 });
              symlinkSync(join(folder, 'real'), join(folder, 'log'));
              return join(folder, 'log');
            },
            'it is a link',
          ],
          ['a named pipe', (folder) => makePipe(join(folder, 'log')), 'it is not a regular file'],
          ['a device', () => '/dev/null', 'it is not a regular file'],
          [
            'a file that others can read',
            (folder) => {
              writeFileSync(join(folder, 'log'), '');
              chmodSync(join(folder, 'log'), 0o640);
              return join(folder, 'log');
            },
            'others can read or change it',
            true,
          ],
        ] satisfies Case[])
      : []),
    ...(POSIX && !IS_ROOT
      ? ([
          [
            "another's file",
            (folder) => {
              writeFileSync(join(folder, 'log'), '');
              chmodSync(join(folder, 'log'), 0o400);
              return join(folder, 'log');
            },
            "you don't have permission",
          ],
        ] satisfies Case[])
      : []),
  ];

  test.each<Case>(cases)('%s', async (_name, prepare, why, isTooOpen = undefined) => {
    const path = prepare(createFolder());
    const hint = isTooOpen ? `Make it readable and writable by you alone.\n  $ chmod 600 ${path}` : MORE;
    const service = await startService();
    const env = { ORGCTL_LOG_FILE: path };
    const expected = (effect: string) =>
      failed(2, `orgctl: can't write to ${path} (from ORGCTL_LOG_FILE): ${why}\n  Not sent: ${effect}.\n  → ${hint}\n`);
    const create = ['providers', 'create', 'hashicorp/null'];
    expect(await service.run(create, { env })).toEqual(expected('add public/hashicorp/null to acme'));
    const before = service.sandbox.tokenFor('audit-token', 'acme');
    const rotate = await service.run(['audit-token', 'rotate', '--expires', '90d', '--to', 'file:./at'], { env });
    expect(rotate).toEqual(expected("generate acme's audit trail token"));
    expect(service.requests.filter(isWrite)).toEqual([]);
    expect(service.sandbox.tokenFor('audit-token', 'acme')).toBe(before);
    // What reads is not concerned.
    expect(await service.run(['members', 'list', '--limit', '1'], { env })).toMatchObject({ code: 0, stderr: '' });
  });

  test('the rest of several writes is not attempted', async () => {
    const log = createLog();
    const service = await startService({
      alter(answer, request) {
        if (isWrite(request)) {
          renameSync(log.path, `${log.path}.1`);
          mkdirSync(log.path);
        }
        return answer;
      },
    });
    const people = ['a', 'b', 'c'].map((name) => `${name}@example.com`);
    const result = await service.run(['members', 'invite', ...people, '--team', 'platform'], log);
    expect(result.code).toBe(10);
    expect(result.stdout.split('\n').map((line) => line.split('\t').slice(0, 2))).toEqual([
      ['invited', 'a@example.com'],
      ['failed', 'b@example.com'],
      ['not-attempted', 'c@example.com'],
      [''],
    ]);
    expect(service.requests.filter(isWrite)).toHaveLength(1);
  });
});

describe('a write that', () => {
  const invite = ['members', 'invite', 'new@example.com', '--team', 'platform'];
  const lines = async (service: TestService, argv: readonly string[], code: number) => {
    const log = createLog();
    const result = await service.run(argv, log);
    expect(result.code, result.stderr).toBe(code);
    return log.lines().map(({ at: _at, id: _id, ...line }) => line);
  };

  test('was answered with 429 and sent again has one pair of lines', async () => {
    const service = await startService({ faults: [parseFault('POST organization-memberships: nth=1 429')] });
    expect(await lines(service, invite, 0)).toEqual([
      expect.objectContaining({ event: 'sent' }),
      { event: 'answered', outcome: 'done', status: 201, 'request-id': expect.any(String), requests: 2 },
    ]);
  });

  test('was refused says so', async () => {
    const service = await startService();
    const argv = ['members', 'invite', 'new@example.com', '--team', 'platform', '--org', 'initech'];
    expect(await lines(service, argv, 7)).toEqual([
      expect.objectContaining({ event: 'sent', organization: 'initech' }),
      {
        event: 'answered',
        outcome: 'failed',
        status: 400,
        'request-id': expect.any(String),
        error: 'organization-limit',
      },
    ]);
  });

  test('broke off, and was found by reading, is done', async () => {
    const fault = parseFault('POST organization-memberships: nth=1 reset-after-commit');
    const service = await startService({ faults: [fault] });
    expect(await lines(service, invite, 0)).toEqual([
      expect.objectContaining({ event: 'sent' }),
      { event: 'answered', outcome: 'done' },
    ]);
  });

  test('nothing tells the end of is unknown', async () => {
    const service = await startService({ faults: [parseFault('POST authentication-token: reset-after-commit')] });
    expect(await lines(service, ['audit-token', 'generate', '--yes'], 11)).toEqual([
      expect.objectContaining({ event: 'sent' }),
      { event: 'answered', outcome: 'unknown', error: 'reset' },
    ]);
  });

  test('never reached the service has failed', async () => {
    const log = createLog();
    const service = await startService();
    const env = { ...log.env, ORGCTL_BASE_URL: 'http://127.0.0.1:1/api/v2' };
    const argv = ['api', 'POST', '/things', '--yes', '--max-retries', '0'];
    expect(await service.run(argv, { env })).toMatchObject({ code: 9 });
    expect(log.lines()[1]).toMatchObject({ outcome: 'failed', error: 'refused' });
  });

  test('a signal cut short is unknown', async () => {
    let send: (name: SignalName) => void = () => undefined;
    const service = await startService({
      alter(answer, request) {
        if (isWrite(request)) send('SIGTERM');
        return answer;
      },
    });
    const log = createLog();
    const argv = ['providers', 'create', 'hashicorp/null'];
    const result = await service.run(argv, { ...log, onStart: (signal) => (send = signal) });
    expect(result.code).toBe(143);
    expect(log.lines()[1]).toMatchObject({ outcome: 'unknown', error: 'terminated' });
  });

  test('was answered, and whose answer cannot be noted, is done with a warning', async () => {
    const log = createLog();
    const service = await startService({
      alter(answer, request) {
        if (isWrite(request)) {
          renameSync(log.path, `${log.path}.1`);
          mkdirSync(log.path);
        }
        return answer;
      },
    });
    const result = await service.run(['providers', 'create', 'hashicorp/null'], log);
    expect(result).toMatchObject({
      code: 0,
      stderr: `warning: can't write to ${log.path} (from ORGCTL_LOG_FILE) how this ended: add public/hashicorp/null to acme (it is a folder)\n`,
    });
  });
});

describe('the file', () => {
  const create = (name: string): readonly string[] => ['providers', 'create', `hashicorp/${name}`];

  test('may be moved away at any time', async () => {
    const log = createLog();
    const service = await startService();
    await service.run(create('one'), log);
    renameSync(log.path, `${log.path}.1`);
    await service.run(create('two'), log);
    expect(log.lines().map(({ event }) => event)).toEqual(['sent', 'answered']);
  });

  test('keeps what it had, and a torn line stands alone', async () => {
    const log = createLog();
    writeFileSync(log.path, '{"event":"sent"}\n{"event":"se', { mode: 0o600 });
    const service = await startService();
    await service.run(create('one'), log);
    const [first, torn, ...more] = log.text().split('\n');
    expect([first, torn]).toEqual(['{"event":"sent"}', '{"event":"se']);
    expect(more.filter((line) => line !== '').map((line) => (JSON.parse(line) as Line)['event'])).toEqual([
      'sent',
      'answered',
    ]);
  });
});

test.each([
  ['rotate', ['audit-token', 'rotate', '--expires', '90d', '--to', 'file:./audit-token']],
  ['generate', ['audit-token', 'generate', '--expires', '90d', '--yes']],
])('%s notes its answer once the secret is safe', async (_name, argv) => {
  const log = createLog();
  const home = createFolder();
  const service = await startService();
  const looks: { readonly lines: number; readonly kept: readonly string[] }[] = [];
  const findKept = (folder: string): readonly string[] =>
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && entry.name.startsWith('undelivered-token'))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  const host = {
    // The clock is read for each line, just before it is written.
    now: () => {
      looks.push({ lines: log.lines().length, kept: findKept(home) });
      return Date.UTC(2026, 10, 21, 9);
    },
  };
  expect(await service.run(argv, { ...log, home, host })).toMatchObject({ code: 0 });
  const secret = service.secretOf() ?? '';
  expect(
    looks
      .filter(({ lines }) => lines === 1)
      .at(-1)
      ?.kept.join(''),
  ).toContain(secret);
  expect(log.lines().map(({ event }) => event)).toEqual(['sent', 'answered']);
});
