import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Ended, type Environment, ORGCTL, start } from '../campaign/process.ts';
import { COMPILED } from './compiled.ts';

export { type Ended, type Environment, ORGCTL, ROOT, type Running, start } from '../campaign/process.ts';

/** The built orgctl as users run it: in processes of its own, in a new home. */

export interface Place {
  /** Empty at first. Settings and state go below it. */
  readonly home: string;
  /** The only variables a process gets, besides those a test adds. `orgctl` is on its path. */
  readonly env: Environment;
}

export interface RunOptions {
  readonly env: Environment;
  readonly cwd?: string;
}

/** Removed when the test is over, unless it is kept. */
export function createPlace(after: (act: () => void) => void = onTestFinished): Place {
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-e2e-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const [home, bin] = [join(folder, 'home'), join(folder, 'bin')];
  mkdirSync(home);
  mkdirSync(bin);
  // For signals to orgctl itself, and not to the shell around it.
  writeFileSync(
    join(bin, 'orgctl'),
    `#!/bin/sh\n[ -z "$PID_FILE" ] || echo $$ > "$PID_FILE"\nunset PID_FILE\nexec '${process.execPath}' '${ORGCTL}' "$@"\n`,
    { mode: 0o755 },
  );
  const path = [bin, process.env['PATH'] ?? ''].join(delimiter);
  return { home, env: { PATH: path, HOME: home, TZ: 'UTC', NODE_COMPILE_CACHE: COMPILED } };
}

/** Runs the built file to its end, without input. */
export async function orgctl(argv: readonly string[], options: RunOptions): Promise<Ended> {
  return await start(process.execPath, [ORGCTL, ...argv], options).ended;
}

/** Runs a line of shell to its end. */
export async function shell(line: string, options: RunOptions): Promise<Ended> {
  return await start('sh', ['-c', line], options).ended;
}
