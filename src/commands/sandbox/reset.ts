import { dirname, join } from 'node:path';
import { defineVerb } from '../../cli/command.ts';
import { openSandboxState } from '../../cli/sandbox.ts';
import type { Session } from '../../cli/session.ts';
import { UsageError } from '../../lib/errors.ts';
import { listSubfolders, removeFolder } from '../../lib/own-files.ts';
import { type Columns, RESULT } from '../../output/columns.ts';
import { removeState, type Sandbox } from '../../sandbox/sandbox.ts';
import { findState, SEED_OPTION, STATE_OPTION } from './state.ts';

const COLUMNS: Columns = {
  table: [RESULT, { header: 'STATE', field: 'state' }, { header: 'SEED', field: 'seed' }],
  fields: 'changed',
};

export const verb = defineVerb({
  columns: COLUMNS,
  options: [SEED_OPTION, STATE_OPTION],
  examples: ['sandbox reset --yes', 'sandbox reset --seed members=1000 --yes'],
  async run(session, options) {
    const { messages, output, isDryRun } = session;
    const { seed = 'demo' } = options;
    const path = findState(session, options);
    const row = { state: path, seed, changed: !isDryRun, result: isDryRun ? 'planned' : 'reset' };
    const planned = `Would reset the sandbox in ${path} (${seed} data)`;
    if (isDryRun) return output.isNamed ? output.one(COLUMNS, row) : messages.note(planned);
    await session.confirm(`Reset the sandbox in ${path}? All changes in it are lost.`);
    const sandbox = await openOrReplace(session, path, options.state === undefined);
    try {
      sandbox.reset(seed);
      if (options.state === undefined) removeRotations(path);
    } finally {
      sandbox.close();
    }
    if (output.isNamed) await output.one(COLUMNS, row);
    else messages.done(`Reset the sandbox (${seed} data)`);
  },
});

/** Replaces a state of another version, and a damaged state in the default file. */
async function openOrReplace({ runtime }: Session, path: string, isDefault: boolean): Promise<Sandbox> {
  try {
    return await openSandboxState(runtime, { state: path });
  } catch (error) {
    const code = error instanceof UsageError ? error.code : undefined;
    if (code !== 'outdated' && !(isDefault && code === 'damaged')) throw error;
    removeState(path);
    return openSandboxState(runtime, { state: path });
  }
}

/** Rotation state beside the default state describes tokens that no longer exist. */
function removeRotations(path: string): void {
  for (const name of listSubfolders(dirname(path))) {
    if (!name.startsWith('state.sqlite')) removeFolder(join(dirname(path), name));
  }
}
