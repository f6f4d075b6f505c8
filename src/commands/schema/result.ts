import { type ColumnNames, listFields } from '../../stdout/columns.ts';

/** Of JSON Schema, as far as it is needed here. */
type Schema =
  | { readonly type: readonly [Kind, 'null']; readonly format?: 'date-time' }
  | { readonly type: 'array' | readonly ['array', 'null']; readonly items: Schema }
  | ObjectSchema
  | { readonly anyOf: readonly Schema[] }
  // Anything.
  | Readonly<Record<string, never>>;

type Kind = 'string' | 'number' | 'boolean' | 'object' | 'array';

interface ObjectSchema {
  readonly type: 'object' | readonly ['object', 'null'];
  readonly properties: Readonly<Record<string, Schema>>;
}

/**
 * What a command prints with `-o json`, as JSON Schema (2020-12). Nothing is required and more may come, since the service
 * decides what it sends.
 */
export function toResultSchema(columns: ColumnNames & { readonly times?: readonly string[] }, printsOne: boolean) {
  const row: ObjectSchema = { type: 'object', properties: toProperties(columns, '') };
  const rows: Schema = { type: 'array', items: row };
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...(printsOne ? { anyOf: [row, rows] } : rows) };
}

function toProperties(columns: Parameters<typeof toResultSchema>[0], above: string): ObjectSchema['properties'] {
  const below = listFields(columns).filter((path) => path.startsWith(above));
  const names = [...new Set(below.map((path) => path.slice(above.length).split('.')[0] ?? ''))];
  return Object.fromEntries(names.map((name) => [name, toSchema(columns, above + name, name)]));
}

function toSchema(columns: Parameters<typeof toResultSchema>[0], path: string, name: string): Schema {
  const hasBelow = listFields(columns).some((other) => other.startsWith(`${path}.`));
  const object: Schema = { type: ['object', 'null'], properties: toProperties(columns, `${path}.`) };
  if (hasBelow) return LISTS.has(name) ? { type: ['array', 'null'], items: object } : object;
  if (columns.times?.includes(path)) return { type: ['string', 'null'], format: 'date-time' };
  const kind = KINDS[path] ?? KINDS[name] ?? 'string';
  if (kind === 'any') return {};
  return kind === 'array' ? { type: ['array', 'null'], items: {} } : ({ type: [kind, 'null'] } as Schema);
}

/** Fields of several things. */
const LISTS: ReadonlySet<string> = new Set(['teams', 'platforms']);

/** By path or last name, what is no text. A field that is not here is one; a test holds this against what commands print. */
const KINDS: Readonly<Record<string, Kind | 'any'>> = {
  ...of('boolean', [
    'changed',
    'enabled',
    'owner',
    'ready',
    'verified',
    'can-delete',
    'default',
    'works',
    'audit-token',
  ]),
  ...of('boolean', ['is-service-account', 'is-org-two-factor-required', 'is-unified', 'scim-linked', 'is-current']),
  ...of('number', ['active', 'inactive', 'invited', 'used', 'limit', 'left', 'users-count', 'cost', 'error.status']),
  ...of('number', ['members', 'providers']),
  ...of('array', ['protocols', 'missing', 'file', 'checks', 'places', 'sinks', 'reads', 'error.next']),
  ...of('array', ['teams-add', 'teams-remove', 'teams-missing', 'registry-provider-versions', 'versions']),
  ...of('object', ['permissions', 'organization-access', 'entitlements', 'resource.meta']),
  // What a plan includes: whether, how much, or no limit.
  ...of('any', ['everybody', 'organization', 'value', 'teams', 'sso', 'sentinel', 'assessments', 'user-limit', 'plan']),
  ...of('any', ['is-free-tier', 'self-serve-billing', 'audit-logging', 'cost-estimation', 'policy-enforcement']),
  ...of('any', [
    'run-tasks',
    'private-networking',
    'no-code-modules',
    'default-agents-ceiling',
    'default-runs-ceiling',
  ]),
  ...of('any', [
    'global-run-tasks',
    'module-tests-generation',
    'private-policy-agents',
    'private-run-tasks',
    'private-vcs',
  ]),
};

function of<Name extends Kind | 'any'>(kind: Name, names: readonly string[]): Readonly<Record<string, Name>> {
  return Object.fromEntries(names.map((name) => [name, kind]));
}
