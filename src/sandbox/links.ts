import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RandomBytes } from './ids.ts';

/** The files of a release: a version has the first two, a platform the last. */
export type Part = 'shasums' | 'shasums-sig' | 'provider-binary';

export interface LinkTarget {
  owner: string;
  part: Part;
  purpose: 'upload' | 'download';
}

export type Links = ReturnType<typeof createLinks>;

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
    /** Undefined for a path that is no link of this sandbox, or has expired. */
    read(path: string, now: number): LinkTarget | undefined {
      const [name, text = '', signature = ''] = path.slice(FILE_PATH.length).split('.');
      const [given, wanted] = [Buffer.from(signature, 'base64url'), sign(text)];
      if (name !== 'sandbox' || given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
      const target = JSON.parse(Buffer.from(text, 'base64url').toString()) as LinkTarget & { expires: number };
      return now < target.expires ? target : undefined;
    },
  };
}
