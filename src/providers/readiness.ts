import pMap from 'p-map';
import semver from 'semver';
import type { Client } from '../api/client.ts';
import { flatten } from '../api/flatten.ts';
import { catchNotFound } from '../api/not-found.ts';
import { type ProviderPlatform, type ProviderVersion, readPlatforms, readVersions } from '../api/provider-versions.ts';
import type { ProviderAddress } from '../api/providers.ts';
import type { JsonObject } from '../lib/json.ts';
import { formatPlatform } from './address.ts';

const CONCURRENCY = 8;

export interface Readiness {
  /** Whether Terraform can install it. */
  ready: boolean;
  missing: string[];
}

export const NO_VERSION: Readiness = { ready: false, missing: ['version'] };

export function createReadiness(
  { hasSums, hasSignature }: Pick<ProviderVersion, 'hasSums' | 'hasSignature'>,
  platforms: Pick<ProviderPlatform, 'os' | 'arch' | 'hasFile'>[],
): Readiness {
  const missing = [
    ...(hasSums ? [] : ['SHA256SUMS']),
    ...(hasSignature ? [] : ['signature']),
    ...(platforms.length === 0 ? ['platform'] : []),
    ...platforms.filter(({ hasFile }) => !hasFile).map((platform) => `file of ${formatPlatform(platform)}`),
  ];
  return { ready: missing.length === 0, missing };
}

/** Sorts the newest first, and text that is not a version last. */
export function sortVersions<T extends { version: string }>(versions: T[]): T[] {
  const parse = ({ version }: T) => semver.parse(version) ?? '0.0.0-0';
  return versions.toSorted((one, other) => semver.rcompare(parse(one), parse(other)));
}

export async function readVersionRows(
  client: Client,
  address: ProviderAddress,
): Promise<(JsonObject & Readiness & { version: string })[]> {
  const versions = sortVersions(await readVersions(client, address));
  return pMap(versions, (version) => readRow(client, address, version), { concurrency: CONCURRENCY });
}

async function readRow(client: Client, address: ProviderAddress, known: ProviderVersion) {
  const { version, resource } = known;
  const platforms = await readPlatforms(client, { ...address, version });
  return {
    ...flatten(resource),
    version,
    platforms: platforms.map(formatPlatform),
    ...createReadiness(known, platforms),
  };
}

/** Takes the newest version that is ready, else the newest. Undefined if the service shows no versions. */
export async function findReadiness(client: Client, address: ProviderAddress): Promise<Readiness | undefined> {
  const versions = await catchNotFound(readVersions(client, address));
  if (!versions) return undefined;
  let newest: Readiness | undefined;
  for (const version of sortVersions(versions)) {
    const { ready, missing } = await readRow(client, address, version);
    if (ready) return { ready, missing };
    newest ??= { ready, missing };
  }
  return newest ?? NO_VERSION;
}
