import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { createForeign } from './input-error.ts';
import { isThere } from './marked-folder.ts';
import { APPLICATION_ID } from './schema.ts';

/** Whose a file is. SQLite cannot be asked, since it would write to the file or beside it. `new`: the file is empty. */
export type Head = 'new' | 'ours' | 'foreign';

/** The endings of SQLite's files beside a state. It takes over or removes what it finds there. */
export const SIDE_FILES = ['-journal', '-wal', '-shm'] as const;

const MAGIC = 'SQLite format 3\0';
/** The places of these two in the first page. */
const PAGE_SIZE = 16;
const APPLICATION = 68;
const HEAD_LENGTH = 100;
/** Of the file that ends in `-wal`: the length of its head, the place of the page size in it, the length before each page. */
const LOG_HEAD = 32;
const LOG_PAGE_SIZE = 8;
const FRAME_HEAD = 24;

/** Throws what the system says of a file that cannot be read. */
export function readHead(path: string): Head {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 'new';
  if (!stats.isFile()) throw new Error('It is not a file.');
  if (stats.size === 0) return 'new';
  const head = readAt(path, HEAD_LENGTH, [0])[0] ?? Buffer.alloc(0);
  if (head.length < HEAD_LENGTH || head.toString('latin1', 0, MAGIC.length) !== MAGIC) return 'foreign';
  const application = head.readUInt32BE(APPLICATION);
  if (application === APPLICATION_ID) return 'ours';
  // The first process was killed: the file has an empty page, and the log has all else.
  return application === 0 && stats.size === head.readUInt16BE(PAGE_SIZE) ? readLog(`${path}-wal`) : 'foreign';
}

/** Throws SandboxStateError where something else lies where SQLite would keep its files of a new state. */
export function refuseSideFiles(path: string): void {
  // A killed process left these files, and then someone removed only the state.
  if (readLog(`${path}-wal`) === 'ours') return;
  for (const ending of SIDE_FILES) {
    // Another process that makes the state marks it before it puts anything beside it.
    if (isThere(`${path}${ending}`) && readHead(path) === 'new') throw createForeign(`${path}${ending}`);
  }
}

function readLog(path: string): Head {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return 'new';
  const [head = Buffer.alloc(0)] = readAt(path, LOG_HEAD, [0]);
  if (head.length < LOG_HEAD) return 'foreign';
  const step = FRAME_HEAD + head.readUInt32BE(LOG_PAGE_SIZE);
  const places = Array.from({ length: Math.floor((size - LOG_HEAD) / step) }, (_, index) => LOG_HEAD + index * step);
  const isOurs = readAt(path, FRAME_HEAD + HEAD_LENGTH, places).some(
    (frame) => frame.readUInt32BE(0) === 1 && frame.readUInt32BE(FRAME_HEAD + APPLICATION) === APPLICATION_ID,
  );
  return isOurs ? 'ours' : 'foreign';
}

function readAt(path: string, length: number, places: readonly number[]): Buffer[] {
  const file = openSync(path, 'r');
  try {
    return places.map((place) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, place));
    });
  } finally {
    closeSync(file);
  }
}
