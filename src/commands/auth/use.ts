import { defineVerb } from '../../cli/command.ts';
import { completeProfiles } from '../../cli/completers.ts';
import { argument } from '../../cli/options.ts';
import { assertProfileExists, DEFAULT_PROFILE, findProfile } from '../../config/resolve.ts';

export const verb = defineVerb({
  // The stored default may be a profile that no longer exists.
  isForNewProfile: true,
  arguments: [argument('<profile>', 'a profile; default is the one without a name', { complete: completeProfiles })],
  examples: ['auth use work', 'auth use default'],
  async run({ store, messages, isDryRun }, _options, name) {
    const config = store.readConfig();
    assertProfileExists(findProfile(name, {}, config), config);
    if (isDryRun) return messages.note(`Would switch to the ${name} profile`);
    await store.writeSettings(undefined, { profile: name === DEFAULT_PROFILE ? undefined : name });
    messages.done(`Switched to the ${name} profile`);
  },
});
