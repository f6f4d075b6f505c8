import type { SigningKey } from '../api/signing-keys.ts';
import { formatReason } from '../lib/errors.ts';
import type { Release } from './release.ts';

/**
 * The one of these armored keys that made the signature: Terraform takes a detached, binary one. Throws Error, mostly in
 * openpgp's own words. `now` in milliseconds since 1970.
 */
export async function verifySignature(
  { text, signature: bytes }: Release['signed'],
  armor: string,
  now: number,
): Promise<SigningKey> {
  const openpgp = await import('openpgp');
  // The service takes DSA. A key whose expiry was changed has younger self-signatures than what it signed.
  const config = { rejectPublicKeyAlgorithms: new Set<never>(), allowInsecureVerificationWithReformattedKeys: true };
  const signature = await openpgp.readSignature({ binarySignature: bytes, config }).catch((error: unknown) => {
    throw new Error(`it is no binary OpenPGP signature, as gpg --detach-sign makes it (${formatReason(error)})`);
  });
  const keys = await openpgp.readKeys({ armoredKeys: armor, config });
  const issuers = signature.getSigningKeyIDs();
  const key = keys.find((one) => issuers.some((issuer) => one.getKeys(issuer).length > 0)) ?? keys[0];
  if (!key) throw new Error('the file has no key');
  const { algorithm } = key.getAlgorithmInfo();
  if (!/^(rsa|dsa$)/.test(algorithm))
    throw new Error(`the key is ${algorithm}, and the service takes RSA and DSA alone`);
  // The clock of the machine that signed may be ahead.
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
