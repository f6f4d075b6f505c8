import pMap from 'p-map';
import semver from 'semver';
import type { Client } from '../api/client.ts';
import { flatten } from '../api/flatten.ts';
import { catchNotFound, isRefused } from '../api/not-found.ts';
import { type ProviderPlatform, type ProviderVersion, readPlatforms, readVersions } from '../api/provider-versions.ts';
import type { ProviderAddress } from '../api/providers.ts';
import { readSigningKeys } from '../api/signing-keys.ts';
import { isSameName } from '../lib/text.ts';
import { formatPlatform } from './address.ts';

const CONCURRENCY = 8;

/** HashiCorp's own key, which the service knows (facts). */
const BUILT_IN_KEY = '34365D9472D7468F';

export interface Readiness {
  /** Whether Terraform can install it. Null if the service does not show the organization's keys. */
  ready: boolean | null;
  missing: string[];
}

export const NO_VERSION: Readiness = { ready: false, missing: ['version'] };

export function createReadiness(
  { sums, signature, keyId }: Pick<ProviderVersion, 'sums' | 'signature' | 'keyId'>,
  platforms: Pick<ProviderPlatform, 'os' | 'arch' | 'hasFile'>[],
  keyIds: string[] | undefined,
): Readiness {
  const hasKey = [BUILT_IN_KEY, ...(keyIds ?? [keyId])].some((one) => isSameName(one, keyId));
  const missing = [
    ...(sums.hasFile ? [] : ['SHA256SUMS']),
    ...(signature.hasFile ? [] : ['signature']),
    ...(platforms.length === 0 ? ['platform'] : []),
    ...platforms.filter(({ hasFile }) => !hasFile).map((platform) => `file of ${formatPlatform(platform)}`),
    ...(hasKey ? [] : [`key ${keyId}`.trim()]),
  ];
  const isKnown = keyIds !== undefined || missing.length > 0;
  return { ready: isKnown ? missing.length === 0 : null, missing };
}

/** The ids are undefined if the service does not show the keys. */
async function readSorted(client: Client, address: ProviderAddress) {
  const versions = sortVersions(await readVersions(client, address));
  if (versions.length === 0) return { versions, keyIds: [] };
  const keys = await catchNotFound(readSigningKeys(client, address.namespace), isRefused);
  return { versions, keyIds: keys?.map(({ keyId }) => keyId) };
}

/** Sorts the newest first, and text that is not a version last. */
export function sortVersions<T extends { version: string }>(versions: T[]): T[] {
  const parse = ({ version }: T) => semver.parse(version) ?? '0.0.0-0';
  return versions.toSorted((one, other) => semver.rcompare(parse(one), parse(other)));
}

export async function readVersionRows(client: Client, address: ProviderAddress) {
  const { versions, keyIds } = await readSorted(client, address);
  return pMap(versions, (version) => readRow(client, address, version, keyIds), { concurrency: CONCURRENCY });
}

async function readRow(client: Client, address: ProviderAddress, known: ProviderVersion, keyIds: string[] | undefined) {
  const { version, resource } = known;
  const platforms = await readPlatforms(client, { ...address, version });
  return {
    ...flatten(resource),
    version,
    platforms: platforms.map(formatPlatform),
    ...createReadiness(known, platforms, keyIds),
  };
}

/** Takes the newest version that is ready, else the newest. Undefined if the service shows no versions. */
export async function findReadiness(client: Client, address: ProviderAddress): Promise<Readiness | undefined> {
  const found = await catchNotFound(readSorted(client, address));
  if (!found) return undefined;
  let newest: Readiness | undefined;
  for (const version of found.versions) {
    const { ready, missing } = await readRow(client, address, version, found.keyIds);
    if (ready !== false) return { ready, missing };
    newest ??= { ready, missing };
  }
  return newest ?? NO_VERSION;
}
