import { assertFound, findByName, findMay } from '../access.ts';
import { createFlaw, readForm, text } from '../bodies.ts';
import { type Answer, asMembers, type Call, type Members, NO_CONTENT, type Route, readQueryList } from '../call.ts';
import { formatDate } from '../dates.ts';
import { formatColumns, type Resource } from '../documents.ts';
import { createProblem } from '../errors.ts';
import { answerOne, formatLinks, readPage } from '../pages.ts';
import type { Operation } from '../permissions.ts';
import type { GpgKeyRow, OrganizationRow } from '../rows.ts';
import { isOneOf } from '../store.ts';

const ALL = '/api/registry/private/v2/gpg-keys';
const ONE = `${ALL}/:namespace/:key_id`;
const atOrigin = true;

/** The public keys that releases of private providers are signed with. */
export const GPG_KEYS: readonly Route[] = [
  ['GET', ALL, undefined, list, { atOrigin }],
  ['POST', ALL, undefined, create, { atOrigin, prepare: readPublicKey }],
  ['GET', ONE, undefined, (call) => answer(call, findOne(call, 'providers.read')), { atOrigin }],
  ['PATCH', ONE, undefined, change, { atOrigin }],
  ['DELETE', ONE, undefined, remove, { atOrigin }],
];

const FROM = 'gpg_keys JOIN organizations ON organizations.seq = gpg_keys.organization';
const COLUMNS = 'gpg_keys.*, organizations.name AS namespace';

function list(call: Call): Answer {
  const namespaces = readQueryList(call, 'filter[namespace]');
  if (namespaces === undefined) throw createProblem(400, 'filter[namespace] is required');
  const organizations = namespaces.flatMap((name) => findNamespace(call, name, 'providers.read')?.seq ?? []);
  if (organizations.length === 0) throw createProblem(403);
  const isWanted = isOneOf('organization', organizations);
  const keys = call.store.select<GpgKeyRow>(COLUMNS, FROM, [isWanted], 'gpg_keys.seq');
  const { list: rows, pagination } = readPage(call, keys);
  // Without the origin and the registry's own prefix, as the service has them (facts).
  const links = formatLinks(call, pagination, '/v2/gpg-keys');
  return { status: 200, body: { data: rows.map(formatKey), links, meta: { pagination } } };
}

function create(call: Call): Answer {
  const { store, now, prepared } = call;
  const form = readForm(call, 'gpg-keys', { namespace: text('Namespace'), 'ascii-armor': text('Ascii armor') });
  const { namespace, 'ascii-armor': armor } = form.values;
  const organization = namespace && assertFound(findNamespace(call, namespace, 'providers.manage'));
  const { keyId = '', flaw } = prepared as PublicKey;
  if (armor !== undefined && flaw !== undefined) form.note('attributes/ascii-armor', `Ascii armor ${flaw}`);
  const { 'ascii-armor': ascii_armor } = form.check();
  const { seq } = assertFound(organization || undefined);
  assertNew(call, seq, keyId);
  store.insert('gpg_keys', { organization: seq, key_id: keyId, ascii_armor, created_at: now, updated_at: now });
  return answer(call, assertFound(findKey(call, seq, keyId)), 201);
}

function answer(call: Call, key: GpgKeyRow, status?: number): Answer {
  return answerOne(call, { data: [formatKey(key)] }, status);
}

function change(call: Call): Answer {
  const key = findOne(call, 'providers.manage');
  const { namespace } = readForm(call, undefined, { namespace: text('Namespace') }).check();
  const organization = findNamespace(call, namespace, 'providers.manage');
  if (organization === undefined) throw createProblem(403, 'namespace not authorized');
  if (organization.seq !== key.organization) assertNew(call, organization.seq, key.key_id);
  call.store.update('gpg_keys', key.seq, { organization: organization.seq, updated_at: call.now });
  return answer(call, assertFound(findKey(call, organization.seq, key.key_id)), 201);
}

function remove(call: Call): Answer {
  call.store.remove('gpg_keys', findOne(call, 'providers.manage').seq);
  return NO_CONTENT;
}

function findOne(call: Call, operation: Operation): GpgKeyRow {
  const { seq } = assertFound(findNamespace(call, call.param('namespace'), operation));
  return assertFound(findKey(call, seq, call.param('key_id')));
}

/** Ids of keys are compared without case. */
export function findKey({ store }: Call, organization: number, keyId: string): GpgKeyRow | undefined {
  const sql = `SELECT ${COLUMNS} FROM ${FROM} WHERE organization = ? AND key_id = ?`;
  return store.first(sql, organization, keyId.toUpperCase());
}

function findNamespace(call: Call, namespace: string, operation: Operation): OrganizationRow | undefined {
  const organization = findByName(call, namespace);
  return organization && findMay(call, organization.seq)(operation) ? organization : undefined;
}

function assertNew(call: Call, organization: number, keyId: string): void {
  const isNew = findKey(call, organization, keyId) === undefined;
  if (!isNew) throw createFlaw('attributes/ascii-armor', 'GPG key already exists for namespace');
}

function formatKey(row: GpgKeyRow): Resource {
  // The times of keys have no milliseconds, unlike those of all other resources (facts).
  const formatTime = (time: number): string => formatDate(time).replace(/\.\d+/, '');
  const attributes = {
    ...formatColumns(row, 'ascii_armor', 'key_id', 'namespace'),
    ...{ 'created-at': formatTime(row.created_at), 'updated-at': formatTime(row.updated_at) },
    ...{ source: '', 'source-url': null, 'trust-signature': '' },
  };
  const links = { self: `/v2/gpg-keys/${encodeURIComponent(row.namespace)}/${row.key_id}` };
  return { id: String(row.seq), type: 'gpg-keys', attributes, links };
}

type PublicKey = { keyId?: string; flaw?: string };

/** The key in the body of a request. The service takes RSA and DSA keys alone (facts). */
async function readPublicKey(body: Members): Promise<PublicKey> {
  const armor = String(asMembers(asMembers(body['data'])['attributes'])['ascii-armor']);
  if (!armor.includes('-----BEGIN PGP PUBLIC KEY BLOCK-----')) return { flaw: 'is not an ASCII-armored public key' };
  const { readKey } = await import('openpgp');
  const key = await readKey({ armoredKey: armor }).catch(() => undefined);
  if (key === undefined) return { flaw: 'is not a public key' };
  if (!/^(rsa|dsa)/i.test(key.getAlgorithmInfo().algorithm)) return { flaw: 'must be an RSA or a DSA key' };
  return { keyId: key.getKeyID().toHex().toUpperCase() };
}
