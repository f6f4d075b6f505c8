import { resolve } from 'node:path';
import type { Context } from '../../context/context.ts';
import { without } from '../../input/next-command.ts';
import { storeSetting } from '../change-setting.ts';

/** Stores the authority that `--ca-file` names for every command. Gives the words that commands to run next are made with. */
export async function settleAuthority(context: Context): Promise<readonly string[]> {
  const { identity, places } = context;
  const { value, source } = identity.settings['ca-file'];
  if (value === undefined || source !== '--ca-file') return [];
  const path = resolve(places.host.cwd, value);
  if (places.store.readConfig()['ca-file'] !== path) await storeSetting(context, 'ca-file', path);
  return [without('--ca-file')];
}
