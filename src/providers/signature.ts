import type { Config, Key } from 'openpgp';
import type { SigningKey } from '../api/signing-keys.ts';
import { formatReason, UsageError } from '../lib/errors.ts';
import { decodeTextOrBytes } from '../lib/input-text.ts';
import type { Release } from './release.ts';

const BLOCK = /-----BEGIN PGP (PUBLIC|PRIVATE) KEY BLOCK-----.*?-----END PGP \1 KEY BLOCK-----/gs;

/**
 * Returns the one of the keys that made the signature. Terraform takes only a detached, binary signature. `bytes` is armored,
 * in one block or several, or binary. Throws UsageError.
 */
export async function verifySignature(
  { text, signature: signatureBytes }: Release['signed'],
  bytes: Uint8Array,
  now: number,
  name = 'the file',
): Promise<SigningKey> {
  const openpgp = await import('openpgp');
  // The service takes DSA. A changed expiry gives a key self-signatures that are younger than its signatures.
  const config = { rejectPublicKeyAlgorithms: new Set<never>(), allowInsecureVerificationWithReformattedKeys: true };
  const refuse = (...reasons: string[]): never => {
    throw new UsageError(`the signature is not by ${name}`, { code: 'release', reasons });
  };
  const signature = await openpgp
    .readSignature({ binarySignature: signatureBytes, config })
    .catch((error: unknown) =>
      refuse('It is not a binary OpenPGP signature as gpg --detach-sign makes it.', formatReason(error)),
    );
  const keys = await readKeys(bytes, name, config);
  const issuers = signature.getSigningKeyIDs();
  const matching = keys.filter((key) => issuers.some((issuer) => key.getKeys(issuer).length > 0));
  // The clock of the signing machine may be ahead.
  const created = signature.packets.map((packet) => packet.created?.getTime() ?? 0);
  const date = new Date(Math.max(now, ...created));
  const message = await openpgp.createMessage({ binary: text });
  let reason = '';
  for (const key of matching.length > 0 ? matching : keys) {
    try {
      const { algorithm } = key.getAlgorithmInfo();
      if (!/^(rsa|dsa$)/.test(algorithm))
        throw new Error(`the key is ${algorithm}, but the service takes only RSA and DSA`);
      await openpgp.verify({ message, signature, verificationKeys: key, expectSigned: true, date, config });
      return { keyId: key.getKeyID().toHex().toUpperCase(), armor: key.toPublic().armor() };
    } catch (error) {
      reason ||= formatReason(error);
    }
  }
  return refuse(reason);
}

async function readKeys(bytes: Uint8Array, name: string, config: Partial<Config>): Promise<Key[]> {
  const openpgp = await import('openpgp');
  const blocks = decodeTextOrBytes(bytes)
    .match(BLOCK)
    ?.map((armoredKeys) => openpgp.readKeys({ armoredKeys, config }));
  try {
    return (await Promise.all(blocks ?? [openpgp.readKeys({ binaryKeys: bytes, config })])).flat();
  } catch (error) {
    throw new UsageError(`${name} has no OpenPGP key`, { code: 'release', reasons: [formatReason(error)] });
  }
}
