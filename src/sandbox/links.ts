import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RandomBytes } from './ids.ts';
import type { Part } from './queries/releases.ts';

/** Addresses with which one file can be sent or fetched without a token. */

export interface LinkTarget {
  /** The id of a version or platform. */
  readonly owner: string;
  readonly part: Part;
  readonly purpose: 'upload' | 'download';
}

export type Links = ReturnType<typeof createLinks>;

export const FILE_PATH = '/v1/object/';

/** 25 hours, as the service has it. */
const VALID_FOR = 90_000_000;
const KEY_LENGTH = 32;

/** Only memory holds the key that signs, so that a link ends with the process that made it. */
export function createLinks(randomBytes: RandomBytes) {
  let key: Uint8Array | undefined;
  const sign = (text: string): Buffer => {
    key ??= randomBytes(KEY_LENGTH);
    return createHmac('sha256', key).update(text).digest();
  };
  return {
    /** The path of a link. */
    create({ owner, part, purpose }: LinkTarget, now: number): string {
      const text = Buffer.from(JSON.stringify([purpose, owner, part, now + VALID_FOR])).toString('base64url');
      return `${FILE_PATH}sandbox.${text}.${sign(text).toString('base64url')}`;
    },
    /** Undefined for a path that is no link of this sandbox, or has expired. */
    read(path: string, now: number): LinkTarget | undefined {
      const [name, text = '', signature = ''] = path.startsWith(FILE_PATH)
        ? path.slice(FILE_PATH.length).split('.')
        : [];
      const [given, wanted] = [Buffer.from(signature, 'base64url'), sign(text)];
      if (name !== 'sandbox' || given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
      const parts = JSON.parse(Buffer.from(text, 'base64url').toString()) as [
        LinkTarget['purpose'],
        string,
        Part,
        number,
      ];
      const [purpose, owner, part, expires] = parts;
      return now < expires ? { purpose, owner, part } : undefined;
    },
  };
}
