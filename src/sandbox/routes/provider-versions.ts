import * as v from 'valibot';
import { assertFound, findMay } from '../access.ts';
import { createFlaw, readForm, text } from '../bodies.ts';
import { type Answer, type Call, NO_CONTENT, type Route } from '../call.ts';
import { formatColumns, type Resource, refer, referAll } from '../documents.ts';
import { createProblem } from '../errors.ts';
import { recordEvent } from '../events.ts';
import { findFile, type Part } from '../files.ts';
import { answerList, answerOne } from '../pages.ts';
import type { OrganizationRow, PlatformRow, ProviderRow, VersionRow } from '../rows.ts';
import { isOneOf, type Store } from '../store.ts';
import { findProvider, PROVIDER } from './providers.ts';

const VERSIONS = `${PROVIDER}/versions`;
const VERSION = `${VERSIONS}/:version`;
const PLATFORMS = `${VERSION}/platforms`;
const PLATFORM = `${PLATFORMS}/:os/:arch`;

/** What a private provider consists of. Key, sum and file name are taken as they are given, and so is the type (facts). */
export const PROVIDER_VERSIONS: readonly Route[] = [
  ['GET', VERSIONS, 'providers.read', list],
  ['POST', VERSIONS, 'providers.manage', create],
  ['GET', VERSION, 'providers.read', show],
  ['DELETE', VERSION, 'providers.manage', remove],
  ['GET', PLATFORMS, 'providers.read', listPlatforms],
  ['POST', PLATFORMS, 'providers.manage', createPlatform],
  ['GET', PLATFORM, 'providers.read', showPlatform],
  ['DELETE', PLATFORM, 'providers.manage', removePlatform],
];

function findPrivate(call: Call, organization: OrganizationRow): ProviderRow {
  const provider = findProvider(call, organization);
  if (provider.registry_name === 'private') return provider;
  throw createProblem(403, 'Versions are not available for public providers');
}

const FROM = 'provider_versions JOIN providers ON providers.seq = provider_versions.provider';
const COLUMNS = 'provider_versions.*, providers.id AS provider_id';

function findOne(call: Call, organization: OrganizationRow): VersionRow {
  return assertFound(findVersion(call.store, findPrivate(call, organization), call.param('version')));
}

export function findVersion(store: Store, { seq }: ProviderRow, version: string): VersionRow | undefined {
  return store.first(`SELECT ${COLUMNS} FROM ${FROM} WHERE provider = ? AND version = ?`, seq, version);
}

export function findPlatform(store: Store, { seq }: VersionRow, os: string, arch: string): PlatformRow | undefined {
  return store.first('SELECT * FROM provider_platforms WHERE version = ? AND os = ? AND arch = ?', seq, os, arch);
}

export function selectVersions(store: Store, providers: readonly ProviderRow[]) {
  const seqs = providers.map(({ seq }) => seq);
  return store.select<VersionRow>(COLUMNS, FROM, [isOneOf('provider', seqs)], 'provider_versions.seq');
}

export function selectPlatforms(store: Store, versions: readonly VersionRow[]) {
  const seqs = versions.map(({ seq }) => seq);
  return store.select<PlatformRow>('*', 'provider_platforms', [isOneOf('version', seqs)]);
}

function list(call: Call, organization: OrganizationRow): Answer {
  const rows = selectVersions(call.store, [findPrivate(call, organization)]);
  return answerList(call, rows, (some) => ({ data: formatVersions(call, organization, some) }));
}

function show(call: Call, organization: OrganizationRow): Answer {
  return answerOne(call, { data: formatVersions(call, organization, [findOne(call, organization)]) });
}

const PART = '(?:0|[1-9]\\d*)';
const WORD = `(?:${PART}|\\d*[a-zA-Z-][\\da-zA-Z-]*)`;
const SEMANTIC_VERSION = new RegExp(
  `^${PART}\\.${PART}\\.${PART}(?:-${WORD}(?:\\.${WORD})*)?(?:\\+[\\da-zA-Z-]+(?:\\.[\\da-zA-Z-]+)*)?$`,
);

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === 'string');

function create(call: Call, organization: OrganizationRow): Answer {
  const { store, ids, now } = call;
  const provider = findPrivate(call, organization);
  const { version, protocols, ...given } = readForm(call, undefined, {
    version: text('Version', SEMANTIC_VERSION, 'Version must be a semantic version'),
    'key-id': text('Key'),
    protocols: v.nullish(v.custom<string[]>(isTexts, 'Protocols must be a list of strings'), null),
  }).check();
  if (findVersion(store, provider, version) !== undefined) {
    throw createFlaw('attributes/version', 'Version has already been taken');
  }
  const key = { key_id: given['key-id'], protocols: JSON.stringify(protocols) };
  const times = { created_at: now, updated_at: now };
  const place = { id: ids.id('provver'), provider: provider.seq, version };
  store.insert('provider_versions', { ...place, ...key, ...times });
  recordEvent(call, organization, { type: 'registry_provider_version', action: 'create', id: place.id });
  const row = assertFound(findVersion(store, provider, version));
  return answerOne(call, { data: formatVersions(call, organization, [row]) }, 201);
}

function remove(call: Call, organization: OrganizationRow): Answer {
  return removeRow(call, organization, 'provider_version', findOne(call, organization));
}

/** `what`: the name of its table and of its events, without the ending and the beginning. */
export function removeRow(call: Call, organization: OrganizationRow, what: string, { seq, id }: Removed): Answer {
  call.store.remove(`${what}s`, seq);
  recordEvent(call, organization, { type: `registry_${what}`, action: 'destroy', id });
  return NO_CONTENT;
}

type Removed = { seq: number; id: string };

function listPlatforms(call: Call, organization: OrganizationRow): Answer {
  const version = findOne(call, organization);
  return answerList(call, selectPlatforms(call.store, [version]), (rows) => ({
    data: rows.map((row) => formatPlatform(call, organization, version, row)),
  }));
}

function createPlatform(call: Call, organization: OrganizationRow): Answer {
  const { store, ids } = call;
  const version = findOne(call, organization);
  const schema = { os: text('Os'), arch: text('Arch'), shasum: text('Shasum'), filename: text('Filename') };
  const given = readForm(call, undefined, schema).check();
  if (findPlatform(store, version, given.os, given.arch) !== undefined) {
    throw createFlaw('attributes/os', 'Os and arch have already been taken');
  }
  const place = { id: ids.id('provpltfrm'), version: version.seq };
  const row = store.insert<PlatformRow>('provider_platforms', { ...place, ...given });
  recordEvent(call, organization, { type: 'registry_provider_platform', action: 'create', id: row.id });
  return answerOne(call, { data: [formatPlatform(call, organization, version, row)] }, 201);
}

function showPlatform(call: Call, organization: OrganizationRow): Answer {
  const version = findOne(call, organization);
  const platform = assertFound(findPlatform(call.store, version, call.param('os'), call.param('arch')));
  return answerOne(call, { data: [formatPlatform(call, organization, version, platform)] });
}

function removePlatform(call: Call, organization: OrganizationRow): Answer {
  const version = findOne(call, organization);
  const platform = assertFound(findPlatform(call.store, version, call.param('os'), call.param('arch')));
  return removeRow(call, organization, 'provider_platform', platform);
}

export function formatVersions(call: Call, { seq }: OrganizationRow, rows: readonly VersionRow[]): Resource[] {
  const canChange = findMay(call, seq)('providers.manage');
  const platforms = selectPlatforms(call.store, rows).list();
  return rows.map((row) => {
    const sums = describeFile(call, row.id, 'shasums', canChange);
    const signature = describeFile(call, row.id, 'shasums-sig', canChange);
    const attributes = {
      ...formatColumns(row, 'version', 'created_at', 'updated_at', 'key_id'),
      ...{ protocols: JSON.parse(row.protocols) as unknown, permissions: sums.permissions },
      ...{ 'shasums-uploaded': sums.isUploaded, 'shasums-sig-uploaded': signature.isUploaded },
    };
    const own = platforms.filter(({ version }) => version === row.seq);
    const relationships = {
      'registry-provider': refer('registry-providers', row.provider_id),
      platforms: referAll('registry-provider-platforms', own),
    };
    const links = { ...sums.links, ...signature.links };
    return { id: row.id, type: 'registry-provider-versions', attributes, relationships, links };
  });
}

function formatPlatform(call: Call, { seq }: OrganizationRow, version: VersionRow, row: PlatformRow): Resource {
  const canChange = findMay(call, seq)('providers.manage');
  const { isUploaded, permissions, links } = describeFile(call, row.id, 'provider-binary', canChange);
  const columns = formatColumns(row, 'os', 'arch', 'filename', 'shasum');
  const attributes = { ...columns, permissions, 'provider-binary-uploaded': isUploaded };
  const relationships = { 'registry-provider-version': refer('registry-provider-versions', version.id) };
  return { id: row.id, type: 'registry-provider-platforms', attributes, relationships, links };
}

/** The link to a file: for its upload if it is missing, shown to who may upload it; else for its download. */
function describeFile(call: Call, owner: string, part: Part, canChange: boolean) {
  const isUploaded = findFile(call.store, owner, part) !== undefined;
  const purpose = isUploaded ? 'download' : 'upload';
  const links = isUploaded || canChange ? { [`${part}-${purpose}`]: call.link({ owner, part, purpose }) } : {};
  return { isUploaded, links, permissions: { 'can-delete': canChange, 'can-upload-asset': canChange } };
}
