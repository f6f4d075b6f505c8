import { requireOrganization, requirePresent, type Within } from '../access.ts';
import type { Operation } from '../permissions.ts';
import { findGpgKey } from '../queries/gpg-keys.ts';
import { findPrivateProvider, type ProviderRow } from '../queries/providers.ts';
import { findPlatform, findVersion, selectPlatforms, selectVersions, type VersionRow } from '../queries/releases.ts';
import { type Answer, answerPlain, type Context, type Route, routesAbout } from '../route.ts';

/** The discovery document names this prefix. */
export const REGISTRY_PREFIX = '/api/registry/v1/providers/';

const VERSIONS = `${REGISTRY_PREFIX}:organization_name/:name/versions`;
const DOWNLOAD = `${REGISTRY_PREFIX}:organization_name/:name/:version/download/:os/:arch`;

const ofProvider = routesAbout(requireProvider);

/**
 * What Terraform asks to install a private provider. Outside the service's document, so Assumed throughout: versions are
 * listed before their files are uploaded, too; and names are compared without case, since Terraform writes them in lower case.
 */
export const REGISTRY_PROTOCOL_ROUTES: readonly Route[] = [
  ofProvider('GET', VERSIONS, 'releases.show', listVersions, { atOrigin: true }),
  ofProvider('GET', DOWNLOAD, 'releases.show', showDownload, { atOrigin: true }),
];

function listVersions({ store }: Context, { row: provider }: Within<ProviderRow>): Answer {
  const rows = selectVersions(store, [provider.seq]).list();
  const seqs = rows.map(({ seq }) => seq);
  const platforms = selectPlatforms(store, seqs).list();
  const versions = rows.map((row) => ({
    version: row.version,
    protocols: toProtocols(row),
    platforms: platforms.filter(({ version }) => version === row.seq).map(({ os, arch }) => ({ os, arch })),
  }));
  return answerPlain({ versions, warnings: null });
}

/** The addresses of files need no token, since Terraform sends none with them. */
function showDownload({ store, params, link }: Context, { organization, row: provider }: Within<ProviderRow>): Answer {
  const version = requirePresent(findVersion(store, provider.seq, params['version'] ?? ''));
  const platform = requirePresent(findPlatform(store, version.seq, params['os'] ?? '', params['arch'] ?? ''));
  const key = findGpgKey(store, organization.seq, version.key_id);
  return answerPlain({
    protocols: toProtocols(version),
    os: platform.os,
    arch: platform.arch,
    filename: platform.filename,
    download_url: link({ owner: platform.id, part: 'provider-binary', purpose: 'download' }),
    shasums_url: link({ owner: version.id, part: 'shasums', purpose: 'download' }),
    shasums_signature_url: link({ owner: version.id, part: 'shasums-sig', purpose: 'download' }),
    shasum: platform.shasum,
    signing_keys: {
      gpg_public_keys:
        key === undefined
          ? []
          : [{ key_id: key.key_id, ascii_armor: key.ascii_armor, trust_signature: '', source: '', source_url: null }],
    },
  });
}

function requireProvider(context: Context, operation: Operation): Within<ProviderRow> {
  const organization = requireOrganization(context, operation);
  const provider = findPrivateProvider(context.store, organization.seq, context.params['name'] ?? '');
  return { organization, row: requirePresent(provider) };
}

function toProtocols(row: VersionRow): readonly string[] {
  return (JSON.parse(row.protocols) as readonly string[] | null) ?? [];
}
