import { isAllowed, requirePresent } from './access.ts';
import { refer, referAll, show } from './documents.ts';
import { toIsoDate } from './iso-date.ts';
import type { LinkTarget } from './links.ts';
import type { GpgKeyRow } from './queries/gpg-keys.ts';
import type { OrganizationRow } from './queries/organizations.ts';
import type { ProviderRow } from './queries/providers.ts';
import { findReleaseFile, type Part, type PlatformRow, selectPlatforms, type VersionRow } from './queries/releases.ts';
import type { Context } from './route.ts';
import type { Resource } from './wire/json-api.ts';
import {
  GPG_KEYS,
  REGISTRY_PROVIDER_PLATFORMS,
  REGISTRY_PROVIDER_VERSIONS,
  REGISTRY_PROVIDERS,
} from './wire/resources.ts';

/** What private providers consist of, as JSON:API resources. Outside the service's document, so Assumed throughout. */

export function toGpgKey(row: GpgKeyRow): Resource {
  return {
    id: String(row.seq),
    type: GPG_KEYS,
    attributes: {
      'ascii-armor': row.ascii_armor,
      'created-at': toWholeSeconds(row.created_at),
      'key-id': row.key_id,
      namespace: row.namespace,
      source: '',
      'source-url': null,
      'trust-signature': '',
      'updated-at': toWholeSeconds(row.updated_at),
    },
    // The service leaves the registry's own prefix out, so that clients cannot follow this link as it is.
    links: { self: `/v2/gpg-keys/${encodeURIComponent(row.namespace)}/${row.key_id}` },
  };
}

/** The times of keys have no milliseconds, unlike those of all other resources. */
function toWholeSeconds(time: number): string {
  return toIsoDate(time).replace(/\.\d+/, '');
}

/** Versions of these providers. */
export function toVersions(
  context: Context,
  organization: OrganizationRow,
  providers: readonly ProviderRow[],
  rows: readonly VersionRow[],
): readonly { readonly provider: number; readonly resource: Resource }[] {
  const canChange = isAllowed(context, organization.seq, 'releases.change');
  const seqs = rows.map(({ seq }) => seq);
  const platforms = selectPlatforms(context.store, seqs).list();
  return rows.map((row) => {
    const provider = requirePresent(providers.find(({ seq }) => seq === row.provider));
    const own = platforms.filter(({ version }) => version === row.seq);
    return { provider: row.provider, resource: toVersion(context, provider, row, own, canChange) };
  });
}

/** `canChange`: whether the caller may upload files to the version, and delete it. */
function toVersion(
  context: Context,
  provider: ProviderRow,
  row: VersionRow,
  platforms: readonly PlatformRow[],
  canChange: boolean,
): Resource {
  const sums = toFileMembers(context, row.id, 'shasums', canChange);
  const signature = toFileMembers(context, row.id, 'shasums-sig', canChange);
  return {
    id: row.id,
    type: REGISTRY_PROVIDER_VERSIONS,
    attributes: {
      ...show(row, 'version', 'created_at', 'updated_at', 'key_id'),
      protocols: JSON.parse(row.protocols) as readonly string[] | null,
      permissions: { 'can-delete': canChange, 'can-upload-asset': canChange },
      'shasums-uploaded': sums.isUploaded,
      'shasums-sig-uploaded': signature.isUploaded,
    },
    relationships: {
      'registry-provider': refer(REGISTRY_PROVIDERS, provider.id),
      platforms: referAll(platforms.map(({ id }) => ({ id, type: REGISTRY_PROVIDER_PLATFORMS }))),
    },
    links: { ...sums.links, ...signature.links },
  };
}

export function toPlatform(
  context: Context,
  organization: OrganizationRow,
  version: VersionRow,
  row: PlatformRow,
): Resource {
  const canChange = isAllowed(context, organization.seq, 'releases.change');
  const { isUploaded, links } = toFileMembers(context, row.id, 'provider-binary', canChange);
  return {
    id: row.id,
    type: REGISTRY_PROVIDER_PLATFORMS,
    attributes: {
      ...show(row, 'os', 'arch', 'filename', 'shasum'),
      permissions: { 'can-delete': canChange, 'can-upload-asset': canChange },
      'provider-binary-uploaded': isUploaded,
    },
    relationships: { 'registry-provider-version': refer(REGISTRY_PROVIDER_VERSIONS, version.id) },
    links,
  };
}

/** The link to a file: for its upload where it is missing, which only shows who may upload it; else for its download. */
function toFileMembers(context: Context, owner: string, part: Part, canChange: boolean) {
  const isUploaded = findReleaseFile(context.store, owner, part) !== undefined;
  const purpose: LinkTarget['purpose'] = isUploaded ? 'download' : 'upload';
  const isShown = isUploaded || canChange;
  const links = isShown ? { [`${part}-${purpose}`]: context.link({ owner, part, purpose }) } : {};
  return { isUploaded, links };
}
