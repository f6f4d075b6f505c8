import { resolve } from 'node:path';
import { findSandboxState } from '../../cli/connect.ts';
import { option } from '../../cli/options.ts';
import type { Session } from '../../cli/session.ts';
import { UsageError } from '../../lib/errors.ts';
import { parseSeed, type Seed } from '../../sandbox/sandbox.ts';

export const STATE_OPTION = option('--state <file>', 'file that keeps the state; :memory: keeps nothing');
export const SEED_OPTION = option('--seed <seed>', 'data of a new state: demo, empty, or members=<n>', {
  parse(text: string): Seed {
    const seed = parseSeed(text);
    if (seed) return seed;
    throw new UsageError(`unknown seed '${text}'`, { hint: 'It is demo, empty, or members=<n>.' });
  },
});

export function findState({ runtime }: Session, { state }: { state?: string }): string {
  if (state === undefined) return findSandboxState(runtime);
  return state === ':memory:' ? state : resolve(runtime.cwd, state);
}
