import { orUndefined } from '../errors.ts';
import { getMember, isObject, toText } from '../json-object.ts';
import { once } from '../once.ts';
import type { ProviderAddress } from '../resources/provider-address.ts';
import { type Client, readObject } from './client.ts';
import { findPrefix } from './discovery.ts';

/** What the service says that Terraform can download for a platform. */
interface Package {
  readonly filename: string | undefined;
  readonly sum: string | undefined;
  readonly keys: readonly string[];
}

/** Private providers as Terraform sees them when it installs one: the registry protocol, outside the document. */
export function createInstallable(client: Client, baseUrl: URL, warn: (text: string) => void) {
  const getPrefix = once(() =>
    findPrefix(client, baseUrl, { name: 'providers.v1', usual: '/api/registry/v1/providers' }, warn),
  );
  // Terraform asks in small letters.
  const toNames = ({ namespace, name }: ProviderAddress) => ({
    namespace: namespace.toLowerCase(),
    name: name.toLowerCase(),
  });
  return {
    /** Whether the version is listed. Throws ServiceError but for 404. */
    async hasVersion(address: ProviderAddress, version: string): Promise<boolean> {
      const parameters = toNames(address);
      const call = { operation: 'list-installable-versions', parameters, prefix: await getPrefix() } as const;
      const answer = await orUndefined(client.read(call));
      const versions = answer === undefined ? [] : readObject(answer)['versions'];
      return Array.isArray(versions) && versions.some((each) => getMember(each, 'version') === version);
    },
    /** Undefined where there is none. Throws ServiceError but for 404. */
    async findPackage(
      address: ProviderAddress,
      version: string,
      { os, arch }: { readonly os: string; readonly arch: string },
    ): Promise<Package | undefined> {
      const parameters = { ...toNames(address), version, os, arch };
      const call = { operation: 'find-package', parameters, prefix: await getPrefix() } as const;
      const answer = await orUndefined(client.read(call));
      if (answer === undefined) return undefined;
      const found = readObject(answer);
      const keys = getMember(found, 'signing_keys', 'gpg_public_keys');
      return {
        filename: toText(found['filename']),
        sum: toText(found['shasum']),
        keys: Array.isArray(keys) ? keys.filter(isObject).flatMap((key) => toText(key['key_id']) ?? []) : [],
      };
    },
  };
}
