import { nameProfile, requireKnown, UNNAMED } from '../../settings/profile.ts';
import { text } from '../param.ts';
import { verb } from '../verb.ts';

export const use = verb({
  name: 'auth use',
  help: 'Make a profile the default',
  effect: 'own',
  args: { name: text('<name>', `A profile, or ${UNNAMED}: what is stored without a name`, { complete: 'profiles' }) },
  examples: [`orgctl auth use ${UNNAMED}`],
  // The default may be one that is gone.
  allowed: { newProfile: true },
  async run({ screen, services, places }, { name }) {
    const { host, store } = places;
    requireKnown(name, store.readConfig());
    await store.writeConfig({ profile: name === UNNAMED ? undefined : name });
    const what = name === UNNAMED ? 'what is stored without a name' : `profile ${name}`;
    if (services.dryRun) return await screen.plan(`make ${what} the default.`);
    screen.done(`The default is ${what}.`);
    const used = nameProfile({ option: undefined, env: host.env, readConfig: store.readConfig });
    if (used !== undefined && used.name !== name) screen.warn(`${used.source} names ${used.name}, which is used first`);
  },
});
