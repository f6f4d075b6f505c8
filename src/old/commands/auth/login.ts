import type { Context } from '../../context/context.ts';
import { OrgctlError, UsageError } from '../../errors.ts';
import { readInput } from '../../files/read-text.ts';
import { without } from '../../input/next-command.ts';
import { findReach } from '../../organizations/find-organizations.ts';
import { parseToken } from '../../secrets/token.ts';
import { describeAddress, isNamed, readIdentity } from '../../service/diagnosis/address.ts';
import { examineToken, type TokenFacts } from '../../service/examine-token.ts';
import { UNNAMED } from '../../settings/profile.ts';
import { findOwnOrigin } from '../../settings/resolve-settings.ts';
import { findStoredToken } from '../../settings/token.ts';
import { TOKENS_PAGE } from '../../wire/json-api.ts';
import { verb } from '../verb.ts';
import { settleAuthority } from './authority.ts';
import { TOKEN_KINDS } from './columns.ts';
import { requireReadable, settleOrganization } from './default-organization.ts';
import { withStored } from './interrupted.ts';
import { findKeeper, type Keeper, storeLogin } from './keeper.ts';

export const login = verb({
  name: 'auth login',
  help: 'Check a token and store it; it is typed at a prompt, or piped in',
  effect: 'own',
  shared: {
    host: 'Log in to this service: https://<name>/api/v2',
    profile: 'Store the token under this name, beside the default one',
    org: 'Make this the default organization',
    'ca-file': 'Trust this certificate authority too, from now on for every command',
  },
  examples: [
    'orgctl auth login',
    'orgctl auth login --profile work --host tfe.example.com',
    'orgctl auth login --org acme < token',
  ],
  allowed: { newProfile: true },
  run: logIn,
});

async function logIn(context: Context): Promise<void> {
  const { identity, screen } = context;
  const checked = await withStored(() => check(context), 'Nothing was stored.');
  if (checked === undefined) return;
  const { origin, token, keeper, to, known, held } = checked;
  await storeLogin(context, keeper, { origin, token });
  screen.done(`Logged in ${to}`);
  if (held !== undefined && held.token !== token) screen.done(`Replaced the token that ${describeHeld(keeper, held)}`);
  const choice = identity.findToken();
  if (choice.found && choice.value !== token) {
    screen.warn(`${choice.source} has another token, which is used first`);
  }
  const advice = await settleOrganization(context, keeper, known);
  const made = await settleAuthority(context);
  for (const { text, next } of advice) screen.note(text, ...next.map((words) => [...words, ...made]));
}

/** A token that works, and where it is to be stored; undefined in a dry run, which says so. */
async function check(context: Context) {
  const { identity, screen, services, places } = context;
  if (identity.isSandbox) {
    throw new UsageError('the sandbox takes no token', { hint: 'Choose who you are with --as.' });
  }
  const baseUrl = new URL(identity.settings['base-url'].value);
  const { origin, host } = baseUrl;
  // Before a token is typed: a folder may be missing, or a file damaged.
  const keeper = findKeeper(context);
  refuseUnwritable(context, keeper);
  const held = findStoredToken(places.store, keeper.profile, origin);
  const token = await readToken(context, origin);
  const service = await services.at({ baseUrl, token });
  const facts = await examineToken(service);
  if (facts.works === false) {
    throw new OrgctlError('not-authenticated', `${host} rejected this token`, {
      reasons: ['It is wrong, expired or replaced, or belongs to another service.'],
      hint: 'Nothing was stored. Create a new token there, or name its service with --base-url or --host.',
      cause: facts.refusal,
    });
  }
  if (facts.works === null) screen.warn(`${host} did not reject the token, but doesn't say whose it is`);
  const reach = await findReach(service);
  const named = await requireReadable(context, service, { facts, reach });
  const to = `to ${host}${describe(facts)}`;
  if (services.dryRun) {
    const lost = held === undefined || held.token === token ? '' : `, in place of that for ${toHost(held)}`;
    return await screen.plan(`log in ${to}, and store the token in ${places.store.credentialsPath}${lost}.`);
  }
  return { origin, token, keeper, to, known: { facts, reach, named }, held };
}

type Held = NonNullable<ReturnType<typeof findStoredToken>>;

function toHost({ origin }: Held): string {
  return new URL(origin).host;
}

function describeHeld({ profile = UNNAMED }: Keeper, held: Held): string {
  return `profile ${profile} had for ${toHost(held)}`;
}

/** Throws UsageError where a token can't be stored, or something else takes its place. */
function refuseUnwritable({ identity, places }: Context, { profile, keepsSettings }: Keeper): void {
  const { store } = places;
  const { settings } = identity;
  const command = settings['token-command'].value;
  const own = findOwnOrigin({ config: store.readConfig(), profile: identity.profile });
  if (
    command !== undefined &&
    keepsSettings &&
    (profile !== undefined || own === new URL(settings['base-url'].value).origin)
  ) {
    const whose = profile === undefined ? '' : ` of profile ${profile}`;
    throw new UsageError(`the token${whose} comes from token-command, so none is stored`, {
      hint: 'Remove it first, or use another profile:',
      next: [['orgctl', 'settings', 'unset', 'token-command']],
    });
  }
  if (profile === undefined) store.readCredentials();
  if (profile !== undefined) store.readProfileToken(profile);
  // Throws where there is no folder.
  void store.credentialsPath;
}

/** ` as olive-owner`, ` as api-org-acme (organization token)` */
function describe({ kind, account }: TokenFacts): string {
  const name = kind === null ? undefined : TOKEN_KINDS[kind];
  if (account !== null) return ` as ${account}${name === undefined || kind === 'user' ? '' : ` (${name})`}`;
  return name === undefined ? '' : `, with the ${name}`;
}

/** More bytes than any token has, and few enough to notice a text that is no token. */
const MOST_BYTES = 65_536;

/** A token typed unseen at a terminal, or piped in. Throws UsageError where there is none, or no one to ask. */
async function readToken(context: Context, origin: string): Promise<string> {
  const { screen, places } = context;
  if (places.host.stdin.isTTY !== true) return parseToken(await readPiped(context), 'what stdin holds');
  const silence = screen.findSilence();
  if (silence !== undefined) {
    throw new UsageError(`a token is needed, and ${silence}`, {
      hint: 'Pipe it in from a file, or from a program that prints it.',
      next: [['orgctl', 'auth', 'login']],
    });
  }
  await requireService(context);
  // The sandbox has no such page.
  if (origin.startsWith('https:')) screen.note(`Create a token at ${origin}${TOKENS_PAGE}, then paste it here.`);
  return parseToken(await screen.askSecret('Token (input is hidden): '), 'what was typed');
}

/** Asked without the token, before anyone looks for one. Throws where no service with this API answers. */
async function requireService({ services }: Context): Promise<void> {
  const service = await services.withoutToken();
  const { status, headers } = await service.ask({ operation: 'ping' });
  const isSuccess = status >= 200 && status <= 299;
  // Whatever else it answers, the requests with the token say more.
  if (isSuccess ? isNamed(readIdentity({ headers })) : status !== 404) return;
  const address = await service.findAddress();
  const other = describeAddress(address, service.baseUrl);
  if (other === undefined) return;
  const { finding, ...details } = other;
  const next =
    address.at === 'elsewhere' ? [['orgctl', 'auth', 'login', '--base-url', address.baseUrl, without('--host')]] : [];
  throw new OrgctlError(isSuccess ? 'unavailable' : 'not-found', finding, { ...details, next });
}

async function readPiped({ places }: Context): Promise<string> {
  const source = { option: 'auth login', path: '-', most: MOST_BYTES, hint: 'Pipe in the token alone, on one line.' };
  const { bytes } = await readInput(places.host, places.interrupts.signal, source);
  const text = bytes.toString('utf8');
  if (text.trim() !== '') return text;
  throw new UsageError('no token on stdin', {
    hint: 'Pipe the token in, or run this at a terminal to be prompted for it.',
    next: [['orgctl', 'auth', 'login']],
  });
}
