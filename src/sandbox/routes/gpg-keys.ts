import { GPG_KEYS } from '../../wire/resources.ts';
import { isAllowed, requirePresent } from '../access.ts';
import { readPublicKey } from '../openpgp-key.ts';
import { readPage, toPageLinks, toPagination, toRange } from '../pagination.ts';
import type { Operation } from '../permissions.ts';
import { createInvalid, createProblem, type Flaw } from '../problems.ts';
import {
  countGpgKeys,
  deleteGpgKey,
  findGpgKey,
  type GpgKeyRow,
  insertGpgKey,
  listGpgKeys,
  moveGpgKey,
} from '../queries/gpg-keys.ts';
import { findOrganization, type OrganizationRow } from '../queries/organizations.ts';
import { toGpgKey } from '../release-documents.ts';
import { findTypeFlaws, readList, readText, toMembers } from '../request.ts';
import { type Answer, type Context, NO_CONTENT, type Route } from '../route.ts';

const ALL = '/api/registry/private/v2/gpg-keys';
const ONE = `${ALL}/:namespace/:key_id`;

/** The public keys that releases of private providers are signed with. Outside the service's document, so Assumed throughout. */
export const GPG_KEY_ROUTES: readonly Route[] = [
  { method: 'GET', path: ALL, atOrigin: true, documented: false, handle: list },
  { method: 'POST', path: ALL, atOrigin: true, documented: false, handle: create },
  { method: 'GET', path: ONE, atOrigin: true, documented: false, handle: show },
  { method: 'PATCH', path: ONE, atOrigin: true, documented: false, handle: change },
  { method: 'DELETE', path: ONE, atOrigin: true, documented: false, handle: remove },
];

function list(context: Context): Answer {
  const { store, url } = context;
  const namespaces = readList(url, 'filter[namespace]');
  if (namespaces === undefined) throw createProblem(400, 'filter[namespace] is required');
  const organizations = namespaces.flatMap((name) => findNamespace(context, name, 'gpg-keys.show')?.seq ?? []);
  if (organizations.length === 0) throw createProblem(403);
  const page = readPage(url);
  const data = listGpgKeys(store, organizations, toRange(page)).map(toGpgKey);
  const pagination = toPagination(page, countGpgKeys(store, organizations));
  const links = Object.entries(toPageLinks(url, page, pagination)).map(
    ([name, link]) => [name, link === null ? null : link.replace(`${url.origin}/api/registry/private`, '')] as const,
  );
  return { status: 200, body: { data, links: Object.fromEntries(links), meta: { pagination } } };
}

function create(context: Context): Answer {
  const { store, now } = context;
  const data = toMembers(context.body()['data']);
  const attributes = toMembers(data['attributes']);
  const flaws = findTypeFlaws(data, GPG_KEYS);
  const namespace = readText(attributes, 'namespace', 'Namespace', flaws);
  const asciiArmor = readText(attributes, 'ascii-armor', 'Ascii armor', flaws);
  const organization =
    namespace === undefined ? undefined : requirePresent(findNamespace(context, namespace, 'gpg-keys.change'));
  const keyId = asciiArmor === undefined ? undefined : readKeyId(asciiArmor, flaws);
  if (organization === undefined || asciiArmor === undefined || keyId === undefined || flaws.length > 0) {
    throw createInvalid(flaws);
  }
  requireAbsent(context, organization, keyId);
  insertGpgKey(store, { organization: organization.seq, keyId, asciiArmor, createdAt: now });
  return { status: 201, body: { data: toGpgKey(requirePresent(findGpgKey(store, organization.seq, keyId))) } };
}

function show(context: Context): Answer {
  return { status: 200, body: { data: toGpgKey(requireKey(context, 'gpg-keys.show')) } };
}

/** Only the namespace changes. */
function change(context: Context): Answer {
  const { store, now } = context;
  const row = requireKey(context, 'gpg-keys.change');
  const flaws: Flaw[] = [];
  const namespace = readText(
    toMembers(toMembers(context.body()['data'])['attributes']),
    'namespace',
    'Namespace',
    flaws,
  );
  if (namespace === undefined) throw createInvalid(flaws);
  const organization = findNamespace(context, namespace, 'gpg-keys.change');
  if (organization === undefined) throw createProblem(403, 'namespace not authorized');
  if (organization.seq !== row.organization) requireAbsent(context, organization, row.key_id);
  moveGpgKey(store, row.seq, organization.seq, now);
  return { status: 201, body: { data: toGpgKey(requirePresent(findGpgKey(store, organization.seq, row.key_id))) } };
}

function remove(context: Context): Answer {
  deleteGpgKey(context.store, requireKey(context, 'gpg-keys.change').seq);
  return NO_CONTENT;
}

function requireKey(context: Context, operation: Operation): GpgKeyRow {
  const { namespace = '', key_id: keyId = '' } = context.params;
  const { seq } = requirePresent(findNamespace(context, namespace, operation));
  return requirePresent(findGpgKey(context.store, seq, keyId));
}

/** A namespace is an organization's; undefined where the caller may not do this there. */
function findNamespace(context: Context, namespace: string, operation: Operation): OrganizationRow | undefined {
  const organization = findOrganization(context.store, namespace);
  return organization !== undefined && isAllowed(context, organization.seq, operation) ? organization : undefined;
}

function requireAbsent(context: Context, organization: OrganizationRow, keyId: string): void {
  if (findGpgKey(context.store, organization.seq, keyId) === undefined) return;
  throw createInvalid([{ detail: 'GPG key already exists for namespace', pointer: '/data/attributes/ascii-armor' }]);
}

function readKeyId(armor: string, flaws: Flaw[]): string | undefined {
  const key = readPublicKey(armor);
  if ('keyId' in key) return key.keyId;
  flaws.push({ detail: `Ascii armor ${key.flaw}`, pointer: '/data/attributes/ascii-armor' });
  return undefined;
}
