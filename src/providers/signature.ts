import type { SigningKey } from '../api/signing-keys.ts';
import { formatReason } from '../lib/errors.ts';
import type { Release } from './release.ts';

/**
 * Returns the one of the armored keys that made the signature. Terraform takes only a detached, binary signature. Throws Error.
 */
export async function verifySignature(
  { text, signature: bytes }: Release['signed'],
  armor: string,
  now: number,
): Promise<SigningKey> {
  const openpgp = await import('openpgp');
  // The service takes DSA. A changed expiry gives a key self-signatures that are younger than its signatures.
  const config = { rejectPublicKeyAlgorithms: new Set<never>(), allowInsecureVerificationWithReformattedKeys: true };
  const signature = await openpgp.readSignature({ binarySignature: bytes, config }).catch((error: unknown) => {
    throw new Error(`it is not a binary OpenPGP signature as gpg --detach-sign makes it (${formatReason(error)})`);
  });
  const keys = await openpgp.readKeys({ armoredKeys: armor, config });
  const issuers = signature.getSigningKeyIDs();
  const key = keys.find((one) => issuers.some((issuer) => one.getKeys(issuer).length > 0)) ?? keys[0];
  if (!key) throw new Error('the file has no key');
  const { algorithm } = key.getAlgorithmInfo();
  if (!/^(rsa|dsa$)/.test(algorithm))
    throw new Error(`the key is ${algorithm}, but the service takes only RSA and DSA`);
  // The clock of the signing machine may be ahead.
  const created = signature.packets.map((packet) => packet.created?.getTime() ?? 0);
  await openpgp.verify({
    message: await openpgp.createMessage({ binary: text }),
    signature,
    verificationKeys: key,
    expectSigned: true,
    date: new Date(Math.max(now, ...created)),
    config,
  });
  return { keyId: key.getKeyID().toHex().toUpperCase(), armor: key.toPublic().armor() };
}
