import { requirePresent } from '../access.ts';
import { recordEvent } from '../audit-events.ts';
import { toListDocument } from '../documents.ts';
import { readPage, toRange } from '../pagination.ts';
import type { Operation } from '../permissions.ts';
import { createInvalid, createProblem, type Flaw } from '../problems.ts';
import type { OrganizationRow } from '../queries/organizations.ts';
import type { ProviderRow } from '../queries/providers.ts';
import {
  countPlatforms,
  countVersions,
  deletePlatform,
  deleteVersion,
  findPlatform,
  findVersion,
  insertPlatform,
  insertVersion,
  listPlatforms,
  listVersions,
  type PlatformRow,
  type VersionRow,
} from '../queries/releases.ts';
import { toPlatform, toVersions } from '../release-documents.ts';
import { type Members, readText, toMembers } from '../request.ts';
import { type Answer, type Context, NO_CONTENT, type Route } from '../route.ts';
import { requireProvider } from './providers.ts';

const VERSIONS = '/organizations/:organization_name/registry-providers/:registry_name/:namespace/:name/versions';
const VERSION = `${VERSIONS}/:version`;
const PLATFORMS = `${VERSION}/platforms`;
const PLATFORM = `${PLATFORMS}/:os/:arch`;

/**
 * What a private provider consists of. Outside the service's document, so Assumed throughout: as clients know it, the id of
 * the key, the sum and the name of the file are taken as they are given, and the type of a request is not looked at.
 */
export const PROVIDER_VERSION_ROUTES: readonly Route[] = [
  { method: 'GET', path: VERSIONS, documented: false, handle: list },
  { method: 'POST', path: VERSIONS, documented: false, handle: create },
  { method: 'GET', path: VERSION, documented: false, handle: show },
  { method: 'DELETE', path: VERSION, documented: false, handle: remove },
  { method: 'GET', path: PLATFORMS, documented: false, handle: listAllPlatforms },
  { method: 'POST', path: PLATFORMS, documented: false, handle: createPlatform },
  { method: 'GET', path: PLATFORM, documented: false, handle: showPlatform },
  { method: 'DELETE', path: PLATFORM, documented: false, handle: removePlatform },
];

/** As semantic versions are defined. */
const PART = '(?:0|[1-9]\\d*)';
const WORD = `(?:${PART}|\\d*[a-zA-Z-][\\da-zA-Z-]*)`;
const SEMANTIC_VERSION = new RegExp(
  `^${PART}\\.${PART}\\.${PART}(?:-${WORD}(?:\\.${WORD})*)?(?:\\+[\\da-zA-Z-]+(?:\\.[\\da-zA-Z-]+)*)?$`,
);

function list(context: Context): Answer {
  const { store, url } = context;
  const { organization, row: provider } = requirePrivateProvider(context, 'releases.show');
  const page = readPage(url);
  const rows = listVersions(store, provider.seq, toRange(page));
  const data = toVersions(context, organization, [provider], rows).map(({ resource }) => resource);
  return { status: 200, body: toListDocument(url, page, countVersions(store, provider.seq), data) };
}

function create(context: Context): Answer {
  const { store, ids, now } = context;
  const { organization, row: provider } = requirePrivateProvider(context, 'releases.change');
  const attributes = readAttributes(context);
  const flaws: Flaw[] = [];
  const version = readVersion(attributes, flaws);
  const keyId = readText(attributes, 'key-id', 'Key', flaws);
  const protocols = readProtocols(attributes, flaws);
  if (version === undefined || keyId === undefined || flaws.length > 0) throw createInvalid(flaws);
  if (findVersion(store, provider.seq, version) !== undefined) {
    throw createInvalid([{ detail: 'Version has already been taken', pointer: '/data/attributes/version' }]);
  }
  const id = ids.id('provver');
  insertVersion(store, { id, provider: provider.seq, version, key_id: keyId, protocols, createdAt: now });
  recordEvent(context, organization, { type: 'registry_provider_version', action: 'create', id });
  const row = requirePresent(findVersion(store, provider.seq, version));
  return { status: 201, body: { data: toVersions(context, organization, [provider], [row])[0]?.resource } };
}

function show(context: Context): Answer {
  const { organization, provider, version } = requireVersion(context, 'releases.show');
  return { status: 200, body: { data: toVersions(context, organization, [provider], [version])[0]?.resource } };
}

/** Its platforms and all files go with it. */
function remove(context: Context): Answer {
  const { organization, version } = requireVersion(context, 'releases.change');
  deleteVersion(context.store, version.seq);
  recordEvent(context, organization, { type: 'registry_provider_version', action: 'destroy', id: version.id });
  return NO_CONTENT;
}

function listAllPlatforms(context: Context): Answer {
  const { store, url } = context;
  const { organization, version } = requireVersion(context, 'releases.show');
  const page = readPage(url);
  const data = listPlatforms(store, version.seq, toRange(page)).map((row) =>
    toPlatform(context, organization, version, row),
  );
  return { status: 200, body: toListDocument(url, page, countPlatforms(store, version.seq), data) };
}

function createPlatform(context: Context): Answer {
  const { store, ids } = context;
  const { organization, version } = requireVersion(context, 'releases.change');
  const attributes = readAttributes(context);
  const flaws: Flaw[] = [];
  const os = readText(attributes, 'os', 'Os', flaws);
  const arch = readText(attributes, 'arch', 'Arch', flaws);
  const shasum = readText(attributes, 'shasum', 'Shasum', flaws);
  const filename = readText(attributes, 'filename', 'Filename', flaws);
  if (os === undefined || arch === undefined || shasum === undefined || filename === undefined) {
    throw createInvalid(flaws);
  }
  if (findPlatform(store, version.seq, os, arch) !== undefined) {
    throw createInvalid([{ detail: 'Os and arch have already been taken', pointer: '/data/attributes/os' }]);
  }
  const id = ids.id('provpltfrm');
  insertPlatform(store, { id, version: version.seq, os, arch, shasum, filename });
  recordEvent(context, organization, { type: 'registry_provider_platform', action: 'create', id });
  const row = requirePresent(findPlatform(store, version.seq, os, arch));
  return { status: 201, body: { data: toPlatform(context, organization, version, row) } };
}

function showPlatform(context: Context): Answer {
  const { organization, version, platform } = requirePlatform(context, 'releases.show');
  return { status: 200, body: { data: toPlatform(context, organization, version, platform) } };
}

function removePlatform(context: Context): Answer {
  const { organization, platform } = requirePlatform(context, 'releases.change');
  deletePlatform(context.store, platform.seq);
  recordEvent(context, organization, { type: 'registry_provider_platform', action: 'destroy', id: platform.id });
  return NO_CONTENT;
}

interface Versioned {
  readonly organization: OrganizationRow;
  readonly provider: ProviderRow;
  readonly version: VersionRow;
}

function requirePrivateProvider(context: Context, operation: Operation): ReturnType<typeof requireProvider> {
  const found = requireProvider(context, operation);
  if (found.row.registry_name === 'public') throw createProblem(403, 'Versions are not available for public providers');
  return found;
}

function requireVersion(context: Context, operation: Operation): Versioned {
  const { organization, row: provider } = requirePrivateProvider(context, operation);
  const version = findVersion(context.store, provider.seq, context.params['version'] ?? '');
  return { organization, provider, version: requirePresent(version) };
}

function requirePlatform(context: Context, operation: Operation): Versioned & { readonly platform: PlatformRow } {
  const found = requireVersion(context, operation);
  const { os = '', arch = '' } = context.params;
  return { ...found, platform: requirePresent(findPlatform(context.store, found.version.seq, os, arch)) };
}

function readAttributes(context: Context): Members {
  return toMembers(toMembers(context.body()['data'])['attributes']);
}

function readVersion(attributes: Members, flaws: Flaw[]): string | undefined {
  const version = readText(attributes, 'version', 'Version', flaws);
  if (version === undefined || SEMANTIC_VERSION.test(version)) return version;
  flaws.push({ detail: 'Version must be a semantic version', pointer: '/data/attributes/version' });
  return undefined;
}

/** As JSON. They may be missing. */
function readProtocols(attributes: Members, flaws: Flaw[]): string {
  const protocols = attributes['protocols'] ?? null;
  const isList = Array.isArray(protocols) && protocols.every((protocol) => typeof protocol === 'string');
  if (protocols !== null && !isList) {
    flaws.push({ detail: 'Protocols must be a list of strings', pointer: '/data/attributes/protocols' });
  }
  return JSON.stringify(protocols);
}
