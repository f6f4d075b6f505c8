import { createHmac, timingSafeEqual } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { HOUR } from '../lib/time.ts';
import { createHttpError } from './errors.ts';
import type { Ids, RandomBytes } from './ids.ts';
import { isFull } from './state.ts';
import type { Store } from './store.ts';

export type Part = 'shasums' | 'shasums-sig' | 'provider-binary';

export type LinkTarget = { owner: string; part: Part; purpose: 'upload' | 'download' };

type Links = ReturnType<typeof createLinks>;

export const FILE_PATH = '/v1/object/';

/** As long as the service's (facts). */
const LINK_LIFETIME = 25 * HOUR;

/** Signed links to files, which need no token. They expire with the process: the key is only in memory. */
export function createLinks(randomBytes: RandomBytes) {
  let key: Uint8Array | undefined;
  const sign = (text: string): Buffer => {
    key ??= randomBytes(32);
    return createHmac('sha256', key).update(text).digest();
  };
  return {
    create(target: LinkTarget, now: number): string {
      const text = Buffer.from(JSON.stringify({ ...target, expires: now + LINK_LIFETIME })).toString('base64url');
      return `${FILE_PATH}sandbox.${text}.${sign(text).toString('base64url')}`;
    },
    read(path: string, now: number): LinkTarget | undefined {
      const [name, text = '', signature = ''] = path.slice(FILE_PATH.length).split('.');
      const [given, expected] = [Buffer.from(signature, 'base64url'), sign(text)];
      if (name !== 'sandbox' || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      const target = JSON.parse(Buffer.from(text, 'base64url').toString()) as LinkTarget & { expires: number };
      return now < target.expires ? target : undefined;
    },
  };
}

export type FileRequest = { method: string; path: string; authorization: string | undefined };

export function findFile(store: Store, owner: string, part: Part): string | undefined {
  const sql = 'SELECT file FROM release_files WHERE owner = ? AND part = ?';
  return store.first<{ file: string }>(sql, owner, part)?.file;
}

/** Removes uploaded files, by their names, and nothing else. */
export function removeFiles(folder: string): void {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const files = names.filter((name) => /^file-\w{16}$/.test(name));
  for (const file of files) rmSync(join(folder, file), { force: true });
}

export type Services = { store: Store; ids: Ids; links: Links; now(): number; log(line: string): void };
type FileServices = Services & { findFolder(): string };

/** The files of releases, uploaded and downloaded by links. Methods throw HttpError. */
export class ReleaseFiles {
  #services: FileServices;

  constructor(services: FileServices) {
    this.#services = services;
  }

  async receive(request: FileRequest, source: AsyncIterable<Uint8Array>): Promise<void> {
    const { store, ids } = this.#services;
    const { owner, part } = this.#readTarget(request, 'upload');
    store.read(() => assertMissing(store, owner, part));
    mkdirSync(this.#services.findFolder(), { recursive: true, mode: 0o700 });
    const file = ids.id('file');
    const path = this.#findPath(file);
    try {
      await pipeline(source, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      store.write(() => {
        // Another upload with the same link may have finished first.
        assertMissing(store, owner, part);
        store.insert('release_files', { owner, part, file });
      });
    } catch (error) {
      rmSync(path, { force: true });
      throw isFull(error) ? createHttpError(507, `The sandbox cannot store the file: ${error.message}`) : error;
    }
  }

  find(request: FileRequest): { path: string; size: number } {
    const { store } = this.#services;
    const { owner, part } = this.#readTarget(request, 'download');
    const file = store.read(() => findFile(store, owner, part));
    const path = file && this.#findPath(file);
    const size = path && statSync(path, { throwIfNoEntry: false })?.size;
    if (!path || size === undefined) throw createHttpError(404);
    return { path, size: Number(size) };
  }

  removeDiscarded(): void {
    const { store } = this.#services;
    for (const { file } of store.all<{ file: string }>('SELECT file FROM discarded_files')) {
      rmSync(this.#findPath(file), { force: true });
      store.run('DELETE FROM discarded_files WHERE file = ?', file);
    }
  }

  removeAll(): void {
    removeFiles(this.#services.findFolder());
  }

  #findPath(file: string): string {
    return join(this.#services.findFolder(), file);
  }

  #readTarget({ method, path, authorization }: FileRequest, purpose: LinkTarget['purpose']): LinkTarget {
    const { links, log, now } = this.#services;
    if (authorization !== undefined) {
      const why = "which needs none: such addresses are not the service's own";
      log(`a token came with ${method} to the address of a file, ${why}`);
      throw createHttpError(400, 'The link is enough: leave the Authorization header out');
    }
    const target = links.read(path, now());
    if (target?.purpose === purpose) return target;
    throw createHttpError(403, 'The link is not valid, or has expired');
  }
}

function assertMissing(store: Store, owner: string, part: Part): void {
  const sql = '(SELECT id FROM provider_versions UNION SELECT id FROM provider_platforms) WHERE id = ?';
  if (store.count(sql, owner) === 0) throw createHttpError(404, 'The version or platform of the file was deleted');
  if (findFile(store, owner, part) !== undefined) throw createHttpError(409, 'The file has been uploaded already');
}
