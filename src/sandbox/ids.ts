export type RandomBytes = (length: number) => Uint8Array;

export type Ids = ReturnType<typeof createIds>;

/** Clients know an id from a name by it. Assumed: ids have no letter and no digit that looks like another one. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const ID_LENGTH = 16;
const SECRET_LENGTH = 56;

export function createIds(randomBytes: RandomBytes) {
  const text = (length: number): string => toAlphanumeric(randomBytes(length));
  return {
    /** `<prefix>-` and sixteen letters and digits. */
    id: (prefix: string) => `${prefix}-${text(ID_LENGTH)}`,
    ids(prefix: string, count: number): string[] {
      const letters = text(ID_LENGTH * count);
      const idAt = (start: number): string => `${prefix}-${letters.slice(start, start + ID_LENGTH)}`;
      return Array.from({ length: count }, (_, index) => idAt(index * ID_LENGTH));
    },
    uuid: () => toUuid(randomBytes(16)),
    /** The text of a new token. Its first word shows that it is the sandbox's. */
    secret: () => `sandbox.${text(SECRET_LENGTH)}`,
  };
}

function toAlphanumeric(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += ALPHABET.charAt(byte % ALPHABET.length);
  return text;
}

/** Version 4, variant 1. */
function toUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex');
  const variant = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, variant.toString(16) + hex.slice(18, 20)];
  return [...parts, hex.slice(20)].join('-');
}
