import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openWorkshop, readRecipe, toRecipePath, type Workshop } from './workshop.ts';

/** The trail followed into a file: by systemd, and beside rotations of the token that it is read with. */

const UNITS = ['follow-audit-trail.service', 'archive-audit-trail.service', 'archive-audit-trail.timer'] as const;
const [SERVICE, ONESHOT, TIMER] = UNITS.map((name) => readRecipe(`systemd/${name}`)) as [string, string, string];
const PROGRAM = '/usr/local/libexec/follow-audit-trail';
const SCRIPT = toRecipePath('systemd/follow-audit-trail');
const ANALYZE = 'systemd-analyze';
const hasAnalyze = spawnSync(ANALYZE, ['--version']).status === 0;
const ROTATIONS = 5;
/** Milliseconds. A follower waits up to a minute for a new token. */
const WAIT = { timeout: 60_000, interval: 100 };

function readSetting(unit: string, name: string): readonly string[] {
  return [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

/** Starts a service as systemd would, with every absolute path below the workshop. */
function install(workshop: Workshop, unit: string) {
  const at = (path: string): string => join(workshop.folder, path);
  const environment = readSetting(unit, 'Environment').map((entry) => {
    const [name = '', value = ''] = entry.split('=');
    return [name, at(value.replace('%S', '/var/lib').replace('%L', '/var/log'))] as const;
  });
  const secret = at('/etc/siem/audit-token');
  for (const folder of ['/var/lib/orgctl', '/var/log/orgctl', '/etc/orgctl', '/etc/siem'])
    mkdirSync(at(folder), { recursive: true, mode: 0o700 });
  const config = JSON.parse(readRecipe('systemd/config.json').replace('/etc/siem/audit-token', secret));
  // The service is another, and the token-command is for the service that is stored with it.
  const stored = { ...config, 'base-url': workshop.env['ORGCTL_BASE_URL'] };
  writeFileSync(at('/etc/orgctl/config.json'), JSON.stringify(stored), { mode: 0o644 });
  const [, ...options] = readSetting(unit, 'ExecStart')[0]?.split(' ') ?? [];
  const { ORGCTL_BASE_URL: _stored, ...machine } = workshop.env;
  const env = { ...machine, ...Object.fromEntries(environment) };
  const archive = at('/var/log/orgctl/acme.ndjson');
  return { secret, archive, start: () => workshop.start(SCRIPT, options, env) };
}

function readIds(archive: string): readonly string[] {
  const text = existsSync(archive) ? readFileSync(archive, 'utf8') : '';
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).id]));
}

/** Until the file has all events of now, each once and in their order. Looking at a token makes more of them. */
async function untilAllAre(workshop: Workshop, archive: string): Promise<void> {
  const events = await workshop.listEvents();
  await vi.waitFor(() => expect(readIds(archive).slice(0, events.length)).toEqual(events), WAIT);
}

test('the services start the script, share its cursor, and differ in --once', () => {
  expect(statSync(SCRIPT).mode & 0o111).toBe(0o111);
  expect(readSetting(SERVICE, 'ExecStart')).toEqual([PROGRAM]);
  expect(readSetting(ONESHOT, 'ExecStart')).toEqual([`${PROGRAM} --once`]);
  for (const name of ['User', 'Environment', 'StateDirectory', 'LogsDirectory', 'ProtectSystem', 'UMask']) {
    expect(readSetting(ONESHOT, name)).toEqual(readSetting(SERVICE, name));
  }
  expect(readSetting(SERVICE, 'Environment')).toContain('ORGCTL_CONFIG_DIR=/etc/orgctl');
  expect(readSetting(TIMER, 'OnCalendar')).toEqual(['*:0/15']);
  // Where the other service delivers it.
  const rotation = readRecipe('systemd/rotate-audit-token.service');
  expect(JSON.parse(readRecipe('systemd/config.json'))['token-command']).toBe('cat /etc/siem/audit-token');
  expect(readSetting(rotation, 'Environment')).toContain('AUDIT_TOKEN_FILE=/etc/siem/audit-token');
  expect(readSetting(rotation, 'User')).toEqual(readSetting(SERVICE, 'User'));
});

test.skipIf(!hasAnalyze)('systemd understands the units (needs systemd-analyze)', async () => {
  const workshop = await openWorkshop();
  const program = workshop.write('follow-audit-trail', '#!/bin/sh\n');
  chmodSync(program, 0o755);
  const paths = UNITS.map((name) =>
    workshop.write(
      name,
      readRecipe(`systemd/${name}`)
        .replace(`ExecStart=${PROGRAM}`, `ExecStart=${program}`)
        .replace(/^User=.*\n/m, ''),
    ),
  );
  const { status, stdout, stderr } = spawnSync(ANALYZE, ['verify', '--man=no', ...paths], { encoding: 'utf8' });
  const complaints = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('audit-trail'));
  expect({ status, complaints }, stderr).toEqual({ status: 0, complaints: [] });
});

test('the timer appends what is new, each event once', async () => {
  const workshop = await openWorkshop();
  const { secret, archive, start } = install(workshop, ONESHOT);
  writeFileSync(secret, workshop.auditToken, { mode: 0o600 });
  for (let round = 1; round <= 3; round += 1) {
    const { code, stderr } = await start().ended;
    expect(code, stderr).toBe(0);
    expect(readIds(archive)).toEqual(await workshop.listEvents());
    if (round === 2) await workshop.readTokenId();
  }
});

test('the service goes on through rotations into its file, and a stop is no failure', async () => {
  // What the test asks by itself counts too.
  const workshop = await openWorkshop(['--rate-limit', '0']);
  const { secret, archive, start } = install(workshop, SERVICE);
  const env = { ...workshop.env, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: workshop.owner };
  const rotate = async (): Promise<void> => {
    const argv = ['audit-token', 'rotate', '--expires', '90d', '--to', `file:${secret}`, '--yes'];
    const { code, stderr } = await workshop.run('orgctl', argv, env);
    expect(code, stderr).toBe(0);
  };
  await rotate();
  const service = start();
  for (let count = 1; count <= ROTATIONS; count += 1) {
    await rotate();
    await workshop.readTokenId();
  }
  await untilAllAre(workshop, archive);
  service.child.kill('SIGTERM');
  const { code, stderr } = await service.ended;
  expect(readSetting(SERVICE, 'SuccessExitStatus'), stderr).toEqual([String(code)]);
  expect(stderr).not.toContain(readFileSync(secret, 'utf8'));
});

test('rotate-and-follow.sh rotates when it is due and loses no event', async () => {
  const workshop = await openWorkshop();
  const state = join(workshop.folder, 'audit');
  const archive = join(workshop.folder, 'audit.ndjson');
  mkdirSync(state, { mode: 0o700 });
  const env = {
    ...workshop.env,
    ORGCTL_ORG: 'acme',
    ORGCTL_TOKEN_FILE: workshop.write('owner-token', `${workshop.owner}\n`),
    AUDIT_STATE: state,
    ROTATE_EVERY: '0.5',
  };
  const script = toRecipePath('rotate-and-follow.sh');
  const running = workshop.start('sh', ['-c', `exec sh '${script}' >> '${archive}'`], env);
  const readSecret = (): string => readFileSync(join(state, 'audit-token'), 'utf8');
  await untilAllAre(workshop, archive);
  for (let count = 1; count <= 3; count += 1) {
    const before = readSecret();
    // Its token is refused from now on, so that the next look at it makes another.
    await workshop.replaceToken();
    await vi.waitFor(async () => {
      expect(readSecret()).not.toBe(before);
      expect(await workshop.isInForce(readSecret())).toBe(true);
    }, WAIT);
  }
  running.child.kill('SIGTERM');
  const { code, stdout, stderr } = await running.ended;
  expect({ code, stdout }, stderr).toEqual({ code: 143, stdout: '' });
  expect(stderr).not.toContain(readSecret());
  // What came last is read by the next run, which rotates nothing.
  const posts = workshop.countPosts();
  const again = workshop.start('sh', ['-c', `exec sh '${script}' >> '${archive}'`], { ...env, ROTATE_EVERY: '1d' });
  await vi.waitFor(async () => expect(readIds(archive)).toEqual(await workshop.listEvents()), WAIT);
  again.child.kill('SIGTERM');
  await again.ended;
  expect([workshop.countPosts() - posts, posts]).toEqual([0, 4]);
});
