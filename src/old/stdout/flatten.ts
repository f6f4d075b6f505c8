import { isObject } from '../json-object.ts';
import type { Relationship, Resource, ResourceIdentifier } from '../wire/json-api.ts';
import type { Unidentified } from './result.ts';

/** A thing as the json format shows it, and as field paths look into it. */
export type FlatRecord = Readonly<Record<string, unknown>>;
/** What an answer carries along, found by type and id. */
export type IncludedIndex = ReadonlyMap<string, Resource>;

/** Type and id as one text. No type holds a newline. */
export function toIdentity(identifier: ResourceIdentifier): string {
  return `${identifier.type}\n${identifier.id}`;
}

/** Of two with the same type and id, the first counts. */
export function indexIncluded(resources: readonly Resource[]): IncludedIndex {
  const index = new Map<string, Resource>();
  for (const resource of resources) {
    const identity = toIdentity(resource);
    if (!index.has(identity)) index.set(identity, resource);
  }
  return index;
}

/**
 * One plain record: id, type, attributes, relationships with what was included of them, then `extra`.
 * No value is lost: an attribute or relationship whose name is taken becomes `attributes.<name>` or
 * `relationships.<name>`. A relationship without `data` only says where to ask, and is left out.
 */
export function flatten(resource: Unidentified, included: IncludedIndex, extra: object = {}): FlatRecord {
  const record = identify(resource, extra);
  const { attributes, relationships } = resource;
  if (isObject(attributes)) {
    for (const name of Object.keys(attributes)) put(record, extra, 'attributes', name, attributes[name]);
  }
  if (isObject(relationships)) {
    for (const name of Object.keys(relationships)) {
      const data: unknown = (relationships[name] as Relationship | null)?.data;
      if (data !== undefined) put(record, extra, 'relationships', name, expand(data, included));
    }
  }
  return addExtra(record, extra);
}

/** A plain record with `extra` after its own fields; one whose name `extra` takes becomes `attributes.<name>`. */
export function extend(original: object, extra: object = {}): FlatRecord {
  const record: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(original)) put(record, extra, 'attributes', name, value);
  return addExtra(record, extra);
}

/** Sets a member whatever its name: assigning to `__proto__` would replace the prototype and show nothing. */
export function setMember(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') record[name] = value;
  else Object.defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true });
}

function identify({ id, type }: Unidentified, extra: object): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  if (!Object.hasOwn(extra, 'id')) setMember(record, 'id', id);
  if (!Object.hasOwn(extra, 'type')) setMember(record, 'type', type);
  return record;
}

function put(record: Record<string, unknown>, extra: object, origin: string, name: string, value: unknown): void {
  let free = name;
  while (Object.hasOwn(record, free) || Object.hasOwn(extra, free)) free = `${origin}.${free}`;
  setMember(record, free, value);
}

function addExtra(record: Record<string, unknown>, extra: object): FlatRecord {
  for (const [name, value] of Object.entries(extra)) if (value !== undefined) setMember(record, name, value);
  return record;
}

function expand(data: unknown, included: IncludedIndex): unknown {
  if (Array.isArray(data)) return data.map((item) => expand(item, included));
  if (!isObject(data)) return data;
  const identifier = data as unknown as ResourceIdentifier;
  const record = identify(identifier, {});
  const attributes = included.get(toIdentity(identifier))?.attributes;
  if (isObject(attributes)) {
    for (const name of Object.keys(attributes)) put(record, {}, 'attributes', name, attributes[name]);
  }
  return record;
}
