import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { getRecipePath, openWorkshop, readRecipe, type Workshop } from './workshop.ts';

const UNITS = [
  'rotate-audit-token.service',
  'rotate-audit-token.timer',
  'follow-audit-trail.service',
  'archive-audit-trail.service',
  'archive-audit-trail.timer',
];
const ANALYZE = 'systemd-analyze';
const hasAnalyze = spawnSync(ANALYZE, ['--version']).status === 0;

function readSetting(unit: string, name: string): string[] {
  return [...readRecipe(`systemd/${unit}`).matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

/** Starts a service as systemd would, with every absolute path below the workshop. */
async function startUnit({ at, run, service }: Workshop, unit: string, script: string) {
  const environment = readSetting(unit, 'Environment').map((entry) => {
    const [name = '', value = ''] = entry.split('=');
    const path = value.replace('%S', '/var/lib').replace('%L', '/var/log');
    return [name, path.startsWith('/') ? at(path) : path];
  });
  for (const folder of ['var/lib/orgctl', 'var/log/orgctl', 'etc/orgctl', 'etc/siem', 'run'])
    mkdirSync(at(folder), { recursive: true, mode: 0o700 });
  writeFileSync(at('run/token'), `${service.sandbox.tokenFor('owner', 'acme')}\n`, { mode: 0o400 });
  const [, ...options] = readSetting(unit, 'ExecStart')[0]?.split(' ') ?? [];
  const env = { ORGCTL_TOKEN: '', ...Object.fromEntries(environment), CREDENTIALS_DIRECTORY: at('run') };
  expect(statSync(getRecipePath(script)).mode & 0o111).toBe(0o111);
  return await run(getRecipePath(script), options, env).ended;
}

test.skipIf(!hasAnalyze)('systemd understands the units (needs systemd-analyze)', async () => {
  const workshop = await openWorkshop();
  const paths = UNITS.map((unit) =>
    workshop.write(
      unit,
      readRecipe(`systemd/${unit}`)
        .replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true')
        .replace(/^User=.*\n/m, ''),
    ),
  );
  const { stdout, stderr } = spawnSync(ANALYZE, ['verify', '--man=no', ...paths], { encoding: 'utf8' });
  expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes('audit-t'))).toEqual([]);
});

test('the services fit together, and a restart is for what may pass', () => {
  const [rotate = '', , follow = '', archive = ''] = UNITS;
  for (const name of ['User', 'Environment', 'StateDirectory', 'LogsDirectory', 'ProtectSystem', 'UMask'])
    expect(readSetting(archive, name)).toEqual(readSetting(follow, name));
  expect(readSetting(rotate, 'User')).toEqual(readSetting(follow, 'User'));
  expect(readSetting(rotate, 'Environment')).toContain('AUDIT_TOKEN_FILE=/etc/siem/audit-token');
  expect(JSON.parse(readRecipe('systemd/config.json'))['token-command']).toBe('cat /etc/siem/audit-token');
  expect(readSetting(rotate, 'RestartPreventExitStatus')).toEqual(['1 2 3 4 5 6 7 13 14']);
  expect(readSetting(follow, 'SuccessExitStatus')).toEqual(['143']);
});

test('a service rotates the token into its file, and another appends the trail, each event once', async () => {
  const workshop = await openWorkshop();
  const { at, service, env } = workshop;
  const rotated = await startUnit(workshop, 'rotate-audit-token.service', 'systemd/rotate-audit-token');
  expect(rotated.code, rotated.stderr).toBe(0);
  expect(readFileSync(at('etc/siem/audit-token'), 'utf8')).toBe(service.secretOf());
  expect(statSync(at('etc/siem/audit-token')).mode & 0o777).toBe(0o600);
  expect(rotated.stdout + rotated.stderr).not.toContain(service.secretOf());

  // The service is another, and the token-command is for the service that is stored with it.
  const config = JSON.parse(readRecipe('systemd/config.json').replace('/etc/siem', at('etc/siem')));
  const stored = { ...config, 'base-url': env.ORGCTL_BASE_URL };
  writeFileSync(at('etc/orgctl/config.json'), JSON.stringify(stored), { mode: 0o644 });
  const { body } = await service.ask('GET', '/organization/audit-trail', 'org-token');
  const ids = (body as { data: { id: string }[] }).data.map(({ id }) => id).reverse();
  for (let round = 1; round <= 2; round += 1) {
    const { code, stderr } = await startUnit(workshop, 'archive-audit-trail.service', 'systemd/follow-audit-trail');
    expect(code, stderr).toBe(0);
    const lines = readFileSync(at('var/log/orgctl/acme.ndjson'), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(ids);
  }
});
