import { resolve } from 'node:path';
import { option } from '../../cli/options.ts';
import { findSandboxState } from '../../cli/sandbox.ts';
import type { Session } from '../../cli/session.ts';
import { UsageError } from '../../lib/errors.ts';
import { isSeed } from '../../sandbox/seed.ts';

export const STATE_OPTION = option('--state <file>', 'file that keeps the state; :memory: keeps nothing');
const SEEDS = 'demo, empty or members=<n>';
export const SEED_OPTION = option('--seed <seed>', `data of a new state: ${SEEDS}`, {
  parse(text: string): string {
    if (isSeed(text)) return text;
    throw new UsageError(`unknown seed '${text}'`, { hint: `It is ${SEEDS}.` });
  },
});

export function findState({ runtime }: Session, { state }: { state?: string }): string {
  if (state === undefined) return findSandboxState(runtime);
  return state === ':memory:' ? state : resolve(runtime.cwd, state);
}
