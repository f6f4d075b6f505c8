import * as openpgp from 'openpgp';
import { expect, test } from 'vitest';
import { formatInOneLine, OrgctlError } from '../../src/lib/errors.ts';
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
  const { keyId, armor } = await verifySignature(await sign(key), Buffer.from(key.privateKey), NOW);
  expect(keyId).toBe(key.id);
  expect(armor).toMatch(/^-----BEGIN PGP PUBLIC KEY BLOCK-----\r?\n/);
  expect(armor).not.toContain('PRIVATE');
});

const unarmor = async (armor: string) => Buffer.from((await openpgp.unarmor(armor)).data as Uint8Array);
const binary = { public: await unarmor(key.publicKey), private: await unarmor(key.privateKey) };
const armorKeys = async (...all: (typeof key)[]): Promise<string> => {
  const data = Buffer.concat(await Promise.all(all.map(({ publicKey }) => unarmor(publicKey))));
  return openpgp.armor(openpgp.enums.armor.publicKey, data);
};
const rsa = await createSigningKey({ created });
const ecc = await createSigningKey({ created, type: 'ecc' });
const older = await createSigningKey({ created, lifetime: 1 });

test.each<[what: string, file: string | Uint8Array]>([
  ['a binary key', binary.public],
  ['a binary private key', binary.private],
  ['several binary keys', Buffer.concat([await unarmor(ecc.publicKey), await unarmor(rsa.publicKey), binary.public])],
  ['several blocks', `${ecc.publicKey}\n${rsa.privateKey}${key.publicKey}`],
  ['blocks with text around them', `pub rsa2048\r\n${rsa.publicKey}\r\n\r\nRelease key:\r\n${key.publicKey}bye\r\n`],
  ['several keys in one block', (await armorKeys(rsa, key)).replaceAll('\n', '\r\n')],
  ['UTF-16, as PowerShell writes it', Buffer.from(`\ufeff${key.publicKey}`, 'utf16le')],
  ['UTF-16 of the other order', Buffer.from(`\ufeff${key.publicKey}`, 'utf16le').swap16()],
])('finds the key in %s', async (_what, file) => {
  const { keyId, armor } = await verifySignature(await sign(key), Buffer.from(file), NOW);
  expect([keyId, armor.includes('PRIVATE')]).toEqual([key.id, false]);
});

test.each([
  ['half a key', 'has no OpenPGP key', key.publicKey.slice(0, 200)],
  ['an empty file', 'has no OpenPGP key', ''],
  ['other keys', 'Could not find signing key with key ID', rsa.publicKey + older.publicKey],
  ['text', 'has no OpenPGP key', 'ssh-rsa AAAA'],
])('refuses %s: %s', async (_what, reason, file) => {
  const failure = await verifySignature(await sign(key), Buffer.from(file), NOW).catch((error: OrgctlError) => error);
  expect(failure instanceof OrgctlError && formatInOneLine(failure)).toContain(reason);
});

test('the clock of the machine that signed may be ahead', async () => {
  expect((await verifySignature(await sign(key, NOW + DAY), Buffer.from(key.publicKey), NOW)).keyId).toBe(key.id);
});

test('a key may have expired since it signed, but not before', async () => {
  const expired = await createSigningKey({ created, lifetime: (20 * DAY) / 1000 });
  const verify = async (date: number) =>
    verifySignature(await sign(expired, date), Buffer.from(expired.publicKey), NOW);
  expect((await verify(NOW - 15 * DAY)).keyId).toBe(expired.id);
  await expect(verify(NOW - 5 * DAY)).rejects.toMatchObject({ reasons: [expect.stringContaining('expired')] });
});
