import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileFault } from './plan.ts';

/** How a run ended, and what it said. */
export interface Ended {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** True where it had to be ended because it never would have. */
  readonly hung: boolean;
}

export type Running = ReturnType<typeof startProcess>;

export interface Program {
  /** The Node to run it with, the door of orgctl, and what is loaded before it where files are to fail. */
  readonly node: string;
  readonly door: string;
  readonly killer: string;
}

/** Milliseconds that no run takes. */
const PATIENCE = 60_000;

export function startProcess(
  { node, door, killer }: Program,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  file: (FileFault & { readonly note: string }) | undefined,
) {
  const child = spawn(node, [...(file === undefined ? [] : ['--require', killer]), door, ...argv], {
    env: { ...env, ...(file === undefined ? {} : { ORGCTL_MATRIX: JSON.stringify(file) }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  let hung = false;
  const patience = setTimeout(() => {
    hung = true;
    child.kill('SIGKILL');
  }, PATIENCE);
  return {
    child,
    /** Ends it at once. */
    end: () => void child.kill('SIGKILL'),
    /** Its command line and environment as the system shows them to its user. */
    witness: () =>
      child.pid === undefined ? '' : ['cmdline', 'environ'].map((name) => readProcess(child.pid, name)).join(''),
    ended: new Promise<Ended>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        clearTimeout(patience);
        resolve({ code, stdout: stdout(), stderr: stderr(), hung });
      });
    }),
  };
}

/** Waits until no process is left that was started with this variable, such as a command whose orgctl was killed. */
export async function untilGone(mark: string): Promise<void> {
  if (process.platform !== 'linux') return;
  while (readdirSync('/proc').some((name) => /^\d+$/.test(name) && readProcess(name, 'environ').includes(mark))) {
    await new Promise((resolve) => void setTimeout(resolve, 3));
  }
}

function readProcess(id: string | number | undefined, name: string): string {
  try {
    return readFileSync(join('/proc', String(id), name), 'utf8');
  } catch {
    // It is gone, or this system has no such list.
    return '';
  }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const pieces: Buffer[] = [];
  stream.on('data', (piece: Buffer) => pieces.push(piece));
  return () => Buffer.concat(pieces).toString('utf8');
}
