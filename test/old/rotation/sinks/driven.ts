import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { onTestFinished } from 'vitest';
import { SECRET } from './surroundings.ts';

export interface Step {
  readonly step: 'check' | 'prepare' | 'deliver' | 'discard';
  readonly error?: string;
  readonly message?: string;
  readonly reasons?: readonly string[];
  /** What is in the folder after it. */
  readonly files: readonly string[];
}

const IS_ROOT = process.getuid?.() === 0;
export const NOBODY = 65_534;

/** Why no mounts can be made here, or undefined. */
export const NO_MOUNTS = canRun('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt'])
  ? undefined
  : 'needs to make mounts of its own';
/** Why nothing can be run without the powers of root here, or undefined. */
export const NO_OTHER_USER =
  !IS_ROOT || canRun('setpriv', ['--reuid', `${NOBODY}`, '--clear-groups', 'true']) ? undefined : 'needs setpriv';
export const NOT_ROOT = IS_ROOT ? undefined : 'needs root, to make files of other users';

function canRun(command: string, args: readonly string[]): boolean {
  return process.platform === 'linux' && spawnSync(command, args).status === 0;
}

/** The title of a test, with the reason for leaving it out when there is one. */
export function titled(title: string, reason: string | undefined): string {
  return reason === undefined ? title : `${title} (left out: ${reason})`;
}

/** Builds the driver once. Removed by the returned function. */
export async function buildDriver(): Promise<{ readonly path: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-driver-'));
  const path = join(folder, 'driver.mjs');
  await build({
    input: fileURLToPath(new URL('driver.ts', import.meta.url)),
    platform: 'node',
    output: { file: path, format: 'esm' },
    logLevel: 'silent',
  });
  chmodSync(folder, 0o755);
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A folder that an ordinary user can enter. */
export function createOpenFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-sinks-'));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the driver. `before` is shell text that runs first, in mounts of its own. */
export async function drive(
  driver: string,
  sink: string,
  folder: string,
  options: { readonly before?: string; readonly asNobody?: boolean; readonly secret?: string } = {},
): Promise<readonly Step[]> {
  const plain = [process.execPath, driver, sink, folder];
  const user = ['setpriv', '--reuid', `${NOBODY}`, '--regid', `${NOBODY}`, '--clear-groups'];
  const run = options.asNobody === true && IS_ROOT ? [...user, ...plain] : plain;
  const words =
    options.before === undefined
      ? run
      : ['unshare', '-m', 'sh', '-c', `set -e\n${options.before}\nexec "$@"`, 'sh', ...run];
  const [command = '', ...args] = words;
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(options.secret ?? SECRET);
  let text = '';
  for await (const piece of child.stdout.setEncoding('utf8')) text += String(piece);
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Step);
}

/** Where it failed and how; undefined when every step went well. */
export function firstFailure(steps: readonly Step[]): Step | undefined {
  return steps.find(({ error }) => error !== undefined);
}
