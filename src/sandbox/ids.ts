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
      const digits = Buffer.from(randomBytes(15)).toString('hex');
      return digits.replace(/^(.{8})(.{4})(.{3})(.{3})/, '$1-$2-4$3-8$4-');
    },
    secret: () => `sandbox.${text(56)}`,
  };
}
