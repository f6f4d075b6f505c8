import type { Key, Subkey } from 'openpgp';
import { OrgctlError, toReason } from '../errors.ts';

/** Public keys and detached signatures. */

export interface PublicKey {
  /** Of the primary key, as the service names it: 16 digits, upper case. */
  readonly id: string;
  /** Of the primary key and its subkeys. */
  readonly ids: readonly string[];
  readonly armor: string;
}

export interface OpenPgp {
  /** The ids of the keys that made a detached, binary signature. Throws Error in words for anything else. */
  readIssuers(signature: Uint8Array): Promise<readonly string[]>;
  /** All keys of a file, armored or not. Throws Error in words where it has none, or one that is private. */
  readKeys(file: Buffer): Promise<readonly PublicKey[]>;
  /**
   * The key that made the signature of this text, of those the one that it names; its subkeys count. Throws Error in words
   * where none of them did, or the service would not take it. `now`: milliseconds since 1970.
   */
  verify(signed: Signed, keys: readonly PublicKey[], now: number): Promise<PublicKey>;
}

interface Signed {
  readonly text: Uint8Array;
  readonly signature: Uint8Array;
}

/** Thrown by `verify` where none of the keys is the one that the signature names. */
export class OtherKey extends Error {}

const BEGIN = '-----BEGIN PGP PUBLIC KEY BLOCK-----';
const END = '-----END PGP PUBLIC KEY BLOCK-----';

export async function loadOpenPgp(): Promise<OpenPgp> {
  const openpgp = await import('openpgp').catch((error: unknown) => {
    throw new OrgctlError('failure', "can't load the package openpgp, which checks signatures", {
      reasons: [toReason(error)],
      hint: 'Install orgctl again, with its dependencies. Nothing was sent.',
      cause: error,
    });
  });
  // DSA is old, and taken by the service. A key whose expiry was changed has self-signatures younger than what it signed.
  const config = { rejectPublicKeyAlgorithms: new Set<never>(), allowInsecureVerificationWithReformattedKeys: true };
  const parsed = new WeakMap<PublicKey, Key>();

  const readSignature = async (bytes: Uint8Array) => {
    if (isArmored(bytes)) throw new Error('is armored, which Terraform refuses: sign without --armor');
    try {
      const signature = await openpgp.readSignature({ binarySignature: bytes, config });
      if (signature.packets.length > 0) return signature;
    } catch {
      // The parser's own error would not help people.
    }
    throw new Error('is not an OpenPGP signature');
  };
  const toPublicKey = (key: Key): PublicKey => {
    if (key.isPrivate()) throw new Error(PRIVATE);
    const made = { id: toId(key), ids: key.getKeys().map(toId), armor: key.armor() };
    parsed.set(made, key);
    return made;
  };
  const readBlock = async (block: string | Uint8Array): Promise<readonly PublicKey[]> => {
    const reading =
      typeof block === 'string'
        ? openpgp.readKeys({ armoredKeys: block, config })
        : openpgp.readKeys({ binaryKeys: block, config });
    const keys = await reading.catch(() => {
      throw new Error('is not an OpenPGP key');
    });
    return keys.map(toPublicKey);
  };

  return {
    async readIssuers(bytes) {
      const signature = await readSignature(bytes);
      return signature.getSigningKeyIDs().map((id) => id.toHex().toUpperCase());
    },
    async readKeys(file) {
      const text = file.toString('latin1');
      if (text.includes('-----BEGIN PGP PRIVATE KEY BLOCK-----')) throw new Error(PRIVATE);
      const blocks = listBlocks(text);
      if (blocks.length === 0) return await readBlock(file);
      return (await Promise.all(blocks.map(readBlock))).flat();
    },
    async verify({ text, signature: bytes }, keys, now) {
      const signature = await readSignature(bytes);
      const issuers = signature.getSigningKeyIDs().map((id) => id.toHex().toUpperCase());
      const found = issuers.flatMap((issuer) =>
        keys.filter(({ ids }) => ids.includes(issuer)).map((made) => ({ issuer, made })),
      );
      const [first] = found;
      if (first === undefined) {
        const which = keys.map(({ id }) => id).join(', ');
        throw new OtherKey(`is by the key ${issuers.join(', ')}, and the one given is ${which}`);
      }
      const { issuer, made } = first;
      const key = parsed.get(made);
      if (key === undefined) throw new Error('the key was read elsewhere');
      refuseAlgorithm(key, issuer);
      const created = signature.packets.map((packet) => packet.created?.getTime() ?? 0);
      const results = await openpgp.verify({
        message: await openpgp.createMessage({ binary: text }),
        signature,
        verificationKeys: key,
        // The clock of the machine that signed may be ahead of this one.
        date: new Date(Math.max(now, ...created)),
        format: 'binary',
        config,
      });
      const faults: string[] = [];
      for (const { verified, keyID } of results.signatures) {
        if (!key.getKeys().some((part) => part.getKeyID().equals(keyID))) continue;
        try {
          await verified;
          return made;
        } catch (error) {
          faults.push(toFault(toReason(error), made));
        }
      }
      throw new Error(faults[0] ?? 'is not one of a file');
    },
  };

  function refuseAlgorithm(key: Key, issuer: string): void {
    for (const part of key.getKeys() as readonly (Key | Subkey)[]) {
      const { algorithm } = part.getAlgorithmInfo();
      const counts = part === key || toId(part) === issuer;
      if (counts && !/^(?:rsa|dsa$)/.test(algorithm)) {
        throw new Error(`is by the key ${toId(part)}, which is ${algorithm}: the service takes RSA and DSA keys only`);
      }
    }
  }
}

const PRIVATE = 'holds a private key: give the public one alone (gpg --armor --export)';

/** The armored keys of a file, which may stand one after the other. */
function listBlocks(text: string): readonly string[] {
  const [, ...rest] = text.split(BEGIN);
  return rest.map((part) => `${BEGIN}${part.split(END, 1)[0]}${END}\n`);
}

function isArmored(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 64)).toString('latin1').trimStart().startsWith('-----BEGIN PGP');
}

function toId(key: Key | Subkey): string {
  return key.getKeyID().toHex().toUpperCase();
}

function toFault(reason: string, { id }: PublicKey): string {
  if (/^(?:Signed digest did not match|Signature verification failed)/.test(reason)) {
    return `doesn't fit the sums: they were changed after the key ${id} had signed them`;
  }
  if (reason === 'Signature is expired') return 'has expired';
  if (/\bexpired\b/.test(reason)) return `is by the key ${id}, which had expired when it signed`;
  return `is by the key ${id}, and not accepted: ${reason}`;
}
