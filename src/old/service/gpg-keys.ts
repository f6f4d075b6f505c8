import { toText } from '../json-object.ts';
import type { Resource } from '../wire/json-api.ts';
import { GPG_KEYS } from '../wire/resources.ts';
import { type Client, readResource } from './client.ts';
import { createResourceList } from './lists.ts';
import { REGISTRY_PATH } from './operations.ts';
import { readAll } from './pages.ts';

/** A public key that signatures of private providers are checked with. */
export interface SigningKey {
  /** 16 digits. A key is addressed by its namespace and this, and not by its id. */
  readonly keyId: string;
  readonly armor: string;
}

const PREFIX = `${REGISTRY_PATH}/private/v2`;

/** The keys of an organization's namespace. Outside the document, so Assumed throughout. */
export function createSigningKeys(client: Client, warn: (text: string) => void) {
  const list = async (organization: string): Promise<readonly SigningKey[]> => {
    const query = [['filter[namespace]', organization]] as const;
    const call = { operation: 'list-keys', parameters: { organization }, organization, prefix: PREFIX, query } as const;
    const reading = createResourceList(client, call, { paginate: true, page: {}, warn });
    return (await readAll(reading)).flatMap(toSigningKey);
  };
  const find = async (organization: string, keyId: string): Promise<SigningKey | undefined> =>
    (await list(organization)).find((key) => isSameKey(key.keyId, keyId));
  return {
    list,
    find,
    /** False in a dry run. */
    async create(organization: string, { keyId, armor }: SigningKey): Promise<boolean> {
      const attributes = { namespace: organization, 'ascii-armor': armor };
      const written = await client.write({
        operation: 'create-key',
        parameters: { organization, key: keyId },
        organization,
        prefix: PREFIX,
        body: { data: { type: GPG_KEYS, attributes } },
        read: (answer) => void readResource(answer),
        async findOutcome() {
          return (await find(organization, keyId)) === undefined
            ? { happened: false }
            : { happened: true, value: undefined };
        },
      });
      return written !== undefined;
    },
  };
}

export function isSameKey(one: string, other: string): boolean {
  return one.toUpperCase() === other.toUpperCase();
}

function toSigningKey({ attributes = {} }: Resource): readonly SigningKey[] {
  const keyId = toText(attributes['key-id']);
  return keyId === undefined ? [] : [{ keyId, armor: toText(attributes['ascii-armor']) ?? '' }];
}
