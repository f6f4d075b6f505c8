import { readFile, stat } from 'node:fs/promises';
import type { Target } from './target.ts';

/** Whether something is mounted on the file itself, as containers do with single files: it cannot be renamed over. */
export async function isMountPoint({ path, folder, stats }: Target): Promise<boolean> {
  if (stats === undefined) return false;
  if (stats.dev !== (await stat(folder)).dev) return true;
  // A mount from the same file system has the same device number. Only Linux has this list, and such mounts.
  const list = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  return toMountPoints(list).includes(path);
}

function toMountPoints(list: string): readonly string[] {
  return list.split('\n').flatMap((line) => {
    const written = line.split(' ')[4];
    return written === undefined ? [] : [toText(written)];
  });
}

/** Space, tab, newline and backslash are written there as three octal digits; the rest is bytes as they are. */
function toText(written: string): string {
  return written.replace(/\\([0-7]{3})/g, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
