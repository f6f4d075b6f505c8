import { createHash } from 'node:crypto';
import { createHttpError } from './errors.ts';
import { FILE_PATH } from './files.ts';

/** The same in all links of a storage; the signature follows. */
const QUERIES = {
  s3: `?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=sandbox-access-key%2F20260301%2Fus-east-1%2Fs3%2Faws4_request\
&X-Amz-Date=20260301T120000Z&X-Amz-Expires=90000&X-Amz-SignedHeaders=host&X-Amz-Signature=`,
  gcs: `?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Credential=releases%40sandbox.example.com%2F20260301%2Fauto%2Fstorage\
%2Fgoog4_request&X-Goog-Date=20260301T120000Z&X-Goog-Expires=90000&X-Goog-SignedHeaders=host&X-Goog-Signature=`,
  azure: '?sv=2024-11-04&st=2026-03-01T12%3A00%3A00Z&se=2026-03-02T13%3A00%3A00Z&sr=b&sp=racw&spr=https&sig=',
};

export type Storage = keyof typeof QUERIES;

export function isStorage(text: string): text is Storage {
  return Object.hasOwn(QUERIES, text);
}

function createQuery(path: string, storage: Storage): string {
  const query = QUERIES[storage];
  const hash = createHash('sha256').update(`${path}${query}`);
  return query + encodeURIComponent(hash.digest('base64'));
}

export function presignLinks(json: string, storage: Storage): string {
  return json.replaceAll(new RegExp(`${FILE_PATH}[\\w.-]+`, 'g'), (path) => path + createQuery(path, storage));
}

/** Throws 403 for a link that a client has changed. */
export function assertPresigned({ pathname, search }: URL, storage: Storage): void {
  if (search !== createQuery(pathname, storage)) throw createHttpError(403, 'The signature of the link does not match');
}
