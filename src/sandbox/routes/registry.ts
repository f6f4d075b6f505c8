import { assertFound } from '../access.ts';
import { type Answer, answerPlain, type Call, type Route } from '../call.ts';
import { createProblem } from '../errors.ts';
import type { Part } from '../files.ts';
import type { OrganizationRow, ProviderRow, VersionRow } from '../rows.ts';
import { fold } from '../store.ts';
import { findKey } from './gpg-keys.ts';
import { findPlatform, findVersion, selectPlatforms, selectVersions } from './provider-versions.ts';

export const REGISTRY_PREFIX = '/api/registry/v1/providers/';

const PROVIDER = `${REGISTRY_PREFIX}:organization_name/:name`;
const PUBLIC = '/api/registry/public/v1/providers/:namespace/:type';
const atOrigin = true;

/** What Terraform asks to install a provider: a private one, and a public one by the proxy of the document's section Versioning. */
export const REGISTRY: readonly Route[] = [
  ['GET', `${PROVIDER}/versions`, 'providers.read', listVersions, { atOrigin }],
  ['GET', `${PROVIDER}/:version/download/:os/:arch`, 'providers.read', showDownload, { atOrigin }],
  ['GET', `${PUBLIC}/versions`, 'public-registry.read', listPublicVersions, { atOrigin, documented: true }],
];

/** Terraform writes names in lower case. Of several that differ in case alone, one with exactly this name comes first. */
function findPrivate({ store, param }: Call, { seq }: OrganizationRow): ProviderRow {
  const sql = `SELECT * FROM providers WHERE organization = ? AND registry_name = 'private' AND name_folded = ?
    ORDER BY name <> ?, seq LIMIT 1`;
  return assertFound(store.first<ProviderRow>(sql, seq, fold(param('name')), param('name')));
}

function listVersions(call: Call, organization: OrganizationRow): Answer {
  const rows = selectVersions(call.store, [findPrivate(call, organization)]).list();
  const platforms = selectPlatforms(call.store, rows).list();
  const versions = rows.map((row) => ({
    version: row.version,
    protocols: readProtocols(row),
    platforms: platforms.filter(({ version }) => version === row.seq).map(({ os, arch }) => ({ os, arch })),
  }));
  return answerPlain({ versions, warnings: null });
}

function showDownload(call: Call, organization: OrganizationRow): Answer {
  const { store, param } = call;
  const version = assertFound(findVersion(store, findPrivate(call, organization), param('version')));
  const platform = assertFound(findPlatform(store, version, param('os'), param('arch')));
  const key = findKey(call, organization.seq, version.key_id);
  const link = (owner: string, part: Part): string => call.link({ owner, part, purpose: 'download' });
  const { os, arch, filename, shasum } = platform;
  const usual = { trust_signature: '', source: '', source_url: null };
  return answerPlain({
    protocols: readProtocols(version),
    ...{ os, arch, filename, shasum },
    download_url: link(platform.id, 'provider-binary'),
    shasums_url: link(version.id, 'shasums'),
    shasums_signature_url: link(version.id, 'shasums-sig'),
    signing_keys: { gpg_public_keys: key ? [{ key_id: key.key_id, ascii_armor: key.ascii_armor, ...usual }] : [] },
  });
}

function readProtocols(row: VersionRow): string[] {
  return (JSON.parse(row.protocols) as string[] | null) ?? [];
}

const PLATFORMS = ['darwin arm64', 'linux amd64', 'linux arm64', 'windows amd64'].map((platform) => {
  const [os, arch] = platform.split(' ');
  return { os, arch };
});
const VERSIONS = ['6.8.0', '6.7.0', '5.100.0', '5.99.1'];

/** Some of the providers that really exist. An organization can also list one that does not exist. */
const PUBLISHED = /^(archive|aws|azuread|azurerm|google|helm|http|kubernetes|local|null|random|tfe|time|tls|vault)$/;

function listPublicVersions({ caller, store, param }: Call): Answer {
  const [namespace, type] = [fold(param('namespace')), fold(param('type'))];
  const where = `providers WHERE registry_name = 'public' AND namespace_folded = ? AND name_folded = ? AND organization IN
    (SELECT organization FROM memberships WHERE user = ? AND status = 'active' UNION SELECT ?)`;
  const isListed = store.count(where, namespace, type, caller.user?.seq ?? null, caller.organization) > 0;
  if (!isListed || namespace !== 'hashicorp' || !PUBLISHED.test(type)) throw createProblem(404);
  const versions = VERSIONS.map((version) => ({ version, protocols: ['5.0'], platforms: PLATFORMS }));
  return answerPlain({ versions });
}
