export type RandomBytes = (length: number) => Uint8Array;

export type Ids = ReturnType<typeof createIds>;

/** Without letters and digits that look alike. Clients tell ids from names by this (facts). */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export function createIds(randomBytes: RandomBytes) {
  const text = (length: number): string =>
    Array.from(randomBytes(length), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
  return {
    id: (prefix: string) => `${prefix}-${text(16)}`,
    uuid(): string {
      const bytes = Buffer.from(randomBytes(16));
      bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
      bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
      return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    },
    secret: () => `sandbox.${text(56)}`,
  };
}
