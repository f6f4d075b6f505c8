import { createHash, randomFillSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import * as openpgp from 'openpgp';

/** Releases of a provider as goreleaser makes them, with a key made for them. */

export interface SigningKey {
  /** 16 digits, of the primary key. */
  id: string;
  /** Armored. */
  publicKey: string;
  privateKey: string;
}

interface KeyOptions {
  type?: 'rsa' | 'ecc';
  /** Default: now. */
  created?: Date;
  /** Seconds after `created`, by what the public key says; never when left out. */
  lifetime?: number;
  /** Whether a subkey signs, and not the primary key. */
  subkey?: boolean;
}

const USER = [{ name: 'Test', email: 'test@example.com' }];

/** RSA takes some tenths of a second: make one for a whole file of tests. */
export async function createSigningKey(options: KeyOptions = {}): Promise<SigningKey> {
  const { type = 'rsa', created = new Date(), lifetime, subkey = false } = options;
  const made = await openpgp.generateKey({
    ...(type === 'rsa' ? { type, rsaBits: 2048 } : { type, curve: 'ed25519Legacy' as const }),
    userIDs: USER,
    date: created,
    subkeys: subkey ? [{ sign: true }] : [],
    format: 'object',
  });
  // The private key goes on signing.
  const { publicKey } =
    lifetime === undefined
      ? made
      : await openpgp.reformatKey({
          privateKey: made.privateKey,
          userIDs: USER,
          date: created,
          keyExpirationTime: lifetime,
          format: 'object',
        });
  return {
    id: publicKey.getKeyID().toHex().toUpperCase(),
    publicKey: publicKey.armor(),
    privateKey: made.privateKey.armor(),
  };
}

/** A detached signature, as `gpg --detach-sign` makes it. By a subkey where the key has one that signs. */
export async function signDetached(text: string | Uint8Array, key: SigningKey, date?: Date): Promise<Buffer> {
  const binary = typeof text === 'string' ? Buffer.from(text) : text;
  const signature = await openpgp.sign({
    message: await openpgp.createMessage({ binary }),
    signingKeys: await openpgp.readPrivateKey({ armoredKey: key.privateKey }),
    detached: true,
    format: 'binary',
    ...(date === undefined ? {} : { date }),
  });
  return Buffer.from(signature as Uint8Array);
}

interface ReleaseOptions {
  /** The folder; made where it is not there. */
  dir: string;
  key: SigningKey;
  version?: string;
  /** `linux_amd64` */
  platforms?: string[];
  /** Bytes of the program in each zip. */
  size?: number;
  /** What the manifest says; none where null. */
  protocols?: string[] | null;
}

export interface Release {
  dir: string;
  /** `terraform-provider-billing_1.2.0` */
  stem: string;
  /** The whole paths. */
  sums: string;
  signature: string;
  publicKey: string;
  manifest: string;
  zip(platform: string): string;
  /** Other sums, with a signature that fits them. */
  writeSums(text: string, signer?: SigningKey): Promise<void>;
}

export const PLATFORMS = ['darwin_arm64', 'linux_amd64', 'windows_amd64'];

export async function createRelease(options: ReleaseOptions): Promise<Release> {
  const { dir, key, version = '1.2.0', platforms = PLATFORMS, size = 1000, protocols = ['6.0'] } = options;
  const stem = `terraform-provider-billing_${version}`;
  mkdirSync(dir, { recursive: true });
  const at = (ending: string): string => join(dir, `${stem}${ending}`);
  const files = new Map<string, Buffer>();
  for (const platform of platforms) {
    const program = randomFillSync(Buffer.alloc(size));
    files.set(`${stem}_${platform}.zip`, zip(`terraform-provider-billing_v${version}`, program));
  }
  if (protocols !== null) {
    const manifest = { version: 1, metadata: { protocol_versions: protocols } };
    files.set(`${stem}_manifest.json`, Buffer.from(`${JSON.stringify(manifest)}\n`));
  }
  for (const [file, bytes] of files) writeFileSync(join(dir, file), bytes);
  const release: Release = {
    dir,
    stem,
    sums: at('_SHA256SUMS'),
    signature: at('_SHA256SUMS.sig'),
    publicKey: join(dir, 'key.asc'),
    manifest: at('_manifest.json'),
    zip: (platform) => at(`_${platform}.zip`),
    async writeSums(text, signer = key) {
      writeFileSync(release.sums, text);
      writeFileSync(release.signature, await signDetached(text, signer));
    },
  };
  writeFileSync(release.publicKey, key.publicKey);
  await release.writeSums([...files].map(([file, bytes]) => `${computeSum(bytes)}  ${file}\n`).join(''));
  return release;
}

export function computeSum(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** One file in a zip, as it is. */
function zip(name: string, bytes: Buffer): Buffer {
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(20, 4);
  local.writeUInt16LE(0x21, 12);
  local.writeUInt32LE(crc32(bytes), 14);
  local.writeUInt32LE(bytes.length, 18);
  local.writeUInt32LE(bytes.length, 22);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  // Made on Unix, so that the mode counts: a program.
  entry.writeUInt16LE(0x0314, 4);
  local.copy(entry, 6, 4, 30);
  entry.writeUInt32LE((0o100755 << 16) >>> 0, 38);
  const start = local.length + name.length + bytes.length;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length + name.length, 12);
  end.writeUInt32LE(start, 16);
  return Buffer.concat([local, Buffer.from(name), bytes, entry, Buffer.from(name), end]);
}
