import { resolve } from 'node:path';
import type { Context } from '../context/context.ts';
import { checkOrganization } from '../names.ts';
import { isBundled } from '../settings/profile.ts';
import { findOwnOrigin, toSource } from '../settings/resolve-settings.ts';
import {
  findSetting,
  parseSetting,
  type SettingName,
  type StoredValue,
  UNUSED_BY_SANDBOX,
} from '../settings/settings.ts';
import { createTwoTokensError, isTokenStored } from '../settings/token.ts';
import { joinNames } from '../text/join.ts';
import { readExpiryOrSame } from './token-options.ts';

/** Stores what was written of a setting, as `changeSetting` does. Throws UsageError for a value that can't be read. */
export async function storeSetting(context: Context, name: SettingName, ...texts: readonly string[]): Promise<void> {
  const value = parseSetting(name, ...texts);
  await checkAsOption(context, name, texts);
  // A stored path is used from every folder.
  const isPath = findSetting(name).kind === 'path' && typeof value === 'string';
  await changeSetting(context, name, isPath ? resolve(context.places.host.cwd, value) : value);
}

/** Throws UsageError for what the option of that name would not take. */
async function checkAsOption(context: Context, name: SettingName, texts: readonly string[]): Promise<void> {
  const [text = ''] = texts;
  if (name === 'org') checkOrganization(text);
  if (name === 'expires') readExpiryOrSame(text, name, context.places.host.now());
  if (name === 'ca-file') context.places.checkAuthority(resolve(context.places.host.cwd, text));
  if (name === 'to') (await import('./rotate-each.ts')).checkPlacesOf(context, texts);
}

/** Stores a setting, or forgets it, in the current profile if it is one of a profile's, and says so. */
export async function changeSetting(
  { identity, screen, services, places }: Context,
  name: SettingName,
  value: StoredValue | undefined,
): Promise<void> {
  const profile = isBundled(name) ? identity.profile : undefined;
  const { store } = places;
  const added = name === 'token-command' && value !== undefined ? planCommand(identity, store) : undefined;
  const changes = { [name]: value, ...added?.changes };
  const isChanged = await (profile === undefined
    ? store.writeConfig(changes)
    : store.writeProfile(profile.name, changes));
  const whose = profile === undefined ? '' : ` of profile ${profile.name}`;
  if (!isChanged) return screen.note(`No ${name}${whose} is stored in ${store.configPath}.`);
  const [plan, done, where] = value === undefined ? ['remove', 'Removed', 'from'] : ['store', 'Stored', 'in'];
  const what = `${name}${whose} ${where} ${store.configPath}.`;
  if (services.dryRun) await screen.plan(`${plan} ${what}`);
  else screen.note(`${done} ${what}`);
  if (identity.isSandbox && UNUSED_BY_SANDBOX.includes(name)) screen.note(UNUSED_NOTE);
  if (added !== undefined) screen.note(`Its token goes to ${added.origin.replace(/^https:\/\//, '')} alone.`);
}

export const UNUSED_NOTE = `Commands with --sandbox use no ${joinNames(UNUSED_BY_SANDBOX, 'or')} that is stored or in the environment.`;

/** The origin that its token belongs to, and what keeps it. Throws UsageError where a token is stored beside it. */
function planCommand({ profile, settings }: Context['identity'], store: Context['places']['store']) {
  const { value: url, source } = settings['base-url'];
  const origin = profile === undefined ? findOwnOrigin({ config: store.readConfig(), profile }) : new URL(url).origin;
  if (isTokenStored(store, profile?.name, origin)) throw createTwoTokensError(profile?.name);
  // A profile without a service of its own gets this one, so that token and service stay together.
  const isKept = profile === undefined || source === toSource(profile.name);
  return { origin, changes: isKept ? {} : { 'base-url': url } };
}
