import { createHash } from 'node:crypto';
import { createHttpError } from './errors.ts';
import { FILE_PATH } from './files.ts';

/** The query parameters of each storage, which are the same in all its links, and the name of the signature. */
const STORAGES = {
  s3: {
    signature: 'X-Amz-Signature',
    query: {
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': 'sandbox-access-key/20260301/us-east-1/s3/aws4_request',
      'X-Amz-Date': '20260301T120000Z',
      'X-Amz-Expires': '90000',
      'X-Amz-SignedHeaders': 'host',
    },
  },
  gcs: {
    signature: 'X-Goog-Signature',
    query: {
      'X-Goog-Algorithm': 'GOOG4-RSA-SHA256',
      'X-Goog-Credential': 'releases@sandbox.example.com/20260301/auto/storage/goog4_request',
      'X-Goog-Date': '20260301T120000Z',
      'X-Goog-Expires': '90000',
      'X-Goog-SignedHeaders': 'host',
    },
  },
  azure: {
    signature: 'sig',
    query: {
      sv: '2024-11-04',
      st: '2026-03-01T12:00:00Z',
      se: '2026-03-02T13:00:00Z',
      sr: 'b',
      sp: 'racw',
      spr: 'https',
    },
  },
};

export type Storage = keyof typeof STORAGES;

export function isStorage(text: string): text is Storage {
  return Object.hasOwn(STORAGES, text);
}

function sign(path: string, storage: Storage): string {
  const { query, signature } = STORAGES[storage];
  const parameters = new URLSearchParams(query);
  parameters.set(signature, createHash('sha256').update(`${path}?${parameters}`).digest('base64'));
  return `?${parameters}`;
}

export function presignLinks(json: string, storage: Storage): string {
  return json.replaceAll(new RegExp(`${FILE_PATH}[\\w.-]+`, 'g'), (path) => path + sign(path, storage));
}

/** Throws 403 for a link that a client has changed. */
export function assertPresigned({ pathname, search }: URL, storage: Storage): void {
  if (search !== sign(pathname, storage)) throw createHttpError(403, 'The signature of the link does not match');
}
