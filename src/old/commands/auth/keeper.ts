import type { Context } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { CONFIG_FILE, type Profile, type readProfile, toProposal } from '../../settings/profile.ts';
import { findOwnOrigin, resolveSettings, toSource } from '../../settings/resolve-settings.ts';
import { isTokenStored } from '../../settings/token.ts';

/** What keeps the token of a login, and with it the service and the organization. */
export interface Keeper {
  /** Undefined for what is stored without a name. */
  readonly profile: string | undefined;
  /** False where the token alone is kept, since what is stored without a name is for another service. */
  readonly keepsSettings: boolean;
}

/** Throws UsageError where the default profile is for another service. */
export function findKeeper({ identity, places }: Context): Keeper {
  const { profile, settings } = identity;
  const { store } = places;
  const { origin, host } = new URL(settings['base-url'].value);
  const own = findOwnOrigin({ config: store.readConfig(), profile });
  if (profile === undefined) return { profile: undefined, keepsSettings: own === origin || !hasDefault(store, own) };
  if (profile.source === CONFIG_FILE && own !== origin) {
    throw new UsageError(`${host} is not the service of your default profile ${profile.name}`, {
      hint: 'Give it a profile of its own:',
      next: [['orgctl', 'auth', 'login', '--profile', toProposal(host)]],
    });
  }
  return { profile: profile.name, keepsSettings: true };
}

/** Whether a service is in use that is stored without a name. */
function hasDefault(store: Context['places']['store'], own: string): boolean {
  const config = store.readConfig();
  return (
    config['base-url'] !== undefined || config['token-command'] !== undefined || isTokenStored(store, undefined, own)
  );
}

/** The host of the service that is used where none is named. */
export function findOwnHost(profile: Profile | undefined, config: Parameters<typeof readProfile>[0]): string {
  return new URL(findOwnOrigin({ config, profile })).host;
}

/** Service and token stay together. */
export async function storeLogin(
  { identity, places }: Context,
  { profile, keepsSettings }: Keeper,
  { origin, token }: { readonly origin: string; readonly token: string },
): Promise<void> {
  const { value, source } = identity.settings['base-url'];
  const { store } = places;
  if (profile !== undefined) {
    if (source !== toSource(profile)) await store.writeProfile(profile, { 'base-url': value });
    return await store.writeProfileToken(profile, { origin, token });
  }
  const isGiven = source === '--base-url' || source === '--host';
  const own = resolveSettings({ options: {}, env: {}, config: store.readConfig(), profile })['base-url'];
  if (keepsSettings && isGiven && own.value !== value) await store.writeConfig({ 'base-url': value });
  await store.writeToken(origin, token);
}
