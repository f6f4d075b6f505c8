import type { JsonObject } from '../lib/json.ts';
import type { Client } from './client.ts';
import { readResource } from './error-document.ts';
import type { Call } from './operations.ts';
import type { Resource } from './types.ts';

/** Undefined in a dry run. `find` reads what is new, undefined if there is none. */
export function createResource<T>(client: Client, call: Call, data: JsonObject, find: () => Promise<T | undefined>) {
  return client.write<Resource | T>(call, {
    body: JSON.stringify({ data }),
    read: (response) => readResource(response).data,
    async findOutcome() {
      const value = await find();
      return value !== undefined && { value };
    },
    isRepeatable: true,
  });
}

/** Reads whether a change is in effect. Undefined for a change that was done in part. */
export type IsDone = () => Promise<boolean | undefined>;

/** True if the resource changed, undefined in a dry run. */
export function updateResource(client: Client, call: Call, data: JsonObject, isDone: IsDone) {
  return client.write<boolean>(call, {
    body: JSON.stringify({ data }),
    read: () => true,
    async findOutcome() {
      const value = await isDone();
      return value && { value };
    },
    isRepeatable: true,
  });
}

/** True if the resource was deleted, undefined in a dry run. `find` reads the resource, undefined if there is none. */
export function deleteResource(client: Client, call: Call, find: () => Promise<unknown>): Promise<true | undefined> {
  return client.write(call, {
    read: () => true as const,
    findOutcome: async () => (await find()) === undefined && { value: true },
  });
}
