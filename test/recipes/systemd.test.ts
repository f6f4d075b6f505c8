import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectDelivered } from './job.ts';
import { openWorkshop, readRecipe, readResult, toRecipePath, type Workshop } from './workshop.ts';

const service = readRecipe('systemd/rotate-audit-token.service');
const timer = readRecipe('systemd/rotate-audit-token.timer');
const SCRIPT = toRecipePath('systemd/rotate-audit-token');
const PREVENTED = readSetting(service, 'RestartPreventExitStatus')[0]?.split(' ').map(Number);
const ANALYZE = 'systemd-analyze';
const hasAnalyze = spawnSync(ANALYZE, ['--version']).status === 0;

/** Of a unit, the values of a setting. */
function readSetting(unit: string, name: string): readonly string[] {
  return [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

interface Machine {
  readonly tokenFile: string;
  start(): Promise<Awaited<ReturnType<Workshop['run']>>>;
}

/** Starts the service as systemd would, with every absolute path below the workshop. */
function install(workshop: Workshop): Machine {
  const at = (path: string): string => join(workshop.folder, path);
  const environment = readSetting(service, 'Environment').map((entry) => {
    const [name = '', value = ''] = entry.split('=');
    const path = value.replace('%S', '/var/lib');
    return [name, path.startsWith('/') ? at(path) : path];
  });
  const [credential, source] = readSetting(service, 'LoadCredential')[0]?.split(':') ?? [];
  expect([credential, source]).toEqual(['token', '/etc/orgctl/token']);
  mkdirSync(at('/run/credentials'), { recursive: true });
  writeFileSync(at(`/run/credentials/${credential}`), `${workshop.owner}\n`, { mode: 0o400 });
  for (const folder of readSetting(service, 'ReadWritePaths')) mkdirSync(at(folder), { recursive: true });
  const env = {
    ...workshop.env,
    ...(Object.fromEntries(environment) as Readonly<Record<string, string>>),
    CREDENTIALS_DIRECTORY: at('/run/credentials'),
  };
  return { tokenFile: at('/etc/siem/audit-token'), start: () => workshop.run(SCRIPT, [], env) };
}

test('the service starts the script, and keeps its state where systemd makes it', () => {
  expect(statSync(SCRIPT).mode & 0o111).toBe(0o111);
  expect(readSetting(service, 'ExecStart')).toEqual(['/usr/local/libexec/rotate-audit-token']);
  expect(readSetting(service, 'StateDirectory')).toEqual(['orgctl']);
  expect(readSetting(service, 'Environment')).toContain('ORGCTL_STATE_DIR=%S/orgctl');
  expect(readSetting(service, 'Restart')).toEqual(['on-failure']);
  expect(readSetting(timer, 'OnCalendar')).toEqual(['daily']);
});

test.skipIf(!hasAnalyze)('systemd understands the units (needs systemd-analyze)', async () => {
  const workshop = await openWorkshop();
  const program = workshop.write('rotate-audit-token', '#!/bin/sh\n');
  chmodSync(program, 0o755);
  const paths = [
    workshop.write(
      'rotate-audit-token.service',
      service.replace('/usr/local/libexec/rotate-audit-token\n', `${program}\n`).replace(/^User=.*\n/m, ''),
    ),
    workshop.write('rotate-audit-token.timer', timer),
  ];
  const { status, stdout, stderr } = spawnSync(ANALYZE, ['verify', '--man=no', ...paths], {
    encoding: 'utf8',
  });
  const complaints = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('rotate-audit-token'));
  expect({ status, complaints }, stderr).toEqual({ status: 0, complaints: [] });
});

test('the file has the token in force, and is left alone while there is time', async () => {
  const workshop = await openWorkshop();
  const machine = install(workshop);
  const first = await machine.start();
  expect(first.code, first.stderr).toBe(0);
  const secret = readFileSync(machine.tokenFile, 'utf8');
  await expectDelivered(workshop, secret);
  expect(statSync(machine.tokenFile).mode & 0o777).toBe(0o600);
  expect(readResult(first)).toEqual({ id: await workshop.readTokenId(), changed: true });

  const second = await machine.start();
  expect(second.code, second.stderr).toBe(0);
  expect(readResult(second).changed).toBe(false);
  expect([workshop.countPosts(), readFileSync(machine.tokenFile, 'utf8')]).toEqual([1, secret]);
  expect(first.stdout + first.stderr + second.stdout + second.stderr).not.toContain(secret);
  expect(workshop.findFilesWith(secret)).toEqual(['etc/siem/audit-token']);
});

test('requests without an answer are looked into by the restart', async () => {
  const lost = ['1', '2'].flatMap((nth) => ['--fault', `POST authentication-token: nth=${nth} reset-after-commit`]);
  const workshop = await openWorkshop(lost);
  const machine = install(workshop);
  const first = await machine.start();
  expect(first.code, first.stderr).toBe(11);
  expect(PREVENTED).not.toContain(first.code);
  const second = await machine.start();
  expect(second.code, second.stderr).toBe(0);
  await expectDelivered(workshop, readFileSync(machine.tokenFile, 'utf8'));
  expect(workshop.countPosts()).toBe(3);
});

test('what only a person can mend is not tried again', async () => {
  const workshop = await openWorkshop(['--fault', 'POST authentication-token: 403']);
  const { code, stderr } = await install(workshop).start();
  expect(PREVENTED, stderr).toContain(code);
});

test('a file with another token makes a new one due', async () => {
  const workshop = await openWorkshop();
  const machine = install(workshop);
  await machine.start();
  writeFileSync(machine.tokenFile, 'another');
  const ended = await machine.start();
  expect(ended.code, ended.stderr).toBe(0);
  expect(readResult(ended).changed).toBe(true);
  await expectDelivered(workshop, readFileSync(machine.tokenFile, 'utf8'));
});
