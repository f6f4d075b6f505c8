import * as v from 'valibot';
import { assertFound, findPermissions } from '../access.ts';
import { createFieldError, readResource, text } from '../bodies.ts';
import { type Context, NO_CONTENT, type Reply, type Route } from '../context.ts';
import { createHttpError } from '../errors.ts';
import { recordEvent } from '../events.ts';
import { findFile, type Part } from '../files.ts';
import { replyList, replyOne } from '../pages.ts';
import { formatColumns, formatToMany, formatToOne, type ResourceObject } from '../resources.ts';
import type { OrganizationRow, PlatformRow, ProviderRow, VersionRow } from '../rows.ts';
import { isOneOf, type Store } from '../store.ts';
import { findProviderRow, PROVIDER } from './providers.ts';

const VERSIONS = `${PROVIDER}/versions`;
const VERSION = `${VERSIONS}/:version`;
const PLATFORMS = `${VERSION}/platforms`;
const PLATFORM = `${PLATFORMS}/:os/:arch`;

/** Key, sum, file name and type are not validated (facts). */
export const PROVIDER_VERSIONS: Route[] = [
  ['GET', VERSIONS, 'providers.read', list],
  ['POST', VERSIONS, 'providers.manage', create],
  ['GET', VERSION, 'providers.read', show],
  ['DELETE', VERSION, 'providers.manage', remove],
  ['GET', PLATFORMS, 'providers.read', listPlatforms],
  ['POST', PLATFORMS, 'providers.manage', createPlatform],
  ['GET', PLATFORM, 'providers.read', showPlatform],
  ['DELETE', PLATFORM, 'providers.manage', removePlatform],
];

function findPrivate(ctx: Context, organization: OrganizationRow): ProviderRow {
  const provider = findProviderRow(ctx, organization);
  if (provider.registry_name === 'private') return provider;
  throw createHttpError(403, 'Versions are not available for public providers');
}

const FROM = 'provider_versions JOIN providers ON providers.seq = provider_versions.provider';
const COLUMNS = 'provider_versions.*, providers.id AS provider_id';

function findOne(ctx: Context, organization: OrganizationRow): VersionRow {
  return assertFound(findVersionRow(ctx.store, findPrivate(ctx, organization), ctx.param('version')));
}

export function findVersionRow(store: Store, { seq }: ProviderRow, version: string): VersionRow | undefined {
  return store.first(`SELECT ${COLUMNS} FROM ${FROM} WHERE provider = ? AND version = ?`, seq, version);
}

export function findPlatformRow(store: Store, { seq }: VersionRow, os: string, arch: string): PlatformRow | undefined {
  return store.first('SELECT * FROM provider_platforms WHERE version = ? AND os = ? AND arch = ?', seq, os, arch);
}

export function selectVersions(store: Store, providers: ProviderRow[]) {
  const seqs = providers.map(({ seq }) => seq);
  return store.select<VersionRow>(COLUMNS, FROM, [isOneOf('provider', seqs)], 'provider_versions.seq');
}

export function selectPlatforms(store: Store, versions: VersionRow[]) {
  const seqs = versions.map(({ seq }) => seq);
  return store.select<PlatformRow>('*', 'provider_platforms', [isOneOf('version', seqs)]);
}

function list(ctx: Context, organization: OrganizationRow): Reply {
  const rows = selectVersions(ctx.store, [findPrivate(ctx, organization)]);
  return replyList(ctx, rows, (page) => ({ data: formatVersions(ctx, organization, page) }));
}

function show(ctx: Context, organization: OrganizationRow): Reply {
  return replyOne(ctx, { data: formatVersions(ctx, organization, [findOne(ctx, organization)]) });
}

const PART = '(?:0|[1-9]\\d*)';
const WORD = `(?:${PART}|\\d*[a-zA-Z-][\\da-zA-Z-]*)`;
const SEMANTIC_VERSION = new RegExp(
  `^${PART}\\.${PART}\\.${PART}(?:-${WORD}(?:\\.${WORD})*)?(?:\\+[\\da-zA-Z-]+(?:\\.[\\da-zA-Z-]+)*)?$`,
);

const isStringList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

function create(ctx: Context, organization: OrganizationRow): Reply {
  const { store, ids, now } = ctx;
  const provider = findPrivate(ctx, organization);
  const { version, protocols, ...attributes } = readResource(ctx, undefined, {
    version: text('Version', SEMANTIC_VERSION, 'Version must be a semantic version'),
    'key-id': text('Key'),
    protocols: v.nullish(v.custom<string[]>(isStringList, 'Protocols must be a list of strings'), null),
  }).validate();
  if (findVersionRow(store, provider, version) !== undefined) {
    throw createFieldError('attributes/version', 'Version has already been taken');
  }
  const key = { key_id: attributes['key-id'], protocols: JSON.stringify(protocols) };
  const times = { created_at: now, updated_at: now };
  const place = { id: ids.id('provver'), provider: provider.seq, version };
  store.insert('provider_versions', { ...place, ...key, ...times });
  recordEvent(ctx, organization, { type: 'registry_provider_version', action: 'create', id: place.id });
  const row = assertFound(findVersionRow(store, provider, version));
  return replyOne(ctx, { data: formatVersions(ctx, organization, [row]) }, 201);
}

function remove(ctx: Context, organization: OrganizationRow): Reply {
  return removeRow(ctx, organization, 'provider_version', findOne(ctx, organization));
}

type Removable = { seq: number; id: string };

/** `noun`: the table is `<noun>s`, and the type of the event `registry_<noun>`. */
export function removeRow(ctx: Context, organization: OrganizationRow, noun: string, { seq, id }: Removable): Reply {
  ctx.store.remove(`${noun}s`, seq);
  recordEvent(ctx, organization, { type: `registry_${noun}`, action: 'destroy', id });
  return NO_CONTENT;
}

function listPlatforms(ctx: Context, organization: OrganizationRow): Reply {
  const version = findOne(ctx, organization);
  return replyList(ctx, selectPlatforms(ctx.store, [version]), (rows) => ({
    data: rows.map((row) => formatPlatform(ctx, organization, version, row)),
  }));
}

function createPlatform(ctx: Context, organization: OrganizationRow): Reply {
  const { store, ids } = ctx;
  const version = findOne(ctx, organization);
  const schema = { os: text('Os'), arch: text('Arch'), shasum: text('Shasum'), filename: text('Filename') };
  const attributes = readResource(ctx, undefined, schema).validate();
  if (findPlatformRow(store, version, attributes.os, attributes.arch) !== undefined) {
    throw createFieldError('attributes/os', 'Os and arch have already been taken');
  }
  const place = { id: ids.id('provpltfrm'), version: version.seq };
  const row = store.insert<PlatformRow>('provider_platforms', { ...place, ...attributes });
  recordEvent(ctx, organization, { type: 'registry_provider_platform', action: 'create', id: row.id });
  return replyOne(ctx, { data: [formatPlatform(ctx, organization, version, row)] }, 201);
}

function showPlatform(ctx: Context, organization: OrganizationRow): Reply {
  const version = findOne(ctx, organization);
  const platform = assertFound(findPlatformRow(ctx.store, version, ctx.param('os'), ctx.param('arch')));
  return replyOne(ctx, { data: [formatPlatform(ctx, organization, version, platform)] });
}

function removePlatform(ctx: Context, organization: OrganizationRow): Reply {
  const version = findOne(ctx, organization);
  const platform = assertFound(findPlatformRow(ctx.store, version, ctx.param('os'), ctx.param('arch')));
  return removeRow(ctx, organization, 'provider_platform', platform);
}

export function formatVersions(ctx: Context, { seq }: OrganizationRow, rows: VersionRow[]): ResourceObject[] {
  const canChange = findPermissions(ctx, seq).has('providers.manage');
  const platforms = selectPlatforms(ctx.store, rows).list();
  return rows.map((row) => {
    const sums = formatFile(ctx, row.id, 'shasums', canChange);
    const signature = formatFile(ctx, row.id, 'shasums-sig', canChange);
    const attributes = {
      ...formatColumns(row, 'version', 'created_at', 'updated_at', 'key_id'),
      protocols: JSON.parse(row.protocols) as unknown,
      permissions: sums.permissions,
      'shasums-uploaded': sums.isUploaded,
      'shasums-sig-uploaded': signature.isUploaded,
    };
    const own = platforms.filter(({ version }) => version === row.seq);
    const relationships = {
      'registry-provider': formatToOne('registry-providers', row.provider_id),
      platforms: formatToMany('registry-provider-platforms', own),
    };
    const links = { ...sums.links, ...signature.links };
    return { id: row.id, type: 'registry-provider-versions', attributes, relationships, links };
  });
}

function formatPlatform(ctx: Context, { seq }: OrganizationRow, version: VersionRow, row: PlatformRow): ResourceObject {
  const canChange = findPermissions(ctx, seq).has('providers.manage');
  const { isUploaded, permissions, links } = formatFile(ctx, row.id, 'provider-binary', canChange);
  const columns = formatColumns(row, 'os', 'arch', 'filename', 'shasum');
  const attributes = { ...columns, permissions, 'provider-binary-uploaded': isUploaded };
  const relationships = { 'registry-provider-version': formatToOne('registry-provider-versions', version.id) };
  return { id: row.id, type: 'registry-provider-platforms', attributes, relationships, links };
}

function formatFile(ctx: Context, owner: string, part: Part, canChange: boolean) {
  const isUploaded = findFile(ctx.store, owner, part) !== undefined;
  const purpose = isUploaded ? 'download' : 'upload';
  const links = isUploaded || canChange ? { [`${part}-${purpose}`]: ctx.link({ owner, part, purpose }) } : {};
  return { isUploaded, links, permissions: { 'can-delete': canChange, 'can-upload-asset': canChange } };
}
