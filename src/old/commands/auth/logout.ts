import type { Context } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { readProfiles, requireKnown, UNNAMED } from '../../settings/profile.ts';
import { findOwnOrigin } from '../../settings/resolve-settings.ts';
import { isTokenStored } from '../../settings/token.ts';
import { listNames } from '../../text/join.ts';
import { verb } from '../verb.ts';

export const logout = verb({
  name: 'auth logout',
  help: 'Remove the stored token; with --profile the whole profile',
  effect: 'own',
  examples: ['orgctl auth logout'],
  allowed: { newProfile: true },
  run: logOut,
});

async function logOut(context: Context): Promise<void> {
  const { identity, screen, services, places } = context;
  if (identity.isSandbox) {
    throw new UsageError('the sandbox has no stored token', { hint: 'Leave out --sandbox.' });
  }
  const { store } = places;
  const { profile } = identity;
  if (profile?.source === '--profile') return await removeWhole(context, profile.name);
  const { origin } = new URL(identity.settings['base-url'].value);
  const whose = profile === undefined ? origin : `profile ${profile.name}`;
  if (!isTokenStored(store, profile?.name, origin)) {
    screen.note(`No token is stored for ${whose}.`);
  } else if (services.dryRun) {
    await screen.plan(`remove the token for ${whose} from ${store.credentialsPath}.`);
  } else {
    await (profile === undefined
      ? store.writeToken(origin, undefined)
      : store.writeProfileToken(profile.name, undefined));
    screen.note(`Removed the token for ${whose} from ${store.credentialsPath}. It stays valid at the service.`);
  }
  if (services.dryRun) return;
  sayOthers(context);
  const choice = identity.findToken();
  if (!choice.found) return;
  if (choice.command === undefined) screen.note(`There is still a token for ${origin} in ${choice.source}.`);
  else
    screen.note(`${choice.source} still prints a token. To remove it:`, [
      'orgctl',
      'settings',
      'unset',
      'token-command',
    ]);
}

function sayOthers({ identity, screen, places: { store } }: Context): void {
  const config = store.readConfig();
  const own = identity.profile?.name;
  const hasDefault =
    own !== undefined && isTokenStored(store, undefined, findOwnOrigin({ config, profile: undefined }));
  const named = Object.keys(readProfiles(config)).filter((name) => name !== own && isTokenStored(store, name, ''));
  const others = [...(hasDefault ? [UNNAMED] : []), ...named];
  if (others.length === 0) return;
  const text =
    others.length === 1
      ? `Profile ${others[0]} still has a token:`
      : `Profiles ${listNames(others)} still have tokens:`;
  screen.note(text, ...others.map((name) => ['orgctl', 'auth', 'logout', '--profile', name]));
}

/** A profile with its settings and its token, which one of two files may lack. */
async function removeWhole({ screen, services, places }: Context, name: string): Promise<void> {
  const { store } = places;
  const hasToken = isTokenStored(store, name, '');
  if (!hasToken) requireKnown(name, store.readConfig());
  if (services.dryRun) return await screen.plan(`remove profile ${name}, and the token stored for it.`);
  // The token first: without its settings no command would name the profile that still has one.
  if (hasToken) await store.writeProfileToken(name, undefined);
  await store.removeProfile(name);
  const token = hasToken ? ' and its token, which stays valid at the service' : '';
  screen.note(`Removed profile ${name}${token}.`);
}
