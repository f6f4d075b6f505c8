import { UsageError } from '../lib/errors.ts';
import { readInputFile } from '../lib/files.ts';
import { readStdin } from '../lib/runtime.ts';
import type { Session } from './session.ts';

/** The file that an option names; `-` is stdin. */
export interface Input {
  name: string;
  text: string;
}

/** Throws UsageError for what is no text. */
export async function readInput({ runtime, signals: { signal } }: Session, path: string): Promise<Input> {
  if (path !== '-' && path !== '/dev/stdin') {
    return { name: path, text: await readInputFile(path, runtime.cwd, signal) };
  }
  if (runtime.stdin.readableEnded) throw new UsageError('only one file can be stdin');
  return { name: 'stdin', text: await readStdin(runtime, signal) };
}
