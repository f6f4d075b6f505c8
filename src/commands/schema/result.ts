import { type ColumnNames, listFields } from '../../stdout/columns.ts';

type Kind = 'string' | 'number' | 'boolean' | 'object' | 'array';

/** Of JSON Schema, as far as it is needed here. */
interface Schema {
  readonly description?: string;
  /** Anything, where it is left out. */
  readonly type?: Kind | readonly [Kind, 'null'];
  readonly format?: 'date-time';
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/**
 * What a command prints with `-o json`, as JSON Schema (2020-12). Nothing is required and more may come, since the service
 * decides what it sends.
 */
export function toResultSchema(columns: ColumnNames, printsOne: boolean) {
  const row: Schema = { type: 'object', properties: toProperties(columns, '') };
  const rows: Schema = { type: 'array', items: row };
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...(printsOne ? { anyOf: [row, rows] } : rows) };
}

function toProperties(columns: ColumnNames, above: string): Readonly<Record<string, Schema>> {
  const below = listFields(columns).filter((path) => path.startsWith(above));
  const names = [...new Set(below.map((path) => path.slice(above.length).split('.')[0] ?? ''))];
  return Object.fromEntries(
    names.map((name) => {
      const description = columns.meanings?.[above + name];
      const schema = toSchema(columns, above + name, name);
      return [name, description === undefined ? schema : { description, ...schema }];
    }),
  );
}

function toSchema(columns: ColumnNames, path: string, name: string): Schema {
  const hasBelow = listFields(columns).some((other) => other.startsWith(`${path}.`));
  const object: Schema = { type: ['object', 'null'], properties: toProperties(columns, `${path}.`) };
  if (hasBelow) return LISTS.has(name) ? { type: ['array', 'null'], items: object } : object;
  if (columns.times?.includes(path)) return { type: ['string', 'null'], format: 'date-time' };
  const kind = KINDS[path] ?? KINDS[name] ?? 'string';
  if (kind === 'any') return {};
  return { type: [kind, 'null'], ...(kind === 'array' ? { items: {} } : {}) };
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
  ...of('number', [
    'active',
    'inactive',
    'invited',
    'used',
    'limit',
    'left',
    'users-count',
    'non-service-users-count',
    'cost',
    'error.status',
  ]),
  ...of('boolean', ['binds', 'scim-sync-paused', 'allow-member-token-management']),
  ...of('number', ['members', 'providers', 'max-ttl-ms']),
  ...of('array', ['protocols', 'missing', 'file', 'checks', 'places', 'sinks', 'reads', 'retired', 'error.next']),
  ...of('array', ['teams-add', 'teams-remove', 'teams-missing', 'registry-provider-versions', 'versions']),
  ...of('object', ['permissions', 'organization-access', 'entitlements', 'resource.meta']),
  // What a plan includes: whether, how much, or no limit.
  ...of('any', [
    'everybody',
    'offered',
    'organization',
    'value',
    'teams',
    'sso',
    'sentinel',
    'assessments',
    'user-limit',
    'plan',
  ]),
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
