import { defineVerb } from '../../cli/command.ts';
import { DEFAULT_PROFILE, findProfile, resolveSettings } from '../../config/resolve.ts';
import type { Config } from '../../config/store.ts';
import { OrgctlError, UsageError } from '../../lib/errors.ts';

export const verb = defineVerb({
  examples: ['auth logout', 'auth logout --profile work'],
  async run({ settings, profile, store, messages, isDryRun, isSandbox }) {
    if (isSandbox) throw new UsageError('the sandbox has no login');
    const { origin, host } = new URL(settings['base-url'].value);
    const from = profile.name === undefined ? host : `profile ${profile.name}`;
    if (profile.name === undefined && store.listTokens().every((stored) => stored.origin !== origin)) {
      throw new OrgctlError('not-found', `no token is stored for ${host}`, { hint: 'See `orgctl auth status`.' });
    }
    if (isDryRun) return messages.note(`Would log out of ${from}`);
    await store.writeToken(profile.name, origin, undefined);
    if (profile.name !== undefined) await store.removeProfile(profile.name);
    else if (isStoredService(store.readConfig(), origin))
      await store.writeSettings(undefined, { 'base-url': undefined, org: undefined });
    messages.done(`Logged out of ${from}`);
  },
});

/** --host may name a service other than the stored one. */
function isStoredService(config: Config, origin: string): boolean {
  const stored = resolveSettings({ options: {}, env: {}, config, profile: findProfile(DEFAULT_PROFILE, {}, config) });
  return new URL(stored['base-url'].value).origin === origin;
}
