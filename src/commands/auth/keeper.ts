import type { Context } from '../../context/context.ts';
import { OrgctlError, UsageError } from '../../errors.ts';
import { CONFIG_FILE, checkName, type Profile, readProfile, toProposal } from '../../settings/profile.ts';
import { findOwnOrigin, resolveSettings, toSource } from '../../settings/resolve-settings.ts';
import { isTokenStored } from '../../settings/token.ts';

/** What keeps the token of a login, and with it the service and the organization. */
export interface Keeper {
  /** Undefined for what is stored without a name. */
  readonly profile: string | undefined;
  /** False where the token alone is kept, since what is stored without a name is for another service. */
  readonly keepsSettings: boolean;
  /** Another service is the default, so that this one gets a name, which is asked for. */
  readonly isAsked: boolean;
}

/** Throws UsageError where a name is needed for another service than the default one, and no one is there to ask. */
export function findKeeper({ identity, screen, places }: Context): Keeper {
  const { profile, settings } = identity;
  const { store } = places;
  const { origin, host } = new URL(settings['base-url'].value);
  const config = store.readConfig();
  const own = findOwnOrigin({ config, profile });
  const keeper = { profile: profile?.name, keepsSettings: true, isAsked: false };
  if (profile === undefined) {
    const isDefault = own === origin || !hasDefault(store, own);
    if (isDefault) return keeper;
    const isNamedHere = identity.optionGiven('baseUrl') || identity.optionGiven('host');
    // It is used where the service is named, and is replaced there.
    const isKnown = isTokenStored(store, undefined, origin);
    if (!isNamedHere || isKnown || !screen.canAsk()) return { ...keeper, keepsSettings: false };
  } else {
    if (profile.source !== CONFIG_FILE || own === origin) return keeper;
    if (!screen.canAsk()) {
      throw new UsageError(`${host} is not the service of your default profile ${profile.name}`, {
        hint: 'Give it a profile of its own:',
        next: [['orgctl', 'auth', 'login', '--profile', toProposal(host)]],
      });
    }
  }
  return { ...keeper, profile: undefined, isAsked: true };
}

/** Whether a service is in use that is stored without a name. */
function hasDefault(store: Context['places']['store'], own: string): boolean {
  const config = store.readConfig();
  return (
    config['base-url'] !== undefined || config['token-command'] !== undefined || isTokenStored(store, undefined, own)
  );
}

/** The profile that another service than the default one gets. Throws `cancelled` where none is answered. */
export async function askKeeper({ identity, screen, places }: Context): Promise<Keeper> {
  const { origin, host } = new URL(identity.settings['base-url'].value);
  const config = places.store.readConfig();
  screen.note(`${findOwnHost(identity.profile, config)} stays the default service; ${host} gets a profile.`);
  const profile = await screen.ask({
    question: 'Profile name',
    proposed: toProposal(host),
    read(name) {
      checkName(name, 'The answer');
      const settings = readProfile(config, name);
      if (settings === undefined) return name;
      const own = findOwnOrigin({ config, profile: { name, settings, source: '--profile', isNew: false } });
      if (own === origin && settings['token-command'] === undefined) return name;
      throw new UsageError(`profile ${name} exists`, { hint: 'Choose another name.' });
    },
  });
  if (profile === undefined) throw new OrgctlError('cancelled', 'Cancelled. Nothing was changed.');
  return { profile, keepsSettings: true, isAsked: true };
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
