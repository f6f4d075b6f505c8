import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeLeftovers, writePrivateFile } from '../../src/lib/files.ts';
import { createFolder } from '../support/files.ts';
import { CAN_MOUNT, createDisk, fillDisk, mountFile } from '../support/mounts.ts';

/** Of state.json. */
const LEFTOVER = '.state.json.0123456789abcdef.orgctl';
const HAS_MODES = process.platform !== 'win32';

test('writePrivateFile replaces a file as a whole, and a leftover with it', () => {
  const folder = createFolder();
  const path = join(folder, 'state.json');
  writeFileSync(path, 'old', { mode: 0o644 });
  writeFileSync(join(folder, LEFTOVER), 'half');
  writePrivateFile(path, 'new');
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(readdirSync(folder)).toEqual(['state.json']);
  if (HAS_MODES) expect(statSync(path).mode & 0o777).toBe(0o600);
});

test.runIf(HAS_MODES)('writePrivateFile follows no planted link', () => {
  const folder = createFolder();
  const other = join(folder, 'other');
  for (const name of [LEFTOVER, 'state.json']) symlinkSync(other, join(folder, name));
  writePrivateFile(join(folder, 'state.json'), 'new');
  expect(existsSync(other)).toBe(false);
});

test.runIf(CAN_MOUNT)('writePrivateFile writes in place on a full disk; what does not fit changes nothing', () => {
  const disk = createDisk();
  const path = join(disk, 'state.json');
  writeFileSync(path, 'old'.repeat(1_000));
  fillDisk(disk);
  writePrivateFile(path, 'new');
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(() => writePrivateFile(path, 'long'.repeat(4_000))).toThrow(expect.objectContaining({ code: 'ENOSPC' }));
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(() => writePrivateFile(join(disk, 'other'), 'new')).toThrow(expect.objectContaining({ code: 'ENOSPC' }));
  expect(readdirSync(disk)).toEqual(['filler', 'state.json']);
});

test.runIf(CAN_MOUNT)('writePrivateFile writes a mounted file in place, and follows no link even then', () => {
  const folder = createFolder();
  const [origin, path] = [join(folder, 'origin'), join(folder, 'state.json')];
  for (const file of [origin, path]) writeFileSync(file, 'older');
  mountFile(origin, path);
  writePrivateFile(path, 'new');
  expect(readFileSync(origin, 'utf8')).toBe('new');
  const disk = createDisk();
  symlinkSync(origin, join(disk, 'link'));
  fillDisk(disk);
  expect(() => writePrivateFile(join(disk, 'link'), 'secret')).toThrow(expect.objectContaining({ code: 'ENOSPC' }));
  expect(readFileSync(origin, 'utf8')).toBe('new');
});

test('removeLeftovers removes what a killed run left, if it can', () => {
  const folder = createFolder();
  writeFileSync(join(folder, LEFTOVER), 'half');
  const others = ['.state.json.orgctl', `.other${LEFTOVER.slice('.state.json'.length)}`, `${LEFTOVER}.bak`];
  for (const name of others) writeFileSync(join(folder, name), '');
  for (const name of ['state.json', 'no/folder']) removeLeftovers(join(folder, name));
  expect(readdirSync(folder).toSorted()).toEqual(others.toSorted());
});
