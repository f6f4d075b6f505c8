import type { Client } from './client.ts';
import { createSigningKeys } from './gpg-keys.ts';
import { createInstallable } from './installable.ts';
import { createProviderVersions } from './provider-versions.ts';
import { createUploads } from './uploads.ts';

export type PrivateRegistry = ReturnType<typeof createPrivateRegistry>;

/** Few commands need this part, so only they load it. */
export function createPrivateRegistry(client: Client, baseUrl: URL, warn: (text: string) => void) {
  return {
    versions: createProviderVersions(client, warn),
    keys: createSigningKeys(client, warn),
    uploads: createUploads(client, baseUrl),
    installable: createInstallable(client, baseUrl, warn),
  };
}
