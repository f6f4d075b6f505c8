import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunOptions as InsideOptions, type RunResult, runInside } from '../campaign/inside.ts';
import { main } from './product.ts';

export { NOW, type RunResult } from '../campaign/inside.ts';

/** Without a home: in a new folder, which is removed afterwards. */
export type RunOptions = Partial<InsideOptions>;

/** Runs one command line through main, on a machine that the options describe. */
export async function run(argv: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const home = options.home ?? createHome();
  const result = await runInside(main, argv, { ...options, home });
  if (options.home === undefined) rmSync(home, { recursive: true, force: true });
  return result;
}

/** Lines as a text. */
export function toText(...lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** What a command ends with that prints nothing. */
export function failed(code: number, stderr: string): RunResult {
  return { code, stdout: '', stderr };
}

function createHome(): string {
  return mkdtempSync(join(tmpdir(), 'orgctl-test-'));
}
