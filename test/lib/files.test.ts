import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writePrivateFile } from '../../src/lib/files.ts';
import { createFolder } from '../support/files.ts';

const HAS_MODES = process.platform !== 'win32';

test('writePrivateFile replaces a file as a whole, and a leftover with it', () => {
  const folder = createFolder();
  const path = join(folder, 'state.json');
  writeFileSync(path, 'old', { mode: 0o644 });
  writeFileSync(join(folder, '.state.json.orgctl'), 'half');
  writePrivateFile(path, 'new');
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(readdirSync(folder)).toEqual(['state.json']);
  if (HAS_MODES) expect(statSync(path).mode & 0o777).toBe(0o600);
});

test.runIf(HAS_MODES)('writePrivateFile follows no planted link', () => {
  const folder = createFolder();
  const other = join(folder, 'other');
  symlinkSync(other, join(folder, '.state.json.orgctl'));
  symlinkSync(other, join(folder, 'state.json'));
  writePrivateFile(join(folder, 'state.json'), 'new');
  expect(existsSync(other)).toBe(false);
});
