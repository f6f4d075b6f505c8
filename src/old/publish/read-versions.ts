import { orUndefined, ServiceError } from '../errors.ts';
import type { ProviderAddress } from '../resources/provider-address.ts';
import { compareNewestFirst } from '../resources/version-order.ts';
import type { SigningKey } from '../service/gpg-keys.ts';
import type { PrivateRegistry } from '../service/private-registry.ts';
import type { ProviderPlatform, ProviderVersion } from '../service/provider-versions.ts';
import { judgeVersion, NO_VERSION, type Readiness } from './readiness.ts';

/** The versions of a private provider, and whether Terraform can install them. */

export interface DescribedVersion {
  readonly version: ProviderVersion;
  readonly platforms: readonly ProviderPlatform[];
  readonly readiness: Readiness;
}

/** Newest first. Throws ServiceError. */
export async function describeVersions(
  registry: PrivateRegistry,
  address: ProviderAddress,
): Promise<readonly DescribedVersion[]> {
  const versions = await listNewestFirst(registry, address);
  const keys = await readKeys(registry, address.namespace, versions);
  return await Promise.all(versions.map((version) => describe(registry, address, version, keys)));
}

/**
 * Whether there is a version that Terraform can install; if not, what the newest one lacks. Undefined where the service
 * does not say.
 */
export async function findReadiness(
  registry: PrivateRegistry,
  address: ProviderAddress,
): Promise<Readiness | undefined> {
  const versions = await orUndefined(listNewestFirst(registry, address));
  if (versions === undefined) return undefined;
  const keys = await readKeys(registry, address.namespace, versions);
  let newest: Readiness | undefined;
  for (const version of versions) {
    const { readiness } = await describe(registry, address, version, keys);
    if (readiness.ready) return readiness;
    newest ??= readiness;
  }
  return newest ?? NO_VERSION;
}

async function listNewestFirst(
  { versions }: PrivateRegistry,
  address: ProviderAddress,
): Promise<readonly ProviderVersion[]> {
  const all = await versions.list(address);
  return all.toSorted((one, other) => compareNewestFirst(one.version, other.version));
}

/** Undefined where this token may not see them. */
async function readKeys(
  { keys }: PrivateRegistry,
  organization: string,
  versions: readonly ProviderVersion[],
): Promise<readonly SigningKey[] | undefined> {
  if (versions.length === 0) return undefined;
  return await keys.list(organization).catch((error: unknown) => {
    if (error instanceof ServiceError && [403, 404].includes(error.status)) return undefined;
    throw error;
  });
}

async function describe(
  { versions }: PrivateRegistry,
  address: ProviderAddress,
  version: ProviderVersion,
  keys: readonly SigningKey[] | undefined,
): Promise<DescribedVersion> {
  const platforms = await versions.listPlatforms({ ...address, version: version.version });
  return { version, platforms, readiness: judgeVersion({ version, platforms, keys }) };
}
