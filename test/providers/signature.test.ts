import { expect, test } from 'vitest';
import { verifySignature } from '../../src/providers/signature.ts';
import { createSigningKey, signDetached } from '../support/release.ts';

const NOW = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const text = Buffer.from('sums');
const created = new Date(NOW - 30 * DAY);
const key = await createSigningKey({ created });
const sign = async (signer: typeof key, date = NOW) => ({
  text,
  signature: await signDetached(text, signer, new Date(date)),
});

test('sends only the public half of a private key', async () => {
  const { keyId, armor } = await verifySignature(await sign(key), key.privateKey, NOW);
  expect(keyId).toBe(key.id);
  expect(armor).toMatch(/^-----BEGIN PGP PUBLIC KEY BLOCK-----\r?\n/);
  expect(armor).not.toContain('PRIVATE');
});

test('the clock of the machine that signed may be ahead', async () => {
  expect((await verifySignature(await sign(key, NOW + DAY), key.publicKey, NOW)).keyId).toBe(key.id);
});

test('a key may have expired since it signed, but not before', async () => {
  const expired = await createSigningKey({ created, lifetime: (20 * DAY) / 1000 });
  const verify = async (date: number) => verifySignature(await sign(expired, date), expired.publicKey, NOW);
  expect((await verify(NOW - 15 * DAY)).keyId).toBe(expired.id);
  await expect(verify(NOW - 5 * DAY)).rejects.toThrow('expired');
});
