export type RandomBytes = (length: number) => Uint8Array;

export interface Ids {
  /** `<prefix>-` and sixteen letters and digits. */
  id(prefix: string): string;
  ids(prefix: string, count: number): string[];
  uuid(): string;
  /** The text of a new token. Make-believe, and recognizable as such by its first word. */
  secret(): string;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const ID_LENGTH = 16;
const SECRET_LENGTH = 56;

export function createIds(randomBytes: RandomBytes): Ids {
  const text = (length: number): string => toAlphanumeric(randomBytes(length));
  return {
    id: (prefix) => `${prefix}-${text(ID_LENGTH)}`,
    ids(prefix, count) {
      const letters = text(ID_LENGTH * count);
      return Array.from(
        { length: count },
        (_, index) => `${prefix}-${letters.slice(index * ID_LENGTH, (index + 1) * ID_LENGTH)}`,
      );
    },
    uuid: () => toUuid(randomBytes(16)),
    secret: () => `sandbox.${text(SECRET_LENGTH)}`,
  };
}

function toAlphanumeric(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    text += ALPHABET.charAt(byte % ALPHABET.length);
  }
  return text;
}

function toUuid(bytes: Uint8Array): string {
  const fixed = Uint8Array.from(bytes);
  fixed[6] = ((fixed[6] ?? 0) & 0x0f) | 0x40;
  fixed[8] = ((fixed[8] ?? 0) & 0x3f) | 0x80;
  const hex = Buffer.from(fixed).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
