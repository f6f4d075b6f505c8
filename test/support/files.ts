import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** What tests of files share. */

/** An empty folder, gone when the test is over. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function permissions(path: string): number {
  return statSync(path).mode & 0o7777;
}
