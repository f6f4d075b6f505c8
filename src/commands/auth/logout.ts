import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { toOrigin } from '../../settings/stored-token.ts';
import { addExamples } from '../options.ts';

export function registerLogout(noun: Command, open: OpenContext): void {
  const verb = noun.command('logout').description('forget the stored token; at the service it stays valid');
  addExamples(verb, {
    'orgctl auth logout': 'the token of the service in force',
    'orgctl auth logout --profile work': 'the one of a profile; its settings stay',
  }).action(() => logOut(open(verb, { newProfile: true })));
}

async function logOut(context: Context): Promise<void> {
  const { identity, screen, services, places } = context;
  if (identity.isSandbox) {
    throw new UsageError('the embedded sandbox has no stored token', { hint: 'Leave out --sandbox.' });
  }
  const { store } = places;
  const { profile } = identity;
  const { origin } = new URL(identity.settings['base-url'].value);
  const whose = profile === undefined ? origin : `profile ${profile.name}`;
  const isStored =
    profile === undefined
      ? Object.keys(store.readCredentials()).some((written) => toOrigin(written) === origin)
      : store.readProfileToken(profile.name) !== undefined;
  if (!isStored) {
    screen.note(`no token of ${whose} is stored`);
  } else if (services.dryRun) {
    screen.note(`the token of ${whose} would be removed from ${store.credentialsPath}`);
  } else {
    await (profile === undefined
      ? store.writeToken(origin, undefined)
      : store.writeProfileToken(profile.name, undefined));
    screen.note(`the token of ${whose} is no longer stored in ${store.credentialsPath}; at the service it stays valid`);
  }
  if (services.dryRun) return;
  const choice = identity.findToken();
  if (choice.found) screen.note(`${choice.source} still holds a token for ${origin}`);
}
