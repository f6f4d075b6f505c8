import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { isTokenStored } from '../../settings/token.ts';

export function registerLogout(noun: Command, open: OpenContext): void {
  const verb = noun.command('logout').description('Remove the stored token; it stays valid at the service');
  addDocumentation(verb, { examples: ['orgctl auth logout', 'orgctl auth logout --profile work'] }).action(() =>
    logOut(open(verb, { newProfile: true })),
  );
}

async function logOut(context: Context): Promise<void> {
  const { identity, screen, services, places } = context;
  if (identity.isSandbox) {
    throw new UsageError('the sandbox has no stored token', { hint: 'Leave out --sandbox.' });
  }
  const { store } = places;
  const { profile } = identity;
  const { origin } = new URL(identity.settings['base-url'].value);
  const whose = profile === undefined ? origin : `profile ${profile.name}`;
  if (!isTokenStored(store, profile?.name, origin)) {
    screen.note(`No token is stored for ${whose}.`);
  } else if (services.dryRun) {
    screen.note(`Would remove the token for ${whose} from ${store.credentialsPath}.`);
  } else {
    await (profile === undefined
      ? store.writeToken(origin, undefined)
      : store.writeProfileToken(profile.name, undefined));
    screen.note(`Removed the token for ${whose} from ${store.credentialsPath}. It stays valid at the service.`);
  }
  if (services.dryRun) return;
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
