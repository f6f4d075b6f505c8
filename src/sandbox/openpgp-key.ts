import { createHash } from 'node:crypto';

/** Reads of an OpenPGP public key what the service needs: its kind and its id. */

export type PublicKey = { readonly keyId: string } | { readonly flaw: string };

const BLOCK = 'PGP PUBLIC KEY BLOCK';
const PUBLIC_KEY_PACKET = 6;
const VERSION = 4;
/** The numbers of RSA, which has three, and of DSA. */
const ALGORITHMS: readonly number[] = [1, 2, 3, 17];

/** Assumed: a signing key that can't be used is refused with 422; the words are the sandbox's. */
export function readPublicKey(armor: string): PublicKey {
  const bytes = removeArmor(armor);
  if (bytes === undefined) return { flaw: 'is not an ASCII-armored public key' };
  const body = readFirstPacket(bytes, PUBLIC_KEY_PACKET);
  // The body begins with a version, four bytes of time, and the algorithm.
  const algorithm = body?.[5];
  if (body === undefined || body[0] !== VERSION || algorithm === undefined) return { flaw: 'is not a public key' };
  if (!ALGORITHMS.includes(algorithm)) return { flaw: 'must be an RSA or a DSA key' };
  const head = Buffer.from([0x99, body.length >> 8, body.length & 0xff]);
  const fingerprint = createHash('sha1').update(head).update(body).digest('hex');
  return { keyId: fingerprint.slice(-16).toUpperCase() };
}

function removeArmor(armor: string): Buffer | undefined {
  const lines = armor.split(/\r?\n/).map((line) => line.trim());
  const begin = lines.indexOf(`-----BEGIN ${BLOCK}-----`);
  const end = lines.indexOf(`-----END ${BLOCK}-----`);
  if (begin === -1 || end < begin) return undefined;
  // Headers end with an empty line.
  const start = lines.indexOf('', begin) + 1;
  if (start === 0 || start > end) return undefined;
  // The last line may be a checksum, which begins with an equals sign.
  const text = lines
    .slice(start, end)
    .filter((line) => !line.startsWith('='))
    .join('');
  return /^[A-Za-z0-9+/]+=*$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

/** The body of the first packet; undefined where it is of another kind, or not whole. */
function readFirstPacket(bytes: Buffer, kind: number): Buffer | undefined {
  const tag = bytes[0] ?? 0;
  if ((tag & 0x80) === 0) return undefined;
  const isNew = (tag & 0x40) !== 0;
  if ((isNew ? tag & 0x3f : (tag >> 2) & 0x0f) !== kind) return undefined;
  const length = isNew ? readNewLength(bytes) : readOldLength(bytes, tag & 0x03);
  if (length === undefined) return undefined;
  const body = bytes.subarray(length.start, length.start + length.size);
  return body.length === length.size ? body : undefined;
}

interface Length {
  readonly start: number;
  readonly size: number;
}

function readNewLength(bytes: Buffer): Length | undefined {
  const [, first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  if (first < 192) return { start: 2, size: first };
  if (first < 224) return { start: 3, size: ((first - 192) << 8) + second + 192 };
  // All other lengths are in parts, which no key has.
  return first === 255 && bytes.length >= 6 ? { start: 6, size: bytes.readUInt32BE(2) } : undefined;
}

function readOldLength(bytes: Buffer, kind: number): Length | undefined {
  // Kind three goes to the end of the text, which no key does.
  const width = [1, 2, 4][kind];
  return width === undefined || bytes.length < 1 + width
    ? undefined
    : { start: 1 + width, size: bytes.readUIntBE(1, width) };
}
