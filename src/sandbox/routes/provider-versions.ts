import * as v from 'valibot';
import { assertFound, findPermissions, withOrganization } from '../access.ts';
import { createFieldError, parseAttributes, text } from '../bodies.ts';
import { type Context, NO_CONTENT, type Reply, type Route } from '../context.ts';
import { recordEvent } from '../events.ts';
import { isUploaded as isFileUploaded, type Part } from '../files.ts';
import { replyList, replyOne } from '../pages.ts';
import * as providers from '../providers.ts';
import { formatColumns, formatToMany, formatToOne, type ResourceObject } from '../resources.ts';
import type { OrganizationRow, PlatformRow, VersionRow } from '../rows.ts';

const VERSIONS = `${providers.PROVIDER}/versions`;
const VERSION = `${VERSIONS}/:version`;
const PLATFORMS = `${VERSION}/platforms`;
const PLATFORM = `${PLATFORMS}/:os/:arch`;

/** Key, sum, file name and type are not validated (facts). */
export const PROVIDER_VERSIONS: Route[] = [
  { method: 'GET', path: VERSIONS, handle: withOrganization('providers.read', list) },
  { method: 'POST', path: VERSIONS, handle: withOrganization('providers.manage', create) },
  { method: 'GET', path: VERSION, handle: withOrganization('providers.read', show) },
  { method: 'DELETE', path: VERSION, handle: withOrganization('providers.manage', remove) },
  { method: 'GET', path: PLATFORMS, handle: withOrganization('providers.read', listPlatforms) },
  { method: 'POST', path: PLATFORMS, handle: withOrganization('providers.manage', createPlatform) },
  { method: 'GET', path: PLATFORM, handle: withOrganization('providers.read', showPlatform) },
  { method: 'DELETE', path: PLATFORM, handle: withOrganization('providers.manage', removePlatform) },
];

function findOne(ctx: Context, organization: OrganizationRow): VersionRow {
  const provider = providers.findPrivate(ctx, organization);
  return assertFound(providers.findVersionRow(ctx.store, provider, ctx.param('version')));
}

function list(ctx: Context, organization: OrganizationRow): Reply {
  const rows = providers.selectVersions(ctx.store, [providers.findPrivate(ctx, organization)]);
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

const PROTOCOLS = 'Protocols must be a list of strings';

function create(ctx: Context, organization: OrganizationRow): Reply {
  const { store, ids, now } = ctx;
  const provider = providers.findPrivate(ctx, organization);
  const { version, protocols, ...attributes } = parseAttributes(ctx, undefined, {
    version: text('Version', SEMANTIC_VERSION, 'Version must be a semantic version'),
    'key-id': text('Key'),
    protocols: v.nullish(v.array(v.string(PROTOCOLS), PROTOCOLS), null),
  });
  if (providers.findVersionRow(store, provider, version) !== undefined) {
    throw createFieldError('attributes/version', 'Version has already been taken');
  }
  const key = { key_id: attributes['key-id'], protocols: JSON.stringify(protocols) };
  const times = { created_at: now, updated_at: now };
  const place = { id: ids.id('provver'), provider: provider.seq, version };
  store.insert('provider_versions', { ...place, ...key, ...times });
  recordEvent(ctx, organization, { type: 'registry_provider_version', action: 'create', id: place.id });
  const row = assertFound(providers.findVersionRow(store, provider, version));
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
  return replyList(ctx, providers.selectPlatforms(ctx.store, [version]), (rows) => ({
    data: rows.map((row) => formatPlatform(ctx, organization, version, row)),
  }));
}

function createPlatform(ctx: Context, organization: OrganizationRow): Reply {
  const { store, ids } = ctx;
  const version = findOne(ctx, organization);
  const schema = { os: text('Os'), arch: text('Arch'), shasum: text('Shasum'), filename: text('Filename') };
  const attributes = parseAttributes(ctx, undefined, schema);
  if (providers.findPlatformRow(store, version, attributes.os, attributes.arch) !== undefined) {
    throw createFieldError('attributes/os', 'Os and arch have already been taken');
  }
  const place = { id: ids.id('provpltfrm'), version: version.seq };
  const row = store.insert<PlatformRow>('provider_platforms', { ...place, ...attributes });
  recordEvent(ctx, organization, { type: 'registry_provider_platform', action: 'create', id: row.id });
  return replyOne(ctx, { data: [formatPlatform(ctx, organization, version, row)] }, 201);
}

function findPlatform(ctx: Context, organization: OrganizationRow) {
  const version = findOne(ctx, organization);
  const platform = assertFound(providers.findPlatformRow(ctx.store, version, ctx.param('os'), ctx.param('arch')));
  return { version, platform };
}

function showPlatform(ctx: Context, organization: OrganizationRow): Reply {
  const { version, platform } = findPlatform(ctx, organization);
  return replyOne(ctx, { data: [formatPlatform(ctx, organization, version, platform)] });
}

function removePlatform(ctx: Context, organization: OrganizationRow): Reply {
  return removeRow(ctx, organization, 'provider_platform', findPlatform(ctx, organization).platform);
}

export function formatVersions(ctx: Context, { seq }: OrganizationRow, rows: VersionRow[]): ResourceObject[] {
  const canChange = findPermissions(ctx, seq).has('providers.manage');
  const platforms = providers.selectPlatforms(ctx.store, rows).list();
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
  const isUploaded = isFileUploaded(ctx.store, owner, part);
  const purpose = isUploaded ? 'download' : 'upload';
  const links = isUploaded || canChange ? { [`${part}-${purpose}`]: ctx.link({ owner, part, purpose }) } : {};
  return { isUploaded, links, permissions: { 'can-delete': canChange, 'can-upload-asset': canChange } };
}
