import { findProfile, type Profile, readProfiles, UNNAMED } from '../../settings/profile.ts';
import { resolveSettings } from '../../settings/resolve-settings.ts';
import { isTokenStored } from '../../settings/token.ts';
import { verb } from '../verb.ts';
import { STORED_PROFILE_COLUMNS, type StoredProfile } from './columns.ts';

export const profiles = verb({
  name: 'auth profiles',
  help: 'List the stored profiles; no request is sent',
  effect: 'own',
  examples: ['orgctl auth profiles'],
  columns: STORED_PROFILE_COLUMNS,
  // A list of the right names is most useful where a wrong one is set.
  allowed: { newProfile: true },
  async run({ screen, places }) {
    const { host, store } = places;
    const config = store.readConfig();
    const used = findProfile({ option: undefined, env: host.env, readConfig: () => config })?.name ?? UNNAMED;
    const toRow = (name: string, profile: Profile | undefined): StoredProfile => {
      const settings = resolveSettings({ options: {}, env: {}, config, profile });
      const { value } = settings['base-url'];
      const isStored = isTokenStored(store, profile?.name, new URL(value).origin);
      return {
        name,
        'base-url': value,
        org: settings.org.value ?? null,
        token: settings['token-command'].value !== undefined ? 'token-command' : isStored ? 'stored' : null,
        default: name === used,
      };
    };
    const named = Object.entries(readProfiles(config)).map(([name, settings]) =>
      toRow(name, { name, settings, source: '--profile', isNew: false }),
    );
    await screen.list(STORED_PROFILE_COLUMNS, [toRow(UNNAMED, undefined), ...named]);
  },
});
