import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlace, orgctl } from '../support/shipped.ts';

/** Folders that are no whole path: nothing of orgctl's is put where it happens to run. */

test.each([
  [{ HOME: 'home' }, 'there is no home folder to keep files in'],
  [{ HOME: '.', XDG_CONFIG_HOME: 'c', XDG_STATE_HOME: 's' }, 'there is no home folder to keep files in'],
  [{ ORGCTL_CONFIG_DIR: 'own' }, "ORGCTL_CONFIG_DIR must be an absolute path, not 'own'"],
  [{ ORGCTL_STATE_DIR: 'own' }, "ORGCTL_STATE_DIR must be an absolute path, not 'own'"],
])('%j', async (more, message) => {
  const { env, home } = createPlace();
  const cwd = join(home, 'work');
  mkdirSync(cwd);
  const argv = 'ORGCTL_STATE_DIR' in more ? ['--sandbox', 'teams', 'list'] : ['settings', 'set', 'org', 'acme'];
  const { code, stdout, stderr } = await orgctl(argv, { env: { ...env, ...more }, cwd });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(`orgctl: ${message}\n`);
  expect(readdirSync(cwd)).toEqual([]);
});
