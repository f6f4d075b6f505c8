import * as v from 'valibot';
import { assertFound, isAllowed } from '../access.ts';
import { createFlaw, readForm, text } from '../bodies.ts';
import { type Answer, type Call, NO_CONTENT, type Route } from '../call.ts';
import { formatColumns, type Resource, refer } from '../documents.ts';
import { createProblem } from '../errors.ts';
import { recordEvent } from '../events.ts';
import { findFile } from '../files.ts';
import type { Part } from '../links.ts';
import { answerList, answerOne, readPage } from '../pages.ts';
import type { OrganizationRow, PlatformRow, ProviderRow, VersionRow } from '../rows.ts';
import { isOneOf, type Store } from '../store.ts';
import { findProvider, PROVIDER } from './providers.ts';

const VERSIONS = `${PROVIDER}/versions`;
const VERSION = `${VERSIONS}/:version`;
const PLATFORMS = `${VERSION}/platforms`;
const PLATFORM = `${PLATFORMS}/:os/:arch`;

/** What a private provider consists of. Key, sum and file name are taken as they are given, and so is the type (facts). */
export const PROVIDER_VERSIONS: readonly Route[] = [
  ['GET', VERSIONS, list],
  ['POST', VERSIONS, create],
  ['GET', VERSION, show],
  ['DELETE', VERSION, remove],
  ['GET', PLATFORMS, listPlatforms],
  ['POST', PLATFORMS, createPlatform],
  ['GET', PLATFORM, showPlatform],
  ['DELETE', PLATFORM, removePlatform],
];

type Operation = 'releases.show' | 'releases.change';

interface Found {
  organization: OrganizationRow;
  provider: ProviderRow;
}

function findPrivate(call: Call, operation: Operation): Found {
  const found = findProvider(call, operation);
  if (found.provider.registry_name === 'private') return found;
  throw createProblem(403, 'Versions are not available for public providers');
}

function findOne(call: Call, operation: Operation): Found & { version: VersionRow } {
  const found = findPrivate(call, operation);
  return { ...found, version: assertFound(findVersion(call.store, found.provider, call.param('version'))) };
}

function findPlatformOf(call: Call, operation: Operation) {
  const found = findOne(call, operation);
  const platform = findPlatform(call.store, found.version, call.param('os'), call.param('arch'));
  return { ...found, platform: assertFound(platform) };
}

export function findVersion(store: Store, { seq }: ProviderRow, version: string): VersionRow | undefined {
  return store.first('SELECT * FROM provider_versions WHERE provider = ? AND version = ?', seq, version);
}

export function findPlatform(store: Store, { seq }: VersionRow, os: string, arch: string): PlatformRow | undefined {
  return store.first('SELECT * FROM provider_platforms WHERE version = ? AND os = ? AND arch = ?', seq, os, arch);
}

export function selectVersions(store: Store, providers: readonly ProviderRow[]) {
  const isOwn = isOneOf(
    'provider',
    providers.map(({ seq }) => seq),
  );
  return store.select<VersionRow>('*', 'provider_versions', [isOwn]);
}

export function selectPlatforms(store: Store, versions: readonly VersionRow[]) {
  const isOwn = isOneOf(
    'version',
    versions.map(({ seq }) => seq),
  );
  return store.select<PlatformRow>('*', 'provider_platforms', [isOwn]);
}

function list(call: Call): Answer {
  const { organization, provider } = findPrivate(call, 'releases.show');
  const rows = selectVersions(call.store, [provider]);
  return answerList(call, readPage(call), rows, (some) => ({
    data: formatVersions(call, organization, [provider], some),
  }));
}

function answer(call: Call, { organization, provider, version }: ReturnType<typeof findOne>, status?: number): Answer {
  return answerOne(call, { data: formatVersions(call, organization, [provider], [version]) }, status);
}

function show(call: Call): Answer {
  return answer(call, findOne(call, 'releases.show'));
}

/** This is how semver.org defines a version. */
const PART = '(?:0|[1-9]\\d*)';
const WORD = `(?:${PART}|\\d*[a-zA-Z-][\\da-zA-Z-]*)`;
const SEMANTIC_VERSION = new RegExp(
  `^${PART}\\.${PART}\\.${PART}(?:-${WORD}(?:\\.${WORD})*)?(?:\\+[\\da-zA-Z-]+(?:\\.[\\da-zA-Z-]+)*)?$`,
);

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === 'string');

function create(call: Call): Answer {
  const { store, ids, now } = call;
  const { organization, provider } = findPrivate(call, 'releases.change');
  const values = readForm(call, undefined, {
    version: text('Version', SEMANTIC_VERSION, 'Version must be a semantic version'),
    'key-id': text('Key'),
    protocols: v.nullish(v.custom<string[]>(isTexts, 'Protocols must be a list of strings'), null),
  }).check();
  if (findVersion(store, provider, values.version) !== undefined) {
    throw createFlaw('attributes/version', 'Version has already been taken');
  }
  const id = ids.id('provver');
  store.insert('provider_versions', {
    id,
    provider: provider.seq,
    version: values.version,
    key_id: values['key-id'],
    protocols: JSON.stringify(values.protocols),
    created_at: now,
    updated_at: now,
  });
  recordEvent(call, organization, { type: 'registry_provider_version', action: 'create', id });
  const version = assertFound(findVersion(store, provider, values.version));
  return answer(call, { organization, provider, version }, 201);
}

/** The platforms of the version and all its files go, too. */
function remove(call: Call): Answer {
  const { organization, version } = findOne(call, 'releases.change');
  call.store.remove('provider_versions', version.seq);
  recordEvent(call, organization, { type: 'registry_provider_version', action: 'destroy', id: version.id });
  return NO_CONTENT;
}

function listPlatforms(call: Call): Answer {
  const { organization, version } = findOne(call, 'releases.show');
  return answerList(call, readPage(call), selectPlatforms(call.store, [version]), (rows) => ({
    data: rows.map((row) => formatPlatform(call, organization, version, row)),
  }));
}

function createPlatform(call: Call): Answer {
  const { store, ids } = call;
  const { organization, version } = findOne(call, 'releases.change');
  const values = readForm(call, undefined, {
    os: text('Os'),
    arch: text('Arch'),
    shasum: text('Shasum'),
    filename: text('Filename'),
  }).check();
  if (findPlatform(store, version, values.os, values.arch) !== undefined) {
    throw createFlaw('attributes/os', 'Os and arch have already been taken');
  }
  const id = ids.id('provpltfrm');
  store.insert('provider_platforms', { id, version: version.seq, ...values });
  recordEvent(call, organization, { type: 'registry_provider_platform', action: 'create', id });
  const row = assertFound(findPlatform(store, version, values.os, values.arch));
  return answerOne(call, { data: [formatPlatform(call, organization, version, row)] }, 201);
}

function showPlatform(call: Call): Answer {
  const { organization, version, platform } = findPlatformOf(call, 'releases.show');
  return answerOne(call, { data: [formatPlatform(call, organization, version, platform)] });
}

function removePlatform(call: Call): Answer {
  const { organization, platform } = findPlatformOf(call, 'releases.change');
  call.store.remove('provider_platforms', platform.seq);
  recordEvent(call, organization, { type: 'registry_provider_platform', action: 'destroy', id: platform.id });
  return NO_CONTENT;
}

/** Versions of these providers. */
export function formatVersions(
  call: Call,
  organization: OrganizationRow,
  providers: readonly ProviderRow[],
  rows: readonly VersionRow[],
): Resource[] {
  const canChange = isAllowed(call, organization.seq, 'releases.change');
  const platforms = selectPlatforms(call.store, rows).list();
  return rows.map((row) => {
    const sums = describeFile(call, row.id, 'shasums', canChange);
    const signature = describeFile(call, row.id, 'shasums-sig', canChange);
    const own = platforms.filter(({ version }) => version === row.seq);
    return {
      id: row.id,
      type: 'registry-provider-versions',
      attributes: {
        ...formatColumns(row, 'version', 'created_at', 'updated_at', 'key_id'),
        protocols: JSON.parse(row.protocols),
        permissions: { 'can-delete': canChange, 'can-upload-asset': canChange },
        'shasums-uploaded': sums.isUploaded,
        'shasums-sig-uploaded': signature.isUploaded,
      },
      relationships: {
        'registry-provider': refer('registry-providers', providers.find(({ seq }) => seq === row.provider)?.id ?? ''),
        platforms: { data: own.map(({ id }) => ({ id, type: 'registry-provider-platforms' })) },
      },
      links: { ...sums.links, ...signature.links },
    };
  });
}

function formatPlatform(call: Call, organization: OrganizationRow, version: VersionRow, row: PlatformRow): Resource {
  const canChange = isAllowed(call, organization.seq, 'releases.change');
  const { isUploaded, links } = describeFile(call, row.id, 'provider-binary', canChange);
  return {
    id: row.id,
    type: 'registry-provider-platforms',
    attributes: {
      ...formatColumns(row, 'os', 'arch', 'filename', 'shasum'),
      permissions: { 'can-delete': canChange, 'can-upload-asset': canChange },
      'provider-binary-uploaded': isUploaded,
    },
    relationships: { 'registry-provider-version': refer('registry-provider-versions', version.id) },
    links,
  };
}

/** The link to a file: for its upload if it is missing, shown to who may upload it; else for its download. */
function describeFile(call: Call, owner: string, part: Part, canChange: boolean) {
  const isUploaded = findFile(call.store, owner, part) !== undefined;
  const purpose = isUploaded ? 'download' : 'upload';
  const isShown = isUploaded || canChange;
  return { isUploaded, links: isShown ? { [`${part}-${purpose}`]: call.link({ owner, part, purpose }) } : {} };
}
