import type { Client } from '../api/client.ts';
import { downloadFile, uploadFile } from '../api/provider-uploads.ts';
import {
  createPlatform,
  createVersion,
  findPlatform,
  findVersion,
  type ProviderPlatform,
  readPlatforms,
  type VersionAddress,
} from '../api/provider-versions.ts';
import { createProvider, findProvider } from '../api/providers.ts';
import { findDownload, findPrefix, isInstallable } from '../api/registry-protocol.ts';
import { createSigningKey, readSigningKeys, type SigningKey } from '../api/signing-keys.ts';
import { OrgctlError, ServiceError, UsageError } from '../lib/errors.ts';
import type { Runtime } from '../lib/runtime.ts';
import { isSameName, plural } from '../lib/text.ts';
import { formatPlatform, formatTarget } from './address.ts';
import type { PlatformFile, Release } from './release.ts';
import { verifySignature } from './signature.ts';

/** Milliseconds between the last reads, since the service may list a new part late. */
const DELAYS = [1000, 2000, 4000];

export interface Publication {
  client: Client;
  org: string;
  address: VersionAddress;
  release: Release;
  /** The key that made the signature. Undefined if the organization should have it. */
  givenKey: SigningKey | undefined;
  runtime: Pick<Runtime, 'now' | 'sleep'>;
  signal: AbortSignal;
  progress(text: string): void;
  warn(text: string): void;
}

interface PublicationStep {
  name: string;
  isFile?: boolean;
  run(): Promise<unknown>;
}

type Published = Awaited<ReturnType<typeof readPublished>>;
type PublicationPlan = ReturnType<typeof planSteps>;

/** Throws UsageError if the service has a different release of this version, or lacks the key. */
export async function planPublication(publication: Publication): Promise<PublicationPlan> {
  const published = await readPublished(publication);
  const key = await findKey(publication, published.keys);
  await assertSameRelease(publication, published, key);
  return planSteps(publication, published, key);
}

/** Returns the id of the version once Terraform can install it. */
export async function publish(publication: Publication, { key, steps }: PublicationPlan): Promise<string> {
  const files = steps.filter(({ isFile }) => isFile);
  for (const step of steps) {
    if (step.isFile) publication.progress(`Uploading: ${files.indexOf(step) + 1} of ${plural(files.length, 'file')}`);
    await step.run();
  }
  return waitUntilInstallable(publication, key);
}

async function readPublished({ client, org, address }: Publication) {
  const keys = await readSigningKeys(client, org);
  const hasProvider = (await findProvider(client, org, address)) !== undefined;
  const version = hasProvider ? await findVersion(client, address) : undefined;
  const platforms = version ? await readPlatforms(client, address) : [];
  return { keys, hasProvider, version, platforms };
}

/** Returns the key that made the signature: the organization's copy, if it has one. */
async function findKey(publication: Publication, keys: SigningKey[]): Promise<SigningKey> {
  const { org, givenKey, release, runtime } = publication;
  const known = givenKey ? keys.filter(({ keyId }) => isSameName(keyId, givenKey.keyId)) : keys;
  if (givenKey && known.length === 0) return givenKey;
  for (const { armor } of known) {
    const key = await verifySignature(release.signed, Buffer.from(armor), runtime.now()).catch(() => undefined);
    if (key) return key;
  }
  throw new UsageError(`${org} has no key for this signature`, {
    code: 'no-key',
    hint: givenKey
      ? `It has an older copy of ${givenKey.keyId}: sign with another key.`
      : 'Name one with --public-key.',
  });
}

async function assertSameRelease(publication: Publication, published: Published, key: SigningKey): Promise<void> {
  const { client, org, address, release } = publication;
  const { version, platforms } = published;
  if (!version) return;
  const reasons: string[] = [];
  if (!isSameName(version.keyId, key.keyId)) {
    reasons.push(`It was created with the key ${version.keyId || '(none)'}, and ${key.keyId} signed this release.`);
  }
  if (version.sums.hasFile) {
    const sums = await downloadFile(client, org, release.sums.name, version.sumsDownload);
    if (sums !== Buffer.from(release.signed.text).toString('utf8')) reasons.push('Its SHA256SUMS differ.');
  }
  for (const file of release.platforms) {
    const existing = findSame(platforms, file);
    if (existing && !isSameFile(existing, file)) reasons.push(`Its ${formatPlatform(file)} differs.`);
  }
  if (reasons.length === 0) return;
  const target = formatTarget(address);
  throw new UsageError(`${target} already exists, and is a different release`, {
    code: 'other-release',
    reasons,
    hint: `Publish a new version, or delete this one first: \`orgctl providers delete ${target}\``,
  });
}

/** The missing parts, in order, and the version if it is there. */
function planSteps(publication: Publication, published: Published, key: SigningKey) {
  const { client, org, address, release } = publication;
  const { hasProvider, keys, version, platforms } = published;
  const steps: PublicationStep[] = [];
  if (!hasProvider) steps.push({ name: 'provider', run: () => createProvider(client, org, address) });
  if (!keys.some(({ keyId }) => isSameName(keyId, key.keyId))) {
    steps.push({ name: `key ${key.keyId}`, run: () => createSigningKey(client, org, key) });
  }
  if (!version) {
    const { protocols = ['5.0'] } = release;
    steps.push({ name: 'version', run: () => createVersion(client, address, key.keyId, protocols) });
  }
  const createStep = (name: string, part: 'sums' | 'signature'): PublicationStep => {
    const find = async () => (await findVersion(client, address))?.[part];
    return { name, isFile: true, run: () => uploadFile(client, org, release[part], find) };
  };
  if (!version?.sums.hasFile) steps.push(createStep('SHA256SUMS', 'sums'));
  if (!version?.signature.hasFile) steps.push(createStep('signature', 'signature'));
  for (const file of release.platforms) {
    const existing = findSame(platforms, file);
    if (existing?.hasFile) continue;
    const platform = { ...address, os: file.os, arch: file.arch };
    steps.push({
      name: formatPlatform(file),
      isFile: true,
      async run() {
        if (!existing) await createPlatform(client, platform, file.sum, file.name);
        await uploadFile(client, org, file, () => findPlatform(client, platform));
      },
    });
  }
  return { key, id: version?.id, steps };
}

/** Reads the version as Terraform does. Throws `incomplete` if a part is missing after all retries. */
async function waitUntilInstallable(publication: Publication, key: SigningKey): Promise<string> {
  const { address, runtime, signal } = publication;
  let missing: string[] = [];
  for (const delay of [0, ...DELAYS]) {
    await runtime.sleep(delay, signal);
    const { steps, id = '' } = planSteps(publication, await readPublished(publication), key);
    missing = steps.map(({ name }) => name);
    if (missing.length === 0) missing = await listUnavailable(publication);
    if (missing.length === 0) return id;
  }
  throw new OrgctlError('incomplete', `${formatTarget(address)} can't be installed yet`, {
    reasons: [`Missing: ${missing.join(', ')}.`],
    hint: 'Run it again.',
  });
}

/** Lists what Terraform would not find. */
async function listUnavailable({ client, address, release, warn }: Publication): Promise<string[]> {
  try {
    const prefix = await findPrefix(client, 'providers.v1');
    if (!(await isInstallable(client, prefix, address))) return [address.version];
    const missing: string[] = [];
    for (const file of release.platforms) {
      const found = await findDownload(client, prefix, { ...address, os: file.os, arch: file.arch });
      if (!found?.hasKey || !isSameFile(found, file)) missing.push(formatPlatform(file));
    }
    return missing;
  } catch (error) {
    // The service does not say which tokens may read this (facts).
    if (!(error instanceof ServiceError) || ![401, 403].includes(error.status)) throw error;
    warn(`your token can't read what Terraform reads (${error.status})`);
    return [];
  }
}

function findSame(platforms: ProviderPlatform[], { os, arch }: PlatformFile): ProviderPlatform | undefined {
  return platforms.find((one) => one.os === os && one.arch === arch);
}

function isSameFile({ sum, filename }: { sum: unknown; filename: unknown }, file: PlatformFile): boolean {
  return filename === file.name && String(sum).toLowerCase() === file.sum;
}
