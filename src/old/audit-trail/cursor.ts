import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { OrgctlError, toErrorCode, toFault, toReason, UsageError } from '../errors.ts';
import { findId, isFolder } from '../files/look.ts';
import type { OutputEnd } from '../files/output-file.ts';
import { isWritableByOthers } from '../files/permissions.ts';
import { type LockOptions, type LockPlace, withLock } from '../files/process-lock.ts';
import { MEBIBYTE, type ReadFile, readFileIfAny } from '../files/read-file.ts';
import { removeLeftovers, replaceFile } from '../files/replace-file.ts';
import { isObject, parseJsonText } from '../json-object.ts';
import { isSameName } from '../names.ts';
import { parseInstant } from '../text/time.ts';
import type { Position } from './position.ts';

/** The file that says how far an audit trail was followed. */

/** Whose trail it is. */
export interface Owner {
  /** The service's origin; `sandbox` for the embedded one. */
  readonly service: string;
  /** The name of the organization, where it is known. */
  readonly organization: string | undefined;
}

export interface Cursor {
  /** Undefined where there is no file yet. */
  readonly position: Position | undefined;
  /** The name of the organization that was asked for, else the one in the file. */
  readonly organization: string | undefined;
  /** Where the output ended when it was written. */
  readonly output: OutputEnd | undefined;
  /** On disk when it returns. Throws OrgctlError. */
  write(position: Position, output: OutputEnd | undefined): void;
}

export interface CursorOptions extends Pick<LockOptions, 'now' | 'sleep' | 'signal' | 'pid'> {
  /** For names of files; never used twice. */
  uniqueName(): string;
  /** Where locks are: a file beside the cursor could be another program's. */
  readonly lockFolder: string;
}

const VERSION = 1;
const MOST_BYTES = 64 * MEBIBYTE;
const START_OVER = 'Name another file with --cursor, or move this one away to start over. It was not changed.';

/** Keeps other followers from a cursor meanwhile. Throws UsageError for one that can't be used, and BusyError. */
export async function withCursor(
  path: string,
  owner: Owner,
  options: CursorOptions,
  act: (cursor: Cursor) => Promise<void>,
): Promise<void> {
  checkFolder(path);
  // A file that is no cursor gets no lock beside it.
  readCursor(path, owner);
  const lock = {
    ...options,
    wait: 0,
    unique: options.uniqueName(),
    describe: `follower of ${path}`,
    hint: 'Wait for its end, or name another file with --cursor.',
  };
  await withLock(toLockPlace(path, options.lockFolder), lock, () => act(openCursor(path, owner, options)));
}

function openCursor(path: string, owner: Owner, { uniqueName }: CursorOptions): Cursor {
  removeLeftovers(path);
  const stored = readCursor(path, owner);
  const organization = owner.organization ?? stored?.organization;
  return {
    position: stored?.position,
    organization,
    output: stored?.output,
    write(position, output) {
      try {
        replaceFile(path, renderCursor(position, { ...owner, organization }, output), uniqueName());
      } catch (error) {
        throw new OrgctlError('failure', `can't write the cursor ${path}`, {
          code: 'cursor-not-written',
          reasons: [toReason(error)],
          hint: 'Free some space, or get write permission there. The next run repeats what this one printed last.',
          cause: error,
        });
      }
    },
  };
}

/** By the cursor's folder as the disk knows it, which may have several paths, and its name. */
function toLockPlace(path: string, lockFolder: string): LockPlace {
  const name = createHash('sha256')
    .update(`${findId(dirname(path))}:${basename(path)}`)
    .digest('hex')
    .slice(0, 32);
  return {
    path: join(lockFolder, name),
    what: 'the cursor',
    elsewhere: 'Name a state folder with ORGCTL_STATE_DIR',
    yours: 'name a state folder of yours with ORGCTL_STATE_DIR',
  };
}

function checkFolder(path: string): void {
  const folder = dirname(path);
  let why = `${folder} is not a folder`;
  try {
    if (isFolder(folder)) return;
  } catch (error) {
    why = toErrorCode(error) === 'ENOENT' ? `${folder} doesn't exist` : `can't read ${folder}: ${toFault(error)}`;
  }
  throw new UsageError(`--cursor: ${why}`, { hint: 'Create the folder first, or name a file in another one.' });
}

/** Undefined where there is no file. */
function readCursor(path: string, owner: Owner): StoredCursor | undefined {
  let file: ReadFile | undefined;
  try {
    file = readFileIfAny(path, { most: MOST_BYTES, whose: 'own' });
  } catch (error) {
    throw new UsageError(`can't read the cursor ${path}: ${toFault(error)}`, { hint: START_OVER, cause: error });
  }
  if (file === undefined) return undefined;
  // It decides which events are passed over.
  if (isWritableByOthers(file.status.mode)) {
    const next = [['chmod', '600', path]];
    throw new UsageError(`others can change ${path}, so the cursor is not used`, {
      hint: 'Make it writable by you alone.',
      next,
    });
  }
  return parseCursor(file.bytes.toString('utf8'), path, owner);
}

export interface StoredCursor {
  readonly position: Position;
  readonly output: OutputEnd | undefined;
  readonly organization: string | undefined;
}

/** Throws UsageError for a text that is no cursor, or one of another owner. `path` is for messages. */
export function parseCursor(text: string, path: string, owner: Owner): StoredCursor {
  const { version, service, organization, position, output } = parse(text, path);
  if (version > VERSION) {
    throw new UsageError(`the cursor ${path} was written by a newer orgctl (version ${version} of its form)`, {
      hint: 'Use that orgctl. The file was not changed.',
    });
  }
  if (position === undefined) throw createUnreadable(path);
  if (service !== owner.service) throw createForeign(path, service, owner.service);
  const isOther = !isSameName(organization, owner.organization);
  if (organization !== undefined && owner.organization !== undefined && isOther) {
    throw createForeign(path, organization, owner.organization);
  }
  return { position, organization, output };
}

function createUnreadable(path: string): UsageError {
  return new UsageError(`${path} is not a cursor of audit-trail follow`, { hint: START_OVER });
}

/** For a cursor that belongs elsewhere. */
export function createForeign(path: string, other: string, own: string): UsageError {
  return new UsageError(`the cursor ${path} belongs to ${other}, not to ${own}`, {
    hint: 'Use a cursor of its own for each organization. The file was not changed.',
  });
}

/** What a cursor's file holds. */
export function renderCursor(
  { from, readUntil, newest, recent, organizationId }: Position,
  owner: Owner,
  output?: OutputEnd,
): string {
  const toInstant = (at: number | undefined): string | undefined =>
    at === undefined ? undefined : new Date(at).toISOString();
  const cursor = {
    version: VERSION,
    ...owner,
    organizationId,
    from: toInstant(from),
    readUntil: toInstant(readUntil),
    newest: newest === undefined ? undefined : { timestamp: toInstant(newest.at), id: newest.id },
    recent: Object.fromEntries([...recent].map(([id, at]) => [id, toInstant(at)])),
    output,
  };
  return `${JSON.stringify(cursor)}\n`;
}

interface Stored {
  readonly version: number;
  readonly service: string;
  readonly organization: string | undefined;
  /** Undefined for another form of file, or one that a newer version may understand. */
  readonly position: Position | undefined;
  readonly output: OutputEnd | undefined;
}

function parse(text: string, path: string): Stored {
  let value: unknown;
  try {
    value = parseJsonText(text);
  } catch {
    throw createUnreadable(path);
  }
  if (!isObject(value) || typeof value['version'] !== 'number') throw createUnreadable(path);
  const { version, service, organization } = value;
  if (typeof service !== 'string' || !isTextOrNone(organization)) {
    if (version > VERSION)
      return { version, service: '', organization: undefined, position: undefined, output: undefined };
    throw createUnreadable(path);
  }
  return { version, service, organization, position: parsePosition(value), output: parseOutput(value['output']) };
}

function parsePosition({ from, readUntil, newest, recent, organizationId }: Record<string, unknown>) {
  const instants = [from, readUntil].map((text) => (text === undefined ? undefined : toMilliseconds(text)));
  if (instants.some(Number.isNaN) || !isTextOrNone(organizationId) || !isObject(recent)) return undefined;
  const known = Object.entries(recent).map(([id, text]) => [id, toMilliseconds(text)] as const);
  if (known.some(([, at]) => Number.isNaN(at))) return undefined;
  const last = parseNewest(newest);
  if (last === 'unreadable') return undefined;
  return { from: instants[0], readUntil: instants[1], newest: last, recent: new Map(known), organizationId };
}

/** Undefined for what has another form: then a line may be empty, and none is lost. */
function parseOutput(output: unknown): OutputEnd | undefined {
  if (!isObject(output)) return undefined;
  const { file, size } = output;
  return typeof file === 'string' && typeof size === 'number' ? { file, size } : undefined;
}

function parseNewest(newest: unknown): Position['newest'] | 'unreadable' {
  if (newest === undefined) return undefined;
  if (!isObject(newest) || !isTextOrNone(newest['id'])) return 'unreadable';
  const at = toMilliseconds(newest['timestamp']);
  return Number.isNaN(at) ? 'unreadable' : { at, id: newest['id'] };
}

function isTextOrNone(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

/** NaN for what is no instant. */
function toMilliseconds(value: unknown): number {
  return typeof value === 'string' ? (parseInstant(value) ?? Number.NaN) : Number.NaN;
}
