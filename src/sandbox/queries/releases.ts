import type { Range } from '../pagination.ts';
import type { Store } from '../store.ts';

export interface VersionRow {
  readonly seq: number;
  readonly id: string;
  readonly provider: number;
  readonly version: string;
  /** As it was given, unchecked. */
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
  /** This and the sum as they were given, unchecked. */
  readonly filename: string;
  readonly shasum: string;
}

/** What is uploaded: the first two for a version, the last for a platform. */
export type Part = 'shasums' | 'shasums-sig' | 'provider-binary';

export function findVersion(store: Store, provider: number, version: string): VersionRow | undefined {
  return store.first('SELECT * FROM provider_versions WHERE provider = ? AND version = ?', provider, version);
}

export function countVersions(store: Store, provider: number): number {
  return store.count('provider_versions WHERE provider = ?', provider);
}

export function listVersions(store: Store, provider: number, range: Range): VersionRow[] {
  const sql = 'SELECT * FROM provider_versions WHERE provider = ? ORDER BY seq LIMIT ? OFFSET ?';
  return store.all(sql, provider, range.limit, range.offset);
}

/** Those of several providers, each in the order of their making. */
export function listVersionsOf(store: Store, providers: readonly number[]): VersionRow[] {
  const sql = 'SELECT * FROM provider_versions WHERE provider IN (SELECT value FROM json_each(?)) ORDER BY seq';
  return store.all(sql, JSON.stringify(providers));
}

export function insertVersion(
  store: Store,
  row: Pick<VersionRow, 'id' | 'provider' | 'version' | 'key_id' | 'protocols'> & { readonly createdAt: number },
): void {
  const { createdAt, ...columns } = row;
  store.insert('provider_versions', { ...columns, created_at: createdAt, updated_at: createdAt });
}

export function deleteVersion(store: Store, seq: number): void {
  store.run('DELETE FROM provider_versions WHERE seq = ?', seq);
}

export function findPlatform(store: Store, version: number, os: string, arch: string): PlatformRow | undefined {
  return store.first('SELECT * FROM provider_platforms WHERE version = ? AND os = ? AND arch = ?', version, os, arch);
}

export function countPlatforms(store: Store, version: number): number {
  return store.count('provider_platforms WHERE version = ?', version);
}

export function listPlatforms(store: Store, version: number, range: Range): PlatformRow[] {
  const sql = 'SELECT * FROM provider_platforms WHERE version = ? ORDER BY seq LIMIT ? OFFSET ?';
  return store.all(sql, version, range.limit, range.offset);
}

/** Those of several versions, each in the order of their making. */
export function listPlatformsOf(store: Store, versions: readonly number[]): PlatformRow[] {
  const sql = 'SELECT * FROM provider_platforms WHERE version IN (SELECT value FROM json_each(?)) ORDER BY seq';
  return store.all(sql, JSON.stringify(versions));
}

export function insertPlatform(store: Store, row: Omit<PlatformRow, 'seq'>): void {
  store.insert('provider_platforms', { ...row });
}

export function deletePlatform(store: Store, seq: number): void {
  store.run('DELETE FROM provider_platforms WHERE seq = ?', seq);
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

/** All that were uploaded and are not yet removed. */
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
