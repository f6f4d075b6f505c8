import type { JsonObject } from '../../lib/json.ts';
import { assertFound, findOrganizationByName, findPermissions } from '../access.ts';
import { createFieldError, parseAttributes, text } from '../bodies.ts';
import { asObject, type Context, type Handle, NO_CONTENT, type Reply, type Route, readQueryList } from '../context.ts';
import { createHttpError } from '../errors.ts';
import { formatLinks, readPage, replyOne } from '../pages.ts';
import type { Permission } from '../permissions.ts';
import { formatColumns, type ResourceObject } from '../resources.ts';
import type { GpgKeyRow, OrganizationRow } from '../rows.ts';
import { isOneOf } from '../store.ts';

const COLLECTION = '/api/registry/private/v2/gpg-keys';
const ITEM = `${COLLECTION}/:namespace/:key_id`;

export const GPG_KEYS: Route[] = [
  { method: 'GET', path: COLLECTION, handle: list },
  { method: 'POST', path: COLLECTION, prepare: prepareCreate },
  { method: 'GET', path: ITEM, handle: (ctx) => replyKey(ctx, findOne(ctx, 'providers.read')) },
  { method: 'PATCH', path: ITEM, handle: update },
  { method: 'DELETE', path: ITEM, handle: remove },
];

const FROM = 'gpg_keys JOIN organizations ON organizations.seq = gpg_keys.organization';
const COLUMNS = 'gpg_keys.*, organizations.name AS namespace';

function list(ctx: Context): Reply {
  const namespaces = readQueryList(ctx, 'filter[namespace]');
  if (namespaces === undefined) throw createHttpError(400, 'filter[namespace] is required');
  const organizations = namespaces.flatMap((name) => findNamespace(ctx, name, 'providers.read')?.seq ?? []);
  if (organizations.length === 0) throw createHttpError(403);
  const conditions = [isOneOf('organization', organizations)];
  const keys = ctx.store.select<GpgKeyRow>(COLUMNS, FROM, conditions, 'gpg_keys.seq');
  const { list: rows, pagination } = readPage(ctx, keys);
  // The service's links have neither the origin nor the registry's prefix (facts).
  const links = formatLinks(ctx, pagination, '/v2/gpg-keys');
  return { status: 200, body: { data: rows.map(formatKey), links, meta: { pagination } } };
}

async function prepareCreate(body: JsonObject): Promise<Handle> {
  const key = await readPublicKey(body);
  return (ctx) => create(ctx, key);
}

function create(ctx: Context, { keyId = '', error }: PublicKey): Reply {
  const { store, now } = ctx;
  const schema = { namespace: text('Namespace'), 'ascii-armor': text('Ascii armor') };
  const { namespace, 'ascii-armor': ascii_armor } = parseAttributes(ctx, 'gpg-keys', schema);
  if (error !== undefined) throw createFieldError('attributes/ascii-armor', `Ascii armor ${error}`);
  const { seq } = assertFound(findNamespace(ctx, namespace, 'providers.manage'));
  assertNew(ctx, seq, keyId);
  store.insert('gpg_keys', { organization: seq, key_id: keyId, ascii_armor, created_at: now, updated_at: now });
  return replyKey(ctx, assertFound(findKey(ctx, seq, keyId)), 201);
}

function replyKey(ctx: Context, key: GpgKeyRow, status?: number): Reply {
  return replyOne(ctx, { data: [formatKey(key)] }, status);
}

function update(ctx: Context): Reply {
  const key = findOne(ctx, 'providers.manage');
  const { namespace } = parseAttributes(ctx, undefined, { namespace: text('Namespace') });
  const organization = findNamespace(ctx, namespace, 'providers.manage');
  if (organization === undefined) throw createHttpError(403, 'namespace not authorized');
  if (organization.seq !== key.organization) assertNew(ctx, organization.seq, key.key_id);
  ctx.store.update('gpg_keys', key.seq, { organization: organization.seq, updated_at: ctx.now });
  return replyKey(ctx, assertFound(findKey(ctx, organization.seq, key.key_id)), 201);
}

function remove(ctx: Context): Reply {
  ctx.store.remove('gpg_keys', findOne(ctx, 'providers.manage').seq);
  return NO_CONTENT;
}

function findOne(ctx: Context, permission: Permission): GpgKeyRow {
  const { seq } = assertFound(findNamespace(ctx, ctx.param('namespace'), permission));
  return assertFound(findKey(ctx, seq, ctx.param('key_id')));
}

export function findKey({ store }: Context, organization: number, keyId: string): GpgKeyRow | undefined {
  const sql = `SELECT ${COLUMNS} FROM ${FROM} WHERE organization = ? AND key_id = ?`;
  return store.first(sql, organization, keyId.toUpperCase());
}

function findNamespace(ctx: Context, namespace: string, permission: Permission): OrganizationRow | undefined {
  const organization = findOrganizationByName(ctx, namespace);
  return organization && findPermissions(ctx, organization.seq).has(permission) ? organization : undefined;
}

function assertNew(ctx: Context, organization: number, keyId: string): void {
  const isNew = findKey(ctx, organization, keyId) === undefined;
  if (!isNew) throw createFieldError('attributes/ascii-armor', 'GPG key already exists for namespace');
}

function formatKey(row: GpgKeyRow): ResourceObject {
  // Only the times of keys have no milliseconds (facts).
  const formatTime = (time: number): string => new Date(time).toISOString().replace(/\.\d+/, '');
  const attributes = {
    ...formatColumns(row, 'ascii_armor', 'key_id', 'namespace'),
    'created-at': formatTime(row.created_at),
    'updated-at': formatTime(row.updated_at),
    source: '',
    'source-url': null,
    'trust-signature': '',
  };
  const links = { self: `/v2/gpg-keys/${encodeURIComponent(row.namespace)}/${row.key_id}` };
  return { id: String(row.seq), type: 'gpg-keys', attributes, links };
}

type PublicKey = { keyId?: string; error?: string };

/** The service takes only RSA and DSA keys (facts). */
async function readPublicKey(body: JsonObject): Promise<PublicKey> {
  const armor = String(asObject(asObject(body['data'])['attributes'])['ascii-armor']);
  if (!armor.includes('-----BEGIN PGP PUBLIC KEY BLOCK-----')) return { error: 'is not an ASCII-armored public key' };
  const { readKey } = await import('openpgp');
  const key = await readKey({ armoredKey: armor }).catch(() => undefined);
  if (key === undefined) return { error: 'is not a public key' };
  if (!/^(rsa|dsa)/i.test(key.getAlgorithmInfo().algorithm)) return { error: 'must be an RSA or a DSA key' };
  return { keyId: key.getKeyID().toHex().toUpperCase() };
}
