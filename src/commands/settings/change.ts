import type { Context } from '../../context/context.ts';
import { isBundled, requireBundled } from '../../settings/profile.ts';
import type { SettingName, StoredValue } from '../../settings/settings.ts';

/**
 * Stores a setting, or forgets it, in the current profile if it is one of a profile's. Returns what messages add to the
 * setting's name. Throws UsageError where an option names a profile for what no profile holds.
 */
export async function changeSetting(
  { identity, places }: Context,
  name: SettingName,
  value: StoredValue | undefined,
): Promise<string> {
  if (identity.optionGiven('profile')) requireBundled(name);
  const profile = isBundled(name) ? identity.profile : undefined;
  const changes = { [name]: value };
  if (profile === undefined) {
    await places.store.writeConfig(changes);
    return '';
  }
  await places.store.writeProfile(profile.name, changes);
  return ` of profile ${profile.name}`;
}
