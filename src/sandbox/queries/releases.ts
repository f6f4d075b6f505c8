import { type Condition, isOneOf, type Selection, type Store } from '../rows.ts';

export interface VersionRow {
  readonly seq: number;
  readonly id: string;
  readonly provider: number;
  readonly version: string;
  /** What the client sent, unchecked. */
  readonly key_id: string;
  /** JSON: a list of texts, or null. */
  readonly protocols: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface PlatformRow {
  readonly seq: number;
  readonly id: string;
  readonly version: number;
  readonly os: string;
  readonly arch: string;
  /** What the client sent, unchecked, as the sum is. */
  readonly filename: string;
  readonly shasum: string;
}

/** The files of a release: a version has the first two, a platform the last. */
export type Part = 'shasums' | 'shasums-sig' | 'provider-binary';

export function findVersion(store: Store, provider: number, version: string): VersionRow | undefined {
  return select<VersionRow>(store, 'provider_versions', ['provider = ?', provider], ['version = ?', version]).first();
}

/** The versions of these providers. */
export function selectVersions(store: Store, providers: readonly number[]): Selection<VersionRow> {
  return select(store, 'provider_versions', isOneOf('provider', providers));
}

export function findPlatform(store: Store, version: number, os: string, arch: string): PlatformRow | undefined {
  const conditions = [['version = ?', version] as const, ['os = ? AND arch = ?', os, arch] as const];
  return select<PlatformRow>(store, 'provider_platforms', ...conditions).first();
}

/** The platforms of these versions. */
export function selectPlatforms(store: Store, versions: readonly number[]): Selection<PlatformRow> {
  return select(store, 'provider_platforms', isOneOf('version', versions));
}

function select<Row>(store: Store, table: string, ...conditions: readonly Condition[]): Selection<Row> {
  return store.select('*', table, conditions);
}

/** The name of the file on the disk; undefined where nothing was uploaded yet. */
export function findReleaseFile(store: Store, owner: string, part: Part): string | undefined {
  const sql = 'SELECT file FROM release_files WHERE owner = ? AND part = ?';
  return store.first<{ file: string }>(sql, owner, part)?.file;
}

export function insertReleaseFile(store: Store, owner: string, part: Part, file: string): void {
  store.insert('release_files', { owner, part, file });
}

/** Whether there still is a version or platform with that id. */
export function hasRelease(store: Store, owner: string): boolean {
  return (
    store.count('provider_versions WHERE id = ?', owner) + store.count('provider_platforms WHERE id = ?', owner) > 0
  );
}

export function isReleaseFile(store: Store, file: string): boolean {
  return store.count('release_files WHERE file = ?', file) > 0;
}

/** All files that were uploaded and are not yet removed. */
export function listFiles(store: Store): string[] {
  const sql = 'SELECT file FROM release_files UNION SELECT file FROM discarded_files';
  return store.all<{ file: string }>(sql).map(({ file }) => file);
}

/** Files that no version or platform has any more. */
export function listDiscardedFiles(store: Store): string[] {
  return store.all<{ file: string }>('SELECT file FROM discarded_files').map(({ file }) => file);
}

export function forgetDiscardedFile(store: Store, file: string): void {
  store.run('DELETE FROM discarded_files WHERE file = ?', file);
}
