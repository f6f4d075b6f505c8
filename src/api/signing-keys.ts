import { isSameName } from '../lib/text.ts';
import type { Client } from './client.ts';
import { readResource } from './error-document.ts';
import { QUIETLY } from './memberships.ts';
import { createCall } from './operations.ts';
import { fetchPages, readAll } from './pagination.ts';

/** A public key that the signatures of an organization's private providers are checked with. Outside the document (facts). */
export interface SigningKey {
  /** 16 hexadecimal digits. A key is addressed by its namespace and these, not by its id. */
  keyId: string;
  armor: string;
}

export async function readSigningKeys(client: Client, org: string): Promise<SigningKey[]> {
  const call = createCall('list-signing-keys', { org }, [['filter[namespace]', org]]);
  const keys = await readAll({ ...QUIETLY, what: call.what, fetch: fetchPages(client, call) });
  return keys.map(({ attributes = {} }) => ({
    keyId: String(attributes['key-id']),
    armor: String(attributes['ascii-armor']),
  }));
}

/** Undefined in a dry run. */
export async function createSigningKey(client: Client, org: string, key: SigningKey): Promise<true | undefined> {
  const attributes = { namespace: org, 'ascii-armor': key.armor };
  return client.write(createCall('create-signing-key', { org, key: key.keyId }), {
    body: JSON.stringify({ data: { type: 'gpg-keys', attributes } }),
    read: (response) => Boolean(readResource(response)) as true,
    look: async () => {
      const found = (await readSigningKeys(client, org)).find(({ keyId }) => isSameName(keyId, key.keyId));
      return found !== undefined && { value: true as const };
    },
  });
}
