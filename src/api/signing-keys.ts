import { isSameName } from '../lib/text.ts';
import type { Client } from './client.ts';
import { createCall, operation } from './operations.ts';
import { createList } from './pagination.ts';
import { CAN_MANAGE_PROVIDERS } from './providers.ts';
import { createResource } from './writes.ts';

const SIGNING_KEYS = '/api/registry/private/v2/gpg-keys';
const DETAILS = { isAtOrigin: true, who: CAN_MANAGE_PROVIDERS };
const LIST_SIGNING_KEYS = operation('GET', SIGNING_KEYS, 'list the signing keys of :org', DETAILS);
const CREATE_SIGNING_KEY = operation('POST', SIGNING_KEYS, 'add the signing key :key to :org', DETAILS);

/** A public key that checks the signatures of an organization's private providers. Keys are outside the document (facts). */
export interface SigningKey {
  /** 16 hexadecimal digits, which identify the key in its namespace. */
  keyId: string;
  armor: string;
}

export async function readSigningKeys(client: Client, org: string): Promise<SigningKey[]> {
  const call = createCall(LIST_SIGNING_KEYS, { org }, [['filter[namespace]', org]]);
  const keys = await createList(client, call).all();
  return keys.map(({ attributes = {} }) => ({
    keyId: String(attributes['key-id']),
    armor: String(attributes['ascii-armor']),
  }));
}

export async function createSigningKey(client: Client, org: string, key: SigningKey): Promise<unknown> {
  const data = { type: 'gpg-keys', attributes: { namespace: org, 'ascii-armor': key.armor } };
  const call = createCall(CREATE_SIGNING_KEY, { org, key: key.keyId });
  const isKey = ({ keyId }: SigningKey): boolean => isSameName(keyId, key.keyId);
  return createResource(client, call, data, async () => (await readSigningKeys(client, org)).find(isKey));
}
