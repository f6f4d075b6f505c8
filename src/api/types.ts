import type { JsonObject } from '../lib/json.ts';

export const JSON_API = 'application/vnd.api+json';
export const PLAIN_JSON = 'application/json';

export interface ResourceIdentifier {
  id: string;
  type: string;
}

export interface Relationship {
  data?: ResourceIdentifier | ResourceIdentifier[] | null;
}

export interface Resource extends ResourceIdentifier {
  attributes?: JsonObject;
  relationships?: Record<string, Relationship>;
  links?: JsonObject;
}

export interface ResourceDocument<Data = Resource> {
  data: Data;
  included?: Resource[];
  meta?: unknown;
}

/** Parameters in the order they are sent. Undefined values are left out. */
export type Query = [name: string, value: string | number | undefined][];
