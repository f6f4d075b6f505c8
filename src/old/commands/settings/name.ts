import type { Context } from '../../context/context.ts';
import { requireBundled } from '../../settings/profile.ts';
import { SETTINGS, type SettingName, toSettingName } from '../../settings/settings.ts';
import { valued } from '../param.ts';

/** An argument that names a setting. */
export const NAME = {
  name: valued('<name>', `One of: ${SETTINGS.map(({ name }) => name).join(', ')}`, toSettingName, {
    complete: SETTINGS.map(({ name: word, description }) => ({ word, description })),
  }),
};

/** Throws UsageError where an option names a profile for what no profile holds. */
export function requireOwn({ identity }: Context, name: SettingName): void {
  if (identity.optionGiven('profile')) requireBundled(name);
}
