import { basename, dirname } from 'node:path';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import type { Context } from '../../context/context.ts';
import { OrgctlError, toReason, UsageError } from '../../errors.ts';
import { removeFolder } from '../../files/durable-file.ts';
import { hasContent } from '../../files/look.ts';
import { findHolder } from '../../files/process-lock.ts';
import { toLockPlace } from '../../rotation/journal.ts';
import { listOrganizationFolders, type OrganizationFolder } from '../../settings/directories.ts';
import { text } from '../param.ts';
import { verb } from '../verb.ts';
import { asUsageError, openState, openToLook, readSeed, refuseReadOnly, SEEDS, STATE, toSeedText } from './state.ts';

export const reset = verb({
  name: 'sandbox reset',
  help: 'Reset the sandbox',
  effect: 'own',
  options: { seed: text('--seed <seed>', 'demo (the default), empty, or members=<n>', { complete: SEEDS }), ...STATE },
  examples: ['orgctl sandbox reset', 'orgctl sandbox reset --seed members=1000 --yes'],
  async run(context, { seed: wanted, state }) {
    const { screen, services, places } = context;
    const seed = (await readSeed(wanted)) ?? { kind: 'demo' as const };
    refuseReadOnly(context);
    await look(context, state);
    const path = state ?? places.sandboxState();
    if (services.dryRun) {
      return await screen.plan(`reset the sandbox in ${path} (${toSeedText(seed)} data)`);
    }
    // A named state is served, and what is kept of it lies by the address that it was served at.
    const listKept = (): readonly OrganizationFolder[] => (state === undefined ? listKeptBeside(path) : []);
    await refuseRunning(context, listKept());
    if (hasContent(path)) await screen.confirm('reset', { path, consequences: ['What was changed in it is lost.'] });
    const sandbox = await openOrReplace(context, state);
    try {
      await asUsageError(() => sandbox.reset(seed));
      for (const { folder } of listKept()) removeFolder(folder);
      screen.note(`Sandbox reset (${sandbox.info().seed} data)`);
    } finally {
      sandbox.close();
    }
  },
});

/** The files of the state lie in a folder of its name. */
function listKeptBeside(state: string): readonly OrganizationFolder[] {
  return listOrganizationFolders(dirname(state)).filter(({ folder }) => !basename(folder).startsWith(basename(state)));
}

/** What rotations keep goes with the tokens that it is about, and not from under one that runs. */
async function refuseRunning({ places }: Context, kept: readonly OrganizationFolder[]): Promise<void> {
  for (const { organization, tokens } of kept) {
    for (const folder of tokens) {
      const holder = await findHolder(toLockPlace(folder), places.host.now());
      if (holder === undefined) continue;
      throw new OrgctlError('busy', `a rotation of ${organization} is running in the sandbox (${holder})`, {
        hint: 'Reset it when that has ended.',
      });
    }
  }
}

/** A state that can't be read is replaced: one of another version, or the usual one where it is damaged. */
async function openOrReplace(context: Context, state: string | undefined): Promise<Sandbox> {
  try {
    return await openState(context, state);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    const path = state ?? context.places.sandboxState();
    const { removeState } = await import('../../../sandbox/sandbox.ts');
    try {
      removeState(path);
    } catch (cause) {
      throw new UsageError(`can't remove the sandbox state ${path}`, {
        reasons: [toReason(cause)],
        hint: 'Remove it yourself, or name another.',
        cause,
      });
    }
    return await openState(context, state);
  }
}

/** A state that a reset replaces is no reason to refuse one; all else that would stop it is thrown. */
async function look(context: Context, state: string | undefined): Promise<void> {
  try {
    (await openToLook(context, state)).close();
  } catch (error) {
    if (!isDamaged(error)) throw error;
  }
}

function isDamaged(error: unknown): boolean {
  return error instanceof UsageError && error.code === 'damaged-state';
}
