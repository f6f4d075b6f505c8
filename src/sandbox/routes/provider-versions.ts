import { requirePresent, type Within } from '../access.ts';
import { answerList, answerOne, type Resources } from '../answers.ts';
import { recordEvent } from '../audit-events.ts';
import { readPage } from '../pagination.ts';
import type { Operation } from '../permissions.ts';
import { createProblem } from '../problems.ts';
import type { OrganizationRow } from '../queries/organizations.ts';
import type { ProviderRow } from '../queries/providers.ts';
import {
  findPlatform,
  findVersion,
  type PlatformRow,
  selectPlatforms,
  selectVersions,
  type VersionRow,
} from '../queries/releases.ts';
import { toPlatform, toVersions } from '../release-documents.ts';
import { type Form, readForm } from '../request.ts';
import { type Answer, type Context, NO_CONTENT, type Route, routesAbout } from '../route.ts';
import { PROVIDER, requireProvider } from './providers.ts';

const VERSIONS = `${PROVIDER}/versions`;
const VERSION = `${VERSIONS}/:version`;
const PLATFORMS = `${VERSION}/platforms`;
const PLATFORM = `${PLATFORMS}/:os/:arch`;

const ofProvider = routesAbout(requirePrivateProvider);
const ofVersion = routesAbout(requireVersion);
const ofPlatform = routesAbout(requirePlatform);

/**
 * What a private provider consists of. Outside the service's document, so Assumed throughout: as clients know it, the id of
 * the key, the sum and the name of the file are taken as they are given, and the type of a request is not looked at.
 */
export const PROVIDER_VERSION_ROUTES: readonly Route[] = [
  ofProvider('GET', VERSIONS, 'releases.show', list),
  ofProvider('POST', VERSIONS, 'releases.change', create),
  ofVersion('GET', VERSION, 'releases.show', show),
  ofVersion('DELETE', VERSION, 'releases.change', remove),
  ofVersion('GET', PLATFORMS, 'releases.show', listAllPlatforms),
  ofVersion('POST', PLATFORMS, 'releases.change', createPlatform),
  ofPlatform('GET', PLATFORM, 'releases.show', showPlatform),
  ofPlatform('DELETE', PLATFORM, 'releases.change', removePlatform),
];

/** This is how semver.org defines a version. */
const PART = '(?:0|[1-9]\\d*)';
const WORD = `(?:${PART}|\\d*[a-zA-Z-][\\da-zA-Z-]*)`;
const SEMANTIC_VERSION = new RegExp(
  `^${PART}\\.${PART}\\.${PART}(?:-${WORD}(?:\\.${WORD})*)?(?:\\+[\\da-zA-Z-]+(?:\\.[\\da-zA-Z-]+)*)?$`,
);

function list(context: Context, { organization, row: provider }: Within<ProviderRow>): Answer {
  const rows = selectVersions(context.store, [provider.seq]);
  return answerList(context, readPage(context.url), rows, (some) => toResources(context, organization, provider, some));
}

function create(context: Context, { organization, row: provider }: Within<ProviderRow>): Answer {
  const { store, ids, now } = context;
  const form = readForm(context);
  const version = form.text('version', 'Version', SEMANTIC_VERSION, 'Version must be a semantic version');
  const keyId = form.text('key-id', 'Key');
  const protocols = readProtocols(form);
  form.check();
  if (findVersion(store, provider.seq, version) !== undefined) {
    throw form.refuse('attributes/version', 'Version has already been taken');
  }
  const id = ids.id('provver');
  const times = { created_at: now, updated_at: now };
  store.insert('provider_versions', { id, provider: provider.seq, version, key_id: keyId, protocols, ...times });
  recordEvent(context, organization, { type: 'registry_provider_version', action: 'create', id });
  const row = requirePresent(findVersion(store, provider.seq, version));
  return answerOne(context, toResources(context, organization, provider, [row]), 201);
}

function show(context: Context, { organization, provider, version }: Versioned): Answer {
  return answerOne(context, toResources(context, organization, provider, [version]));
}

function toResources(
  context: Context,
  organization: OrganizationRow,
  provider: ProviderRow,
  rows: readonly VersionRow[],
): Resources {
  return { data: toVersions(context, organization, [provider], rows).map(({ resource }) => resource) };
}

/** The platforms of the version and all its files go, too. */
function remove(context: Context, { organization, version }: Versioned): Answer {
  context.store.remove('provider_versions', version.seq);
  recordEvent(context, organization, { type: 'registry_provider_version', action: 'destroy', id: version.id });
  return NO_CONTENT;
}

function listAllPlatforms(context: Context, { organization, version }: Versioned): Answer {
  return answerList(context, readPage(context.url), selectPlatforms(context.store, [version.seq]), (rows) => ({
    data: rows.map((row) => toPlatform(context, organization, version, row)),
  }));
}

function createPlatform(context: Context, { organization, version }: Versioned): Answer {
  const { store, ids } = context;
  const form = readForm(context);
  const os = form.text('os', 'Os');
  const arch = form.text('arch', 'Arch');
  const shasum = form.text('shasum', 'Shasum');
  const filename = form.text('filename', 'Filename');
  form.check();
  if (findPlatform(store, version.seq, os, arch) !== undefined) {
    throw form.refuse('attributes/os', 'Os and arch have already been taken');
  }
  const id = ids.id('provpltfrm');
  store.insert('provider_platforms', { id, version: version.seq, os, arch, shasum, filename });
  recordEvent(context, organization, { type: 'registry_provider_platform', action: 'create', id });
  const row = requirePresent(findPlatform(store, version.seq, os, arch));
  return answerOne(context, { data: [toPlatform(context, organization, version, row)] }, 201);
}

function showPlatform(context: Context, { organization, version, platform }: Placed): Answer {
  return answerOne(context, { data: [toPlatform(context, organization, version, platform)] });
}

function removePlatform(context: Context, { organization, platform }: Placed): Answer {
  context.store.remove('provider_platforms', platform.seq);
  recordEvent(context, organization, { type: 'registry_provider_platform', action: 'destroy', id: platform.id });
  return NO_CONTENT;
}

interface Versioned {
  readonly organization: OrganizationRow;
  readonly provider: ProviderRow;
  readonly version: VersionRow;
}

interface Placed extends Versioned {
  readonly platform: PlatformRow;
}

function requirePrivateProvider(context: Context, operation: Operation): Within<ProviderRow> {
  const found = requireProvider(context, operation);
  if (found.row.registry_name === 'public') throw createProblem(403, 'Versions are not available for public providers');
  return found;
}

function requireVersion(context: Context, operation: Operation): Versioned {
  const { organization, row: provider } = requirePrivateProvider(context, operation);
  const version = findVersion(context.store, provider.seq, context.params['version'] ?? '');
  return { organization, provider, version: requirePresent(version) };
}

function requirePlatform(context: Context, operation: Operation): Placed {
  const found = requireVersion(context, operation);
  const { os = '', arch = '' } = context.params;
  return { ...found, platform: requirePresent(findPlatform(context.store, found.version.seq, os, arch)) };
}

/** Returns JSON; null where the request has no protocols. */
function readProtocols({ attributes, note }: Form): string {
  const protocols = attributes['protocols'] ?? null;
  const isList = Array.isArray(protocols) && protocols.every((protocol) => typeof protocol === 'string');
  if (protocols !== null && !isList) note('attributes/protocols', 'Protocols must be a list of strings');
  return JSON.stringify(protocols);
}
