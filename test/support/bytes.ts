import { createHash } from 'node:crypto';

/** Bytes that look random and are the same in every run with the same seed. */
export function createBytes(seed: string): (length: number) => Uint8Array {
  let counter = 0;
  return (length) => {
    const bytes = Buffer.alloc(length);
    for (let at = 0; at < length; at += 32) {
      createHash('sha256').update(`${seed}:${counter}`).digest().copy(bytes, at);
      counter += 1;
    }
    return bytes;
  };
}
