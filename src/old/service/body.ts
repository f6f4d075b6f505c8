import { StringDecoder } from 'node:string_decoder';
import type { Gunzip } from 'node:zlib';
import { MEBIBYTE } from '../files/read-file.ts';

export interface Body {
  push(chunk: Buffer): void;
  end(): void;
  /** Nothing more is wanted of it. */
  drop(): void;
}

/** What becomes of a body: one of these is called, once. */
export interface BodyOutcome {
  readonly onText: (text: string) => void;
  readonly onTooLarge: () => void;
  /** It has an encoding that was not asked for. */
  readonly onUnreadable: () => void;
  /** It is not what its encoding says, or ends too early. */
  readonly onBroken: (error: Error) => void;
}

/** Bytes that one body may have, as it comes and as it is decoded: few bytes of gzip can become very many. */
const LARGEST_BODY = 64 * MEBIBYTE;
// In bytes. In larger pieces it is a little quicker, and a long list's peak of memory 10 % higher.
const INFLATED_PIECE = 4 * 1024;
export const LARGEST_BODY_TEXT = '64 MiB';

export function openBody(encoding: string | undefined, outcome: BodyOutcome): Body {
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return openPlainBody(outcome);
    case 'gzip':
    case 'x-gzip':
      return openGzipBody(outcome);
    default:
      return { ...openPlainBody(outcome), push: outcome.onUnreadable };
  }
}

function openPlainBody({ onText, onTooLarge }: BodyOutcome): Body {
  // Decoded as it comes: the bytes need not wait for the end.
  const decoder = new StringDecoder('utf8');
  let text = '';
  let size = 0;
  return {
    push(chunk) {
      size += chunk.length;
      if (size > LARGEST_BODY) onTooLarge();
      else text += decoder.write(chunk);
    },
    end: () => onText(text + decoder.end()),
    drop: () => undefined,
  };
}

function openGzipBody(outcome: BodyOutcome): Body {
  const plain = openPlainBody(outcome);
  let size = 0;
  // Made for the first byte: an answer without a body can name an encoding all the same.
  let gunzip: Promise<Gunzip> | undefined;
  const open = async (): Promise<Gunzip> => {
    const { createGunzip } = await import('node:zlib');
    return createGunzip({ chunkSize: INFLATED_PIECE })
      .on('data', plain.push)
      .on('end', plain.end)
      .on('error', outcome.onBroken);
  };
  return {
    push(chunk) {
      size += chunk.length;
      if (size > LARGEST_BODY) return outcome.onTooLarge();
      gunzip ??= open();
      void gunzip.then((stream) => stream.write(chunk));
    },
    end() {
      if (gunzip === undefined) plain.end();
      else void gunzip.then((stream) => stream.end());
    },
    drop: () => void gunzip?.then((stream) => stream.destroy()),
  };
}
