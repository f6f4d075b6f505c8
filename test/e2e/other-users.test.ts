import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ORGCTL } from '../support/shipped.ts';

/** Whatever the umask says, others can't read what orgctl writes, and a token that others can read is not used. */

function createHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'orgctl-others-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

function act(home: string, line: string) {
  const env = { PATH: process.env['PATH'], HOME: home, ORGCTL_CONFIG_DIR: join(home, 'config') };
  const state = { ORGCTL_STATE_DIR: join(home, 'state'), NODE_DISABLE_COMPILE_CACHE: '1' };
  const argv = ['-c', `umask 000; exec "$0" "$@"`, process.execPath, ORGCTL, ...line.split(' ')];
  const { status, stderr } = spawnSync('/bin/sh', argv, { env: { ...env, ...state }, encoding: 'utf8' });
  return { code: status, stderr };
}

const POSIX = process.platform !== 'win32';

test.runIf(POSIX)('others can read nothing of it', () => {
  const home = createHome();
  for (const line of [
    'settings set org acme',
    '--sandbox members list',
    `--sandbox --org initech audit-token rotate --expires 90d --to file:${join(home, 'token')} --yes`,
  ]) {
    expect(act(home, line)).toMatchObject({ code: 0 });
  }
  const made = readdirSync(home, { recursive: true, encoding: 'utf8' });
  expect(made.length).toBeGreaterThan(5);
  expect(made.filter((name) => (statSync(join(home, name)).mode & 0o077) !== 0)).toEqual([]);
});

test.runIf(POSIX)('a file of credentials that others can read is refused', () => {
  const home = createHome();
  expect(act(home, 'settings set org acme')).toMatchObject({ code: 0 });
  const path = join(home, 'config', 'credentials.json');
  spawnSync('/bin/sh', ['-c', `echo '{"version":1}' > "$0"`, path]);
  chmodSync(path, 0o640);
  expect(act(home, 'members list')).toEqual({
    code: 2,
    stderr: expect.stringContaining(`other users can read ${path}`),
  });
});
