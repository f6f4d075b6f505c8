import { assertFound, assertPermitted, findOrganization } from '../access.ts';
import { type Answer, answerPlain, type Call, type Route } from '../call.ts';
import { createProblem } from '../errors.ts';
import type { Part } from '../links.ts';
import type { OrganizationRow, ProviderRow, VersionRow } from '../rows.ts';
import { fold } from '../store.ts';
import { findKey } from './gpg-keys.ts';
import { findPlatform, findVersion, selectPlatforms, selectVersions } from './provider-versions.ts';

/** The discovery document names this prefix. */
export const REGISTRY_PREFIX = '/api/registry/v1/providers/';

const PROVIDER = `${REGISTRY_PREFIX}:organization_name/:name`;
const PUBLIC_VERSIONS = '/api/registry/public/v1/providers/:namespace/:type/versions';

/** What Terraform asks to install a provider: a private one, and a public one by the proxy of the document's section Versioning. */
export const REGISTRY: readonly Route[] = [
  ['GET', `${PROVIDER}/versions`, listVersions, { atOrigin: true }],
  ['GET', `${PROVIDER}/:version/download/:os/:arch`, showDownload, { atOrigin: true }],
  ['GET', PUBLIC_VERSIONS, listPublicVersions, { atOrigin: true, documented: true }],
];

/** Terraform writes names in lower case. Of several that differ in case alone, one with exactly this name comes first. */
function findPrivate(call: Call): { organization: OrganizationRow; provider: ProviderRow } {
  const organization = findOrganization(call, 'releases.show');
  const name = call.param('name');
  const sql = `SELECT * FROM providers WHERE organization = ? AND registry_name = 'private' AND name_folded = ?
    ORDER BY name <> ?, seq LIMIT 1`;
  const provider = call.store.first<ProviderRow>(sql, organization.seq, fold(name), name);
  return { organization, provider: assertFound(provider) };
}

/** Versions are listed before their files are uploaded, too. */
function listVersions(call: Call): Answer {
  const rows = selectVersions(call.store, [findPrivate(call).provider]).list();
  const platforms = selectPlatforms(call.store, rows).list();
  const versions = rows.map((row) => ({
    version: row.version,
    protocols: readProtocols(row),
    platforms: platforms.filter(({ version }) => version === row.seq).map(({ os, arch }) => ({ os, arch })),
  }));
  return answerPlain({ versions, warnings: null });
}

/** Terraform sends no token with requests for files. */
function showDownload(call: Call): Answer {
  const { store } = call;
  const { organization, provider } = findPrivate(call);
  const version = assertFound(findVersion(store, provider, call.param('version')));
  const platform = assertFound(findPlatform(store, version, call.param('os'), call.param('arch')));
  const key = findKey(call, organization.seq, version.key_id);
  const link = (owner: string, part: Part): string => call.link({ owner, part, purpose: 'download' });
  return answerPlain({
    protocols: readProtocols(version),
    os: platform.os,
    arch: platform.arch,
    filename: platform.filename,
    download_url: link(platform.id, 'provider-binary'),
    shasums_url: link(version.id, 'shasums'),
    shasums_signature_url: link(version.id, 'shasums-sig'),
    shasum: platform.shasum,
    signing_keys: {
      gpg_public_keys:
        key === undefined
          ? []
          : [{ key_id: key.key_id, ascii_armor: key.ascii_armor, trust_signature: '', source: '', source_url: null }],
    },
  });
}

function readProtocols(row: VersionRow): string[] {
  return (JSON.parse(row.protocols) as string[] | null) ?? [];
}

const PLATFORMS = [
  { os: 'darwin', arch: 'arm64' },
  { os: 'linux', arch: 'amd64' },
  { os: 'linux', arch: 'arm64' },
  { os: 'windows', arch: 'amd64' },
];
const VERSIONS = ['6.8.0', '6.7.0', '5.100.0', '5.99.1'].map((version) => ({
  version,
  protocols: ['5.0'],
  platforms: PLATFORMS,
}));

/** Some of the providers that really exist. An organization can also list one that does not exist. */
const PUBLISHED = [
  ...['archive', 'aws', 'azuread', 'azurerm', 'google', 'helm', 'http', 'kubernetes', 'local', 'null', 'random'],
  ...['tfe', 'time', 'tls', 'vault'],
].map((name) => `hashicorp/${name}`);

/** Of providers that an organization of the caller lists. */
function listPublicVersions(call: Call): Answer {
  assertPermitted(call, 'public-registry.show');
  const { caller, store } = call;
  const [namespace, type] = [fold(call.param('namespace')), fold(call.param('type'))];
  const where = `providers WHERE registry_name = 'public' AND namespace_folded = ? AND name_folded = ? AND organization IN
    (SELECT organization FROM memberships WHERE user = ? AND status = 'active' UNION SELECT ?)`;
  const isListed = store.count(where, namespace, type, caller.user?.seq ?? null, caller.organization) > 0;
  if (!isListed || !PUBLISHED.includes(`${namespace}/${type}`)) throw createProblem(404);
  return answerPlain({ versions: VERSIONS });
}
