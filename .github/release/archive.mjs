// Archives whose bytes depend on their content alone: no owner, no time, entries in the order of their names.

import { gzipSync } from 'node:zlib';

const BLOCK = 512;
const LONGEST_NAME = 100;

/** A tar archive, compressed. `files`: content and mode by path. */
export function toArchive(files) {
  const entries = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
  const blocks = entries.flatMap(([path, { content, mode = 0o644 }]) => {
    const bytes = Buffer.from(content);
    return [toHeader(path, bytes.length, mode), bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]));
}

function toHeader(path, size, mode) {
  if (Buffer.byteLength(path) > LONGEST_NAME) throw new Error(`${path} is too long for the archive`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value, length) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  header.write(path, 0);
  header.write(octal(mode, 8), 100);
  for (const at of [108, 116]) header.write(octal(0, 8), at);
  header.write(octal(size, 12), 124);
  header.write(octal(0, 12), 136);
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\0' + '00', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}
