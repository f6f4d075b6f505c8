import { assertFound, withOrganization, withPermission } from '../access.ts';
import { type Context, type Reply, type Route, replyJson } from '../context.ts';
import { createHttpError } from '../errors.ts';
import type { Part } from '../files.ts';
import { findPlatformRow, findVersionRow, selectPlatforms, selectVersions } from '../providers.ts';
import type { OrganizationRow, ProviderRow, VersionRow } from '../rows.ts';
import { fold } from '../store.ts';
import { findKey } from './gpg-keys.ts';

const PREFIX = '/api/registry/v1/providers/';

const PROVIDER = `${PREFIX}:organization_name/:name`;
const DOWNLOAD = `${PROVIDER}/:version/download/:os/:arch`;
const PUBLIC = '/api/registry/public/v1/providers/:namespace/:type/versions';

const API = '/api/v2/';
const DISCOVERY = {
  // The sandbox has no modules, but clients fail without the entry.
  'modules.v1': '/api/registry/v1/modules/',
  'providers.v1': PREFIX,
  'state.v2': API,
  'tfe.v2': API,
  'tfe.v2.1': API,
  'tfe.v2.2': API,
};

/** Terraform installs providers by these routes. The document's section Versioning has the one for public providers. */
export const REGISTRY: Route[] = [
  { method: 'GET', path: '/.well-known/terraform.json', handle: () => replyJson(DISCOVERY), public: true },
  { method: 'GET', path: `${PROVIDER}/versions`, handle: withOrganization('providers.read', listVersions) },
  { method: 'GET', path: DOWNLOAD, handle: withOrganization('providers.read', showDownload) },
  { method: 'GET', path: PUBLIC, handle: withPermission('service.read', listPublic), documented: true },
];

/** Terraform writes names in lower case. Among names that differ only in case an exact match comes first. */
function findPrivate({ store, param }: Context, { seq }: OrganizationRow): ProviderRow {
  const sql = `SELECT * FROM providers WHERE organization = ? AND registry_name = 'private' AND name_folded = ?
    ORDER BY name <> ?, seq LIMIT 1`;
  return assertFound(store.first<ProviderRow>(sql, seq, fold(param('name')), param('name')));
}

function listVersions(ctx: Context, organization: OrganizationRow): Reply {
  const rows = selectVersions(ctx.store, [findPrivate(ctx, organization)]).list();
  const platforms = selectPlatforms(ctx.store, rows).list();
  const versions = rows.map((row) => ({
    version: row.version,
    protocols: readProtocols(row),
    platforms: platforms.filter(({ version }) => version === row.seq).map(({ os, arch }) => ({ os, arch })),
  }));
  return replyJson({ versions, warnings: null });
}

function showDownload(ctx: Context, organization: OrganizationRow): Reply {
  const { store, param } = ctx;
  const version = assertFound(findVersionRow(store, findPrivate(ctx, organization), param('version')));
  const platform = assertFound(findPlatformRow(store, version, param('os'), param('arch')));
  const key = findKey(ctx, organization.seq, version.key_id);
  const link = (owner: string, part: Part): string => ctx.link({ owner, part, purpose: 'download' });
  const { os, arch, filename, shasum } = platform;
  const empty = { trust_signature: '', source: '', source_url: null };
  return replyJson({
    protocols: readProtocols(version),
    os,
    arch,
    filename,
    shasum,
    download_url: link(platform.id, 'provider-binary'),
    shasums_url: link(version.id, 'shasums'),
    shasums_signature_url: link(version.id, 'shasums-sig'),
    signing_keys: { gpg_public_keys: key ? [{ key_id: key.key_id, ascii_armor: key.ascii_armor, ...empty }] : [] },
  });
}

function readProtocols(row: VersionRow): string[] {
  return (JSON.parse(row.protocols) as string[] | null) ?? [];
}

const PLATFORMS = ['darwin', 'linux'].flatMap((os) => ['amd64', 'arm64'].map((arch) => ({ os, arch })));
const VERSIONS = ['6.8.0', '6.7.0', '5.100.0', '5.99.1'];

const PUBLISHED = /^(archive|aws|azuread|azurerm|google|helm|http|kubernetes|local|null|random|tfe|time|tls|vault)$/;

function listPublic({ caller, store, param }: Context): Reply {
  const [namespace, type] = [fold(param('namespace')), fold(param('type'))];
  const where = `providers WHERE registry_name = 'public' AND namespace_folded = ? AND name_folded = ? AND organization IN
    (SELECT organization FROM memberships WHERE user = ? AND status = 'active' UNION SELECT ?)`;
  const isListed = store.count(where, namespace, type, caller.user?.seq ?? null, caller.organization) > 0;
  if (!isListed || namespace !== 'hashicorp' || !PUBLISHED.test(type)) throw createHttpError(404);
  const versions = VERSIONS.map((version) => ({ version, protocols: ['5.0'], platforms: PLATFORMS }));
  return replyJson({ versions });
}
