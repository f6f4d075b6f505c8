import { resolve } from 'node:path';
import type { Context } from '../../context/context.ts';
import { without } from '../../input/next-command.ts';
import { storeSetting } from '../change-setting.ts';
import { withStored } from './interrupted.ts';

/**
 * Stores the authority that `--ca-file` names for every command, where a person agrees; elsewhere prints the command that does.
 * Gives the words that commands to run next are made with.
 */
export async function settleAuthority(context: Context): Promise<readonly string[]> {
  const { identity, screen, places } = context;
  const { value, source } = identity.settings['ca-file'];
  if (value === undefined || source !== '--ca-file') return [];
  const path = resolve(places.host.cwd, value);
  const { 'ca-file': stored } = places.store.readConfig();
  const isStored = stored === path || (await agrees(context, path, stored));
  if (isStored && stored !== path) await storeSetting(context, 'ca-file', path);
  if (isStored) return [without('--ca-file')];
  screen.note('To keep this authority for every command:', toCommand(path));
  return [];
}

async function agrees({ screen }: Context, path: string, stored: unknown): Promise<boolean> {
  if (!screen.canAsk()) return false;
  const instead = stored === undefined ? '' : `, in place of ${stored}`;
  const answer = await withStored(
    // What is stored is not replaced by Enter alone.
    () => screen.askWhether(`Keep this authority for every command${instead}?`, stored === undefined),
    'The token is stored, and the authority is not.',
    { hint: 'To keep it for every command:', next: [toCommand(path)] },
  );
  return answer === true;
}

/** It is the same for every profile. */
function toCommand(path: string): readonly string[] {
  return ['orgctl', 'settings', 'set', 'ca-file', path, without('--profile')];
}
