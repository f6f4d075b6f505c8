export type RandomBytes = (length: number) => Uint8Array;

export type Ids = ReturnType<typeof createIds>;

/** No letter or digit that looks like another one: clients know ids from names by it (facts). */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const ID_LENGTH = 16;

export function createIds(randomBytes: RandomBytes) {
  const text = (length: number): string =>
    Array.from(randomBytes(length), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
  return {
    id: (prefix: string) => `${prefix}-${text(ID_LENGTH)}`,
    ids(prefix: string, count: number): string[] {
      const letters = text(ID_LENGTH * count);
      return Array.from(
        { length: count },
        (_, index) => `${prefix}-${letters.slice(index * ID_LENGTH, (index + 1) * ID_LENGTH)}`,
      );
    },
    uuid: () => formatUuid(randomBytes(16)),
    secret: () => `sandbox.${text(56)}`,
  };
}

function formatUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex');
  const variant = (((bytes[8] ?? 0) & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20)}`;
}
