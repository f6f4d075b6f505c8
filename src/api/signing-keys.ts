import { isSameName } from '../lib/text.ts';
import type { Client } from './client.ts';
import { readResource } from './error-document.ts';
import { createCall } from './operations.ts';
import { createList, readAll } from './pagination.ts';

/** A public key that checks the signatures of an organization's private providers. Keys are outside the document (facts). */
export interface SigningKey {
  /** 16 hexadecimal digits, which identify the key in its namespace. */
  keyId: string;
  armor: string;
}

export async function readSigningKeys(client: Client, org: string): Promise<SigningKey[]> {
  const call = createCall('list-signing-keys', { org }, [['filter[namespace]', org]]);
  const keys = await readAll(createList(client, call));
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
    read(response) {
      readResource(response);
      return true as const;
    },
    async findOutcome() {
      const keys = await readSigningKeys(client, org);
      return keys.some(({ keyId }) => isSameName(keyId, key.keyId)) && { value: true as const };
    },
  });
}
