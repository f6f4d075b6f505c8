import { dirname, join } from 'node:path';
import type { Verb } from '../../cli/command.ts';
import { openSandboxState } from '../../cli/connect.ts';
import type { Session } from '../../cli/session.ts';
import { UsageError } from '../../lib/errors.ts';
import { listSubfolders, removeFolder } from '../../lib/folders.ts';
import { removeState, type Sandbox } from '../../sandbox/sandbox.ts';
import {
  findState,
  formatSeed,
  parseSeedOption,
  SEED_OPTION,
  STATE_OPTION,
  type StateOption,
  withInput,
} from './state.ts';

export const reset: Verb<StateOption & { seed?: string }> = {
  summary: 'Reset the sandbox: what was changed in it is lost',
  options: [SEED_OPTION, STATE_OPTION],
  examples: ['sandbox reset --yes', 'sandbox reset --seed members=1000 --yes'],
  async run(session, options) {
    const { messages, isDryRun } = session;
    const seed = parseSeedOption(options.seed) ?? { kind: 'demo' };
    const path = findState(session, options);
    if (isDryRun) return messages.note(`Would reset the sandbox in ${path} (${formatSeed(seed)} data)`);
    await session.confirm(`Reset the sandbox in ${path}? What was changed in it is lost.`);
    const sandbox = await openOrReplace(session, path, options.state === undefined);
    try {
      withInput(() => sandbox.reset(seed));
      if (options.state === undefined) removeRotations(path);
    } finally {
      sandbox.close();
    }
    messages.done(`Reset the sandbox (${formatSeed(seed)} data)`);
  },
};

/** A state of another version is replaced, and the usual one also if it is damaged. */
async function openOrReplace({ runtime }: Session, path: string, isUsual: boolean): Promise<Sandbox> {
  try {
    return await openSandboxState(runtime, { state: path });
  } catch (error) {
    const code = error instanceof UsageError ? error.code : '';
    if (code !== 'outdated' && !(isUsual && code === 'damaged')) throw error;
    removeState(path);
    return openSandboxState(runtime, { state: path });
  }
}

/** What rotations keep is about tokens that are gone now. It lies beside the usual state. */
function removeRotations(path: string): void {
  for (const name of listSubfolders(dirname(path))) {
    if (!name.startsWith('state.sqlite')) removeFolder(join(dirname(path), name));
  }
}
