import { lstatSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../errors.ts';
import type { Host } from '../host.ts';
import { MOST_LINKS } from './look.ts';
import { HAS_PERMISSIONS } from './permissions.ts';

/** Other users than this one and root, and what they could put in place of a file. */

type Person = Pick<Host, 'user' | 'env'>;

interface Words {
  /** Ends the sentence that begins with what is wrong. */
  readonly so: string;
  readonly reasons?: readonly string[];
  readonly hint: string;
}

interface Entry {
  readonly path: string;
  readonly status: Stats;
}

const [GROUP_WRITES, OTHERS_WRITE] = [0o020, 0o002];

/**
 * The error where another user may have put the file there, or a folder or link on the way: it is theirs, and lies where
 * others can write. What lies where this user and root alone can write, they put there. `owner`: of the file as it was read.
 */
export function findPlanted(path: string, person: Person, words: Words, owner = 0): UsageError | undefined {
  const trusted = listTrusted(person);
  let isShared = false;
  for (const entry of listWay(path)) {
    if (isShared && !trusted.has(entry.status.uid)) return createForeign(entry.path, entry.status.uid, words);
    trusted.add(entry.status.uid);
    isShared = isWritable(entry, trusted);
  }
  return trusted.has(owner) ? undefined : createForeign(path, owner, words);
}

function createForeign(path: string, owner: number, { so, ...details }: Words): UsageError {
  return new UsageError(`${path} belongs to another user (${owner}), so ${so}`, details);
}

/** The user, root, and who became root with sudo. */
function listTrusted({ user, env }: Person): Set<number> {
  const before = user === 0 ? Number.parseInt(env['SUDO_UID'] ?? '', 10) : Number.NaN;
  return new Set([0, ...(user === undefined ? [] : [user]), ...(Number.isNaN(before) ? [] : [before])]);
}

function isWritable({ status }: Entry, trusted: ReadonlySet<number>): boolean {
  if (status.isSymbolicLink()) return false;
  if ((status.mode & OTHERS_WRITE) !== 0) return true;
  return (status.mode & GROUP_WRITES) !== 0 && !isPrivateGroup(status.gid, trusted);
}

/**
 * Whether a group is root's, or that of a user alone: the main group of no one else, and without other members. This
 * machine's own files say so; of a group and a user that they don't list, as in a container, the same number does.
 */
function isPrivateGroup(group: number, trusted: ReadonlySet<number>): boolean {
  if (group === 0) return true;
  const users = readTable('/etc/passwd').map(([name = '', , id, main]) => ({
    name,
    id: Number(id),
    main: Number(main),
  }));
  // A long group may have several lines.
  const lines = readTable('/etc/group').filter(([, , id]) => Number(id) === group);
  if (lines.length === 0) return trusted.has(group) && !users.some(({ id, main }) => id === group || main === group);
  const own = users.filter(({ main }) => main === group).map(({ name }) => name);
  const known = users.filter(({ id }) => trusted.has(id)).map(({ name }) => name);
  const members = lines.flatMap(([, , , names = '']) => names.split(','));
  const all = [...own, ...members.filter((name) => name !== '')];
  return own.length > 0 && all.every((name) => known.includes(name));
}

function readTable(path: string): readonly (readonly string[])[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
  } catch {
    return [];
  }
}

/**
 * What is on the way from the root to the file, as the system goes and as far as something is there; the links too. Each
 * comes after the folder it lies in, also where a link leads back to that.
 */
function listWay(path: string): readonly Entry[] {
  if (!HAS_PERMISSIONS) return [];
  const way: Entry[] = [];
  const names = path.split('/');
  let [folder, links] = ['/', 0];
  const enter = (next: string): void => {
    folder = next;
    way.push({ path: folder, status: lstatSync(folder) });
  };
  enter('/');
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      enter(dirname(folder));
      continue;
    }
    const at = join(folder, name);
    const status = lookAt(at);
    if (status === undefined) return way;
    way.push({ path: at, status });
    if (!status.isSymbolicLink()) {
      folder = at;
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) return way;
    const target = readlinkSync(at);
    names.unshift(...target.split('/'));
    enter(target.startsWith('/') ? '/' : folder);
  }
  return way;
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    // The file can't be used either where it can't be looked at.
    return undefined;
  }
}
