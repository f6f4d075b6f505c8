import { isAllowed, requirePresent } from '../access.ts';
import { answerOne } from '../answers.ts';
import { readPublicKey } from '../openpgp-key.ts';
import { readPage, toPageLinks, toPagination, toRange } from '../pagination.ts';
import type { Operation } from '../permissions.ts';
import { createProblem } from '../problems.ts';
import { findGpgKey, type GpgKeyRow, selectGpgKeys } from '../queries/gpg-keys.ts';
import { findOrganization, type OrganizationRow } from '../queries/organizations.ts';
import { toGpgKey } from '../release-documents.ts';
import { type Form, readForm, readList } from '../request.ts';
import { type Answer, type Context, NO_CONTENT, type Route, routesAbout } from '../route.ts';
import { GPG_KEYS } from '../wire/resources.ts';

const ALL = '/api/registry/private/v2/gpg-keys';
const ONE = `${ALL}/:namespace/:key_id`;

const ofKey = routesAbout(requireKey);
const AT_ORIGIN = { atOrigin: true };

/** The public keys that releases of private providers are signed with. Outside the service's document, so Assumed throughout. */
export const GPG_KEY_ROUTES: readonly Route[] = [
  { method: 'GET', path: ALL, atOrigin: true, handle: list },
  { method: 'POST', path: ALL, atOrigin: true, handle: create },
  ofKey('GET', ONE, 'gpg-keys.show', show, AT_ORIGIN),
  ofKey('PATCH', ONE, 'gpg-keys.change', change, AT_ORIGIN),
  ofKey('DELETE', ONE, 'gpg-keys.change', remove, AT_ORIGIN),
];

function list(context: Context): Answer {
  const { store, url } = context;
  const namespaces = readList(url, 'filter[namespace]');
  if (namespaces === undefined) throw createProblem(400, 'filter[namespace] is required');
  const organizations = namespaces.flatMap((name) => findNamespace(context, name, 'gpg-keys.show')?.seq ?? []);
  if (organizations.length === 0) throw createProblem(403);
  const page = readPage(url);
  const keys = selectGpgKeys(store, organizations);
  const data = keys.list(toRange(page)).map(toGpgKey);
  const pagination = toPagination(page, keys.count());
  const links = Object.entries(toPageLinks(url, page, pagination)).map(
    ([name, link]) => [name, link === null ? null : link.replace(`${url.origin}/api/registry/private`, '')] as const,
  );
  return { status: 200, body: { data, links: Object.fromEntries(links), meta: { pagination } } };
}

function create(context: Context): Answer {
  const { store, now } = context;
  const form = readForm(context, GPG_KEYS);
  const namespace = form.text('namespace', 'Namespace');
  const asciiArmor = form.text('ascii-armor', 'Ascii armor');
  const organization =
    namespace === '' ? undefined : requirePresent(findNamespace(context, namespace, 'gpg-keys.change'));
  const key = asciiArmor === '' ? undefined : readPublicKey(asciiArmor);
  if (key !== undefined && 'flaw' in key) form.note('attributes/ascii-armor', `Ascii armor ${key.flaw}`);
  form.check();
  const { seq } = requirePresent(organization);
  const keyId = key !== undefined && 'keyId' in key ? key.keyId : '';
  requireAbsent(context, form, seq, keyId);
  const row = { organization: seq, key_id: keyId, ascii_armor: asciiArmor, created_at: now, updated_at: now };
  store.insert('gpg_keys', row);
  return answerWith(context, seq, keyId);
}

function show(context: Context, row: GpgKeyRow): Answer {
  return answerOne(context, { data: [toGpgKey(row)] });
}

/** Changes the namespace alone. */
function change(context: Context, row: GpgKeyRow): Answer {
  const { store, now } = context;
  const form = readForm(context);
  const namespace = form.text('namespace', 'Namespace');
  form.check();
  const organization = findNamespace(context, namespace, 'gpg-keys.change');
  if (organization === undefined) throw createProblem(403, 'namespace not authorized');
  if (organization.seq !== row.organization) requireAbsent(context, form, organization.seq, row.key_id);
  store.update('gpg_keys', row.seq, { organization: organization.seq, updated_at: now });
  return answerWith(context, organization.seq, row.key_id);
}

/** Assumed: a change of a signing key is answered with 201, as its creation is. */
function answerWith(context: Context, organization: number, keyId: string): Answer {
  const row = requirePresent(findGpgKey(context.store, organization, keyId));
  return answerOne(context, { data: [toGpgKey(row)] }, 201);
}

function remove({ store }: Context, { seq }: GpgKeyRow): Answer {
  store.remove('gpg_keys', seq);
  return NO_CONTENT;
}

function requireKey(context: Context, operation: Operation): GpgKeyRow {
  const { namespace = '', key_id: keyId = '' } = context.params;
  const { seq } = requirePresent(findNamespace(context, namespace, operation));
  return requirePresent(findGpgKey(context.store, seq, keyId));
}

/** The organization whose namespace it is; undefined where the caller may not do this there. */
function findNamespace(context: Context, namespace: string, operation: Operation): OrganizationRow | undefined {
  const organization = findOrganization(context.store, namespace);
  return organization !== undefined && isAllowed(context, organization.seq, operation) ? organization : undefined;
}

function requireAbsent({ store }: Context, form: Form, organization: number, keyId: string): void {
  if (findGpgKey(store, organization, keyId) === undefined) return;
  throw form.refuse('attributes/ascii-armor', 'GPG key already exists for namespace');
}
