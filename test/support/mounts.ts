import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createFolder } from './files.ts';

/** Runs a line of shell. */
const run = (line: string, ...words: string[]) => spawnSync('sh', ['-c', line, 'sh', ...words], { encoding: 'utf8' });

/** Root alone can mount, and not in every container. */
export const CAN_MOUNT = run('unshare --mount mount -t tmpfs tmpfs /mnt').status === 0;
if (!CAN_MOUNT)
  process.stderr.write('tests of mounted files and full disks are left out: mounting takes root on Linux\n');

function mount(...words: string[]): void {
  const { status, stderr } = run('mount "$@"', ...words);
  if (status !== 0) throw new Error(stderr);
}

function unmountLater(at: string): void {
  onTestFinished(() => void run('umount -l "$1"', at));
}

export function createDisk(size = '64k'): string {
  const disk = createFolder();
  mount('-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk);
  unmountLater(disk);
  return disk;
}

/** Shows the file `from` at the path of the file `at`. */
export function mountFile(from: string, at: string): void {
  mount('--bind', from, at);
  unmountLater(at);
}

export function makeReadOnly(at: string): void {
  mount('-o', 'remount,bind,ro', at);
}

export function fillDisk(disk: string): void {
  const file = openSync(join(disk, 'filler'), 'w');
  try {
    for (;;) writeSync(file, Buffer.alloc(1_024));
  } catch {
    closeSync(file);
  }
}
