import { defineVerb } from '../../cli/command.ts';
import { completeProfiles } from '../../cli/completers.ts';
import { argument } from '../../cli/options.ts';
import { DEFAULT_PROFILE, listProfiles } from '../../config/resolve.ts';
import { UsageError } from '../../lib/errors.ts';
import { suggest } from '../../lib/text.ts';

export const verb = defineVerb({
  // The stored default may be a profile that no longer exists.
  isForNewProfile: true,
  arguments: [argument('<profile>', 'a profile; default is the one without a name', { complete: completeProfiles })],
  examples: ['auth use work', 'auth use default'],
  async run({ store, messages, isDryRun }, _options, name) {
    const profiles = listProfiles(store.readConfig());
    if (!profiles.includes(name)) {
      throw new UsageError(`no profile named '${name}'`, {
        hint: suggest(name, profiles) ?? `Profiles: ${profiles.join(', ')}`,
      });
    }
    if (isDryRun) return messages.note(`Would switch to the ${name} profile`);
    await store.writeSettings(undefined, { profile: name === DEFAULT_PROFILE ? undefined : name });
    messages.done(`Switched to the ${name} profile`);
  },
});
