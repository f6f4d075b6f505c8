import { createHmac, timingSafeEqual } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Ids, RandomBytes } from './ids.ts';
import { type Companions, isFull } from './state.ts';
import type { Store } from './store.ts';

/** The files of a release: a version has the first two, a platform the last. */
export type Part = 'shasums' | 'shasums-sig' | 'provider-binary';

export type LinkTarget = { owner: string; part: Part; purpose: 'upload' | 'download' };

type Links = ReturnType<typeof createLinks>;

export const FILE_PATH = '/v1/object/';

/** 25 hours (facts). */
const VALID_FOR = 90_000_000;

/** Addresses with which one file can be sent or fetched without a token. They end with the process: only memory has the key. */
export function createLinks(randomBytes: RandomBytes) {
  let key: Uint8Array | undefined;
  const sign = (text: string): Buffer => {
    key ??= randomBytes(32);
    return createHmac('sha256', key).update(text).digest();
  };
  return {
    create(target: LinkTarget, now: number): string {
      const text = Buffer.from(JSON.stringify({ ...target, expires: now + VALID_FOR })).toString('base64url');
      return `${FILE_PATH}sandbox.${text}.${sign(text).toString('base64url')}`;
    },
    read(path: string, now: number): LinkTarget | undefined {
      const [name, text = '', signature = ''] = path.slice(FILE_PATH.length).split('.');
      const [given, wanted] = [Buffer.from(signature, 'base64url'), sign(text)];
      if (name !== 'sandbox' || given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
      const target = JSON.parse(Buffer.from(text, 'base64url').toString()) as LinkTarget & { expires: number };
      return now < target.expires ? target : undefined;
    },
  };
}

export const FILES = '-files';

/** A file that belongs to nothing after so long was left by an upload that was killed. */
const LEFT_AFTER = 90_000_000;

export type FileRequest = { method: string; path: string; authorization: string | undefined };

export type Refusal = { status: number; detail?: string };

export function findFile(store: Store, owner: string, part: Part): string | undefined {
  const sql = 'SELECT file FROM release_files WHERE owner = ? AND part = ?';
  return store.first<{ file: string }>(sql, owner, part)?.file;
}

/** Removes what has the name of an uploaded file, and nothing else. */
export function removeFiles(folder: string, isLeft: (file: string) => boolean = () => true): void {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const files = names.filter((name) => /^file-\w{16}$/.test(name) && isLeft(name));
  for (const file of files) rmSync(join(folder, file), { force: true });
}

export type ServiceOptions = { store: Store; ids: Ids; links: Links; now(): number; log(line: string): void };

/** Takes and gives the files of releases, by links instead of tokens, without looking into them. */
export function createFiles({ store, ids, links, now, log }: ServiceOptions, companions: Companions) {
  const findPath = (file: string): string => join(companions.find(FILES), file);
  let isPrepared = false;
  const prepare = (): void => {
    const folder = companions.find(FILES);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const isLeft = (file: string): boolean => {
      const time = statSync(findPath(file), { throwIfNoEntry: false })?.mtimeMs ?? now();
      return now() - time > LEFT_AFTER && store.count('release_files WHERE file = ?', file) === 0;
    };
    if (!isPrepared) removeFiles(folder, isLeft);
    isPrepared = true;
  };
  const readTarget = ({ method, path, authorization }: FileRequest, purpose: LinkTarget['purpose']) => {
    if (authorization !== undefined) {
      const why = "which needs none: such addresses are not the service's own";
      log(`a token came with ${method} to the address of a file, ${why}`);
      return { status: 400, detail: 'The link is enough: leave the Authorization header out' };
    }
    const target = links.read(path, now());
    return target?.purpose === purpose ? target : { status: 403, detail: 'The link is not valid, or has expired' };
  };
  const findRefusal = ({ owner, part }: LinkTarget): Refusal | undefined => {
    const sql = '(SELECT id FROM provider_versions UNION SELECT id FROM provider_platforms) WHERE id = ?';
    if (store.count(sql, owner) === 0) return { status: 404, detail: 'What the file is for was deleted' };
    const isThere = findFile(store, owner, part) !== undefined;
    return isThere ? { status: 409, detail: 'The file has been uploaded already' } : undefined;
  };
  return {
    async receive(request: FileRequest, source: AsyncIterable<Uint8Array>): Promise<Refusal | undefined> {
      const target = readTarget(request, 'upload');
      const early = 'status' in target ? target : store.read(() => findRefusal(target));
      if ('status' in target || early !== undefined) return early;
      prepare();
      const file = ids.id('file');
      let refusal: Refusal | undefined = { status: 500 };
      try {
        await pipeline(source, createWriteStream(findPath(file), { flags: 'wx', mode: 0o600 }));
        refusal = store.write(() => {
          // Another upload by the same link may have ended first.
          const late = findRefusal(target);
          if (late === undefined) store.insert('release_files', { owner: target.owner, part: target.part, file });
          return late;
        });
      } catch (error) {
        if (!isFull(error)) throw error;
        refusal = { status: 507, detail: `The sandbox cannot store the file: ${error.message}` };
      } finally {
        if (refusal !== undefined) rmSync(findPath(file), { force: true });
      }
      return refusal;
    },
    find(request: FileRequest): { path: string; size: number } | Refusal {
      const target = readTarget(request, 'download');
      if ('status' in target) return target;
      const file = store.read(() => findFile(store, target.owner, target.part));
      const path = file && findPath(file);
      const size = path && statSync(path, { throwIfNoEntry: false })?.size;
      return path && size !== undefined ? { path, size: Number(size) } : { status: 404 };
    },
    removeDiscarded(): void {
      for (const { file } of store.all<{ file: string }>('SELECT file FROM discarded_files')) {
        rmSync(findPath(file), { force: true });
        store.run('DELETE FROM discarded_files WHERE file = ?', file);
      }
    },
    removeAll: (): void => removeFiles(companions.find(FILES)),
  };
}
