import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { OrgctlError, UsageError } from '../../errors.ts';
import { readInput } from '../../input/read-input.ts';
import { parseToken } from '../../secrets/token-text.ts';
import { examineToken, type TokenFacts } from '../../service/examine-token.ts';
import { toSource } from '../../settings/resolve-settings.ts';
import type { SettingName, StoredValue } from '../../settings/settings.ts';
import { addExamples } from '../options.ts';

export function registerLogin(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('login')
    .description('store a token: asked for at a terminal, read from stdin elsewhere; checked with the service first');
  addExamples(verb, {
    'orgctl auth login < token': 'a token from a file, or from any program that prints one',
    'orgctl auth login --profile work --org acme < token':
      'base URL, organization and token under one name, for --profile work',
  }).action(() => logIn(open(verb, { newProfile: true })));
}

async function logIn(context: Context): Promise<void> {
  const { identity, screen, services, places } = context;
  if (identity.isSandbox) {
    throw new UsageError('the embedded sandbox takes no token', { hint: 'Choose who calls it with --as.' });
  }
  const baseUrl = new URL(identity.settings['base-url'].value);
  // Before a token is typed: a folder may be missing, or a file damaged.
  refuseUnwritable(context);
  const token = await readToken(context, baseUrl.origin);
  const facts = await examineToken(await services.at({ baseUrl, token }));
  if (facts.works === false) {
    throw new OrgctlError('not-authenticated', `${baseUrl.origin} refuses this token`, {
      reasons: ['the token is wrong, expired or replaced, or belongs to another service'],
      hint: 'Nothing was stored. Make a new token there, or name the service it belongs to with --base-url or --host.',
      cause: facts.refusal,
    });
  }
  if (facts.works === null) {
    screen.warn(`${baseUrl.origin} did not refuse the token, and does not tell what it is`);
  }
  const what = `${describe(facts)} for ${baseUrl.origin}`;
  if (services.dryRun) return screen.note(`${what} would be stored in ${places.store.credentialsPath}`);
  await storeToken(context, baseUrl.origin, token);
  screen.note(`${what} is stored in ${places.store.credentialsPath}`);
  noteWhatComesNext(context, token);
}

function refuseUnwritable({ identity, places }: Context): void {
  const { store } = places;
  if (identity.profile === undefined) store.readCredentials();
  else store.readProfileToken(identity.profile.name);
  // Throws where there is no folder.
  void store.credentialsPath;
}

function describe({ kind, account }: TokenFacts): string {
  const whose = account === null ? '' : ` of ${account}`;
  return `the ${kind === null || kind === 'service-account' ? '' : `${kind} `}token${whose}`;
}

/** A profile keeps the service its token belongs to, so that the two stay together. */
async function storeToken({ identity, places }: Context, origin: string, token: string): Promise<void> {
  const { profile, settings, optionGiven } = identity;
  const { store } = places;
  if (profile === undefined) return await store.writeToken(origin, token);
  const { 'base-url': baseUrl, org } = settings;
  const changes: Partial<Record<SettingName, StoredValue>> = {
    ...(baseUrl.source === toSource(profile.name) ? {} : { 'base-url': baseUrl.value }),
    ...(optionGiven('org') && org.value !== undefined ? { org: org.value } : {}),
  };
  if (Object.keys(changes).length > 0) await store.writeProfile(profile.name, changes);
  await store.writeProfileToken(profile.name, { origin, token });
}

/** What is stored now is not always what is used next time, nor all that is needed. */
function noteWhatComesNext({ identity, screen }: Context, token: string): void {
  const { profile, settings } = identity;
  const choice = identity.findToken();
  if (choice.found && choice.value !== token) screen.warn(`${choice.source} holds another token, and comes before it`);
  // A profile keeps them.
  if (profile !== undefined) return;
  const { 'base-url': baseUrl, org } = settings;
  if (baseUrl.source === '--base-url' || baseUrl.source === '--host') {
    const set = identity.nextCommand(['orgctl', 'settings', 'set', 'base-url', baseUrl.value]);
    screen.note(`to use this service without ${baseUrl.source}: ${set}`);
  }
  const set = ['orgctl', 'settings', 'set', 'org'];
  if (org.value === undefined) {
    screen.note(`to name the organization once and for all: ${identity.nextCommand(set)} <name>`);
  } else if (identity.optionGiven('org')) {
    screen.note(`to use ${org.value} without --org: ${identity.nextCommand([...set, org.value])}`);
  }
}

/** Longer than any token, and short enough to notice what is none. */
const MOST_BYTES = 65_536;

/** A token typed unseen at a terminal, or piped in. Throws UsageError where there is none, or no one to ask. */
async function readToken(context: Context, origin: string): Promise<string> {
  const { screen, places } = context;
  if (places.host.stdin.isTTY !== true) return parseToken(await readPiped(context), 'what stdin holds');
  if (!screen.canAsk()) {
    throw new UsageError('the token has to be typed, and there is nobody to ask', {
      hint: 'Pipe it in: from a file, or from a program that prints it.',
      next: [['orgctl', 'auth', 'login']],
    });
  }
  // Where the hosted edition and Terraform Enterprise alike make them.
  if (origin.startsWith('https:')) screen.note(`a user token is made at ${origin}/app/settings/tokens`);
  return parseToken(await screen.askSecret(`Token for ${origin} (it is not shown): `), 'what was typed');
}

async function readPiped({ places }: Context): Promise<string> {
  const source = { option: 'auth login', path: '-', most: MOST_BYTES, hint: 'Pipe in the token alone, on one line.' };
  const { bytes } = await readInput(places.host, places.interrupts.signal, source);
  const text = bytes.toString('utf8');
  if (text.trim() !== '') return text;
  throw new UsageError('stdin holds no token', {
    hint: 'Pipe the token in, or run this at a terminal to be asked for it.',
    next: [['orgctl', 'auth', 'login']],
  });
}
