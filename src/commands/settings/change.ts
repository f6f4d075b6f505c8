import type { Context } from '../../context/context.ts';
import { isBundled, requireBundled } from '../../settings/profile.ts';
import type { SettingName, StoredValue } from '../../settings/settings.ts';

/**
 * Stores a setting, or forgets it, in the current profile if it is one of a profile's, and says so. Throws UsageError
 * where an option names a profile for what no profile holds.
 */
export async function changeSetting(
  { identity, screen, places }: Context,
  name: SettingName,
  value: StoredValue | undefined,
): Promise<void> {
  if (identity.optionGiven('profile')) requireBundled(name);
  const profile = isBundled(name) ? identity.profile : undefined;
  const { store } = places;
  const changes = { [name]: value };
  await (profile === undefined ? store.writeConfig(changes) : store.writeProfile(profile.name, changes));
  const whose = profile === undefined ? '' : ` of profile ${profile.name}`;
  const done = value === undefined ? `Removed ${name}${whose} from` : `Stored ${name}${whose} in`;
  screen.note(`${done} ${store.configPath}.`);
}
