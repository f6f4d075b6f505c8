import { createHmac, timingSafeEqual } from 'node:crypto';
import { HOUR } from '../lib/time.ts';
import { createHttpError } from './errors.ts';
import type { Ids, RandomBytes } from './ids.ts';
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

const WHERE = 'release_files WHERE owner = ? AND part = ?';

export function isUploaded(store: Store, owner: string, part: Part): boolean {
  return store.count(WHERE, owner, part) > 0;
}

export type Services = { store: Store; ids: Ids; links: Links; now(): number; log(line: string): void };

/** The files of releases, uploaded and downloaded by links. Methods throw HttpError. */
export function createReleaseFiles({ store, links, log, now }: Services) {
  const readTarget = ({ method, path, authorization }: FileRequest, purpose: LinkTarget['purpose']): LinkTarget => {
    if (authorization !== undefined) {
      const why = "which needs none: such addresses are not the service's own";
      log(`a token came with ${method} to the address of a file, ${why}`);
      throw createHttpError(400, 'The link is enough: leave the Authorization header out');
    }
    const target = links.read(path, now());
    if (target?.purpose === purpose) return target;
    throw createHttpError(403, 'The link is not valid, or has expired');
  };
  return {
    async receive(request: FileRequest, source: AsyncIterable<Uint8Array>): Promise<void> {
      const { owner, part } = readTarget(request, 'upload');
      store.read(() => assertMissing(store, owner, part));
      // The empty chunk stands for an empty file.
      const chunks: Uint8Array[] = [new Uint8Array()];
      for await (const chunk of source) chunks.push(chunk);
      store.write(() => {
        // Another upload with the same link may have finished first.
        assertMissing(store, owner, part);
        for (const content of chunks) store.insert('release_files', { owner, part, content });
      });
    },
    find(request: FileRequest): Blob {
      const { owner, part } = readTarget(request, 'download');
      const sql = `SELECT content FROM ${WHERE} ORDER BY seq`;
      const chunks = store.all<{ content: Uint8Array<ArrayBuffer> }>(sql, owner, part);
      if (chunks.length === 0) throw createHttpError(404);
      return new Blob(chunks.map(({ content }) => content));
    },
  };
}

function assertMissing(store: Store, owner: string, part: Part): void {
  const sql = '(SELECT id FROM provider_versions UNION SELECT id FROM provider_platforms) WHERE id = ?';
  if (store.count(sql, owner) === 0) throw createHttpError(404, 'The version or platform of the file was deleted');
  if (isUploaded(store, owner, part)) throw createHttpError(409, 'The file has been uploaded already');
}
