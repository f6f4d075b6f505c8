import { type Client, createReadOnlyError } from '../api/client.ts';
import { explainNotFound } from '../api/explain.ts';
import { findConfigFolder } from '../config/folders.ts';
import { assertProfileExists, findProfile, type Profile, resolveSettings, type Settings } from '../config/resolve.ts';
import { ConfigStore } from '../config/store.ts';
import {
  createNoTokenError,
  findTokenSource,
  formatRejectedTokenHint,
  parseToken,
  type TokenChoice,
  type TokenSource,
} from '../config/token.ts';
import { type OrgctlError, ServiceError, UsageError } from '../lib/errors.ts';
import { readTokenFromCommand } from '../lib/exec.ts';
import { createRedactor, type Redactor } from '../lib/redact.ts';
import type { Runtime } from '../lib/runtime.ts';
import type { Signals } from '../lib/signals.ts';
import { listActiveOrgs, parseOrgs } from '../orgs/orgs.ts';
import type { CallerKind } from '../sandbox/callers.ts';
import { createClients } from './clients.ts';
import type { Verb } from './command.ts';
import { startSandbox, type Target } from './connect.ts';
import type { GlobalOptions } from './global-options.ts';
import { createTerminal, type Terminal } from './terminal.ts';

const SANDBOX_ORG = 'acme';

/** Everything that a verb works with. Nothing is asked or connected before it is used. */
export interface Session extends Omit<Terminal, 'spinner'> {
  runtime: Runtime;
  signals: Signals;
  settings: Settings;
  profile: Profile;
  store: ConfigStore;
  redactor: Redactor;
  isDryRun: boolean;
  isSandbox: boolean;
  client: Client;
  /** A client with the token that is stored now, which may be another one than `client` has. */
  renewClient(): Promise<Client>;
  /** A client for another service or token than the settings name. */
  openClient(target: Target): Client;
  /** The token that the settings name. */
  findTokenSource(): TokenChoice;
  readToken(token: TokenSource): Promise<string>;
  /** The one organization. Throws UsageError. */
  org(): string;
  /** All organizations of --org or --all-orgs, in order of name. */
  orgs(): Promise<string[]>;
  /** Whether the command line names several, so that rows say which one they are of. */
  hasSeveralOrgs: boolean;
  /** What the spinner says. */
  progress(text: string): void;
  /** Throws UsageError in read-only mode. */
  assertWritable(): void;
  /** Throws `cancelled`. Refuses in read-only mode before it asks, and asks nothing in a dry run. */
  confirm(question: string, affected?: string[]): Promise<void>;
  /** Says more of an error, which may take a request. */
  explain(error: OrgctlError): Promise<OrgctlError>;
  close(): Promise<void>;
}

export interface SessionOptions {
  runtime: Runtime;
  signals: Signals;
  version: string;
  options: GlobalOptions;
  verb: Pick<Verb, 'isForNewProfile' | 'hidesBodies' | 'takesSeveralOrgs'>;
}

export function openSession({ runtime, signals, version, options, verb }: SessionOptions): Session {
  assertCompatible(options);
  if (!verb.takesSeveralOrgs && options.org !== undefined) assertOneOrg(parseOrgs(options.org, '--org'), '--org');
  const { signal } = signals;
  const isSandbox = options.sandbox === true;
  const isDryRun = options.dryRun === true;
  const redactor = createRedactor();
  const config = openConfig(runtime, options, verb.isForNewProfile === true);
  const { settings } = config;
  const { spinner, ...terminal } = createTerminal({ runtime, settings, options, redactor, signal });
  const { messages, prompts } = terminal;
  const readOnly = settings['read-only'].value ? settings['read-only'].source : undefined;
  const assertWritable = (): void => {
    if (readOnly !== undefined) throw createReadOnlyError(readOnly);
  };
  const limits = { isDryRun, readOnly, hidesBodies: verb.hidesBodies === true };
  const clients = createClients({ runtime, settings, redactor, version, signal, messages, spinner, ...limits });
  const tokens = createTokens(runtime, config, signal);
  const sandbox = createSandbox(runtime, options, messages.note);
  const client = clients.open(isSandbox ? sandbox.start : tokens.findTarget);
  return {
    runtime,
    signals,
    redactor,
    isDryRun,
    isSandbox,
    client,
    ...config,
    ...terminal,
    ...createOrgs(options, settings, client),
    openClient: (target) => clients.open(async () => target),
    renewClient: isSandbox ? async () => client : createRenewal(tokens.findTarget, clients.open),
    findTokenSource: tokens.find,
    readToken: tokens.read,
    progress: spinner.show,
    assertWritable,
    async confirm(question, affected) {
      if (isDryRun) return;
      assertWritable();
      await prompts.confirm(question, affected);
    },
    explain: async (error) => (isSandbox ? undefined : tokens.explain(error)) ?? explainNotFound(error, client),
    async close() {
      spinner.hide();
      await clients.close();
      await sandbox.close();
    },
  };
}

/** Throws UsageError for options that exclude each other. */
function assertCompatible({ sandbox, as, baseUrl, host, profile, org, allOrgs }: GlobalOptions): void {
  const service = Object.entries({ '--host': host, '--base-url': baseUrl, '--profile': profile }).find(
    ([, value]) => value !== undefined,
  );
  if (sandbox && service) throw new UsageError(`use --sandbox or ${service[0]}, not both`);
  if (as !== undefined && !sandbox) throw new UsageError('--as goes with --sandbox alone');
  if (org !== undefined && allOrgs) throw new UsageError('use --org or --all-orgs, not both');
}

/** Throws UsageError. */
function assertOneOrg(names: string[], source: string): void {
  if (names.length > 1) {
    throw new UsageError(`this command takes one organization, not ${names.length} (${source})`);
  }
}

type Config = Pick<Session, 'store' | 'profile' | 'settings'>;

function openConfig(runtime: Runtime, options: GlobalOptions, isForNewProfile: boolean): Config {
  const { env } = runtime;
  const store = new ConfigStore(findConfigFolder(runtime), runtime.user);
  const config = store.readConfig();
  const profile = options.sandbox ? findProfile(undefined, {}, {}) : findProfile(options.profile, env, config);
  if (!isForNewProfile) assertProfileExists(profile, config);
  return { store, profile, settings: resolveSettings({ options: { ...options }, env, config, profile }) };
}

/** The token that the settings name, and the service that it is for. */
function createTokens(runtime: Runtime, config: Config, signal: AbortSignal) {
  const find = (): TokenChoice => findTokenSource({ ...config, runtime });
  const read = async ({ token, command, source }: TokenSource): Promise<string> => {
    if (command === undefined) return token ?? '';
    return parseToken(await readTokenFromCommand(command, source, runtime, signal), `what ${source} printed`);
  };
  return {
    find,
    read,
    async findTarget(): Promise<Target> {
      const choice = find();
      if (!choice.found) throw createNoTokenError(choice, config);
      return { baseUrl: new URL(config.settings['base-url'].value), token: await read(choice.found) };
    },
    /** Names the source of a token that the service rejected. */
    explain(error: OrgctlError): OrgctlError | undefined {
      const found = error instanceof ServiceError && error.status === 401 ? find().found : undefined;
      if (!found || !(error instanceof ServiceError)) return undefined;
      return new ServiceError(error.exit, `${error.message} (from ${found.source})`, error, {
        reasons: error.reasons,
        hint: formatRejectedTokenHint(found.source, found.origin),
      });
    },
  };
}

/** Returns the same client until there is another token. */
function createRenewal(findTarget: () => Promise<Target>, open: (findTarget: () => Promise<Target>) => Client) {
  let current: { client: Client; token: string | undefined } | undefined;
  return async (): Promise<Client> => {
    const target = await findTarget();
    if (current?.token === target.token && current) return current.client;
    await current?.client.close();
    current = { client: open(async () => target), token: target.token };
    return current.client;
  };
}

/** The sandbox, if it is started. A token that belongs to one organization is taken from the first that is named. */
function createSandbox(runtime: Runtime, { as = 'owner', org }: GlobalOptions, warn: (text: string) => void) {
  let close = async (): Promise<void> => undefined;
  return {
    async start(): Promise<Target> {
      const [first = SANDBOX_ORG] = org === undefined ? [] : parseOrgs(org, '--org');
      const sandbox = await startSandbox(runtime, { caller: as as CallerKind, org: first, warn });
      close = sandbox.close;
      return sandbox;
    },
    close: () => close(),
  };
}

function createOrgs(
  { allOrgs, sandbox }: GlobalOptions,
  { org: { value = sandbox ? SANDBOX_ORG : undefined, source } }: Settings,
  client: Client,
): Pick<Session, 'org' | 'orgs' | 'hasSeveralOrgs'> {
  const parseNames = (): string[] => {
    if (value !== undefined) return parseOrgs(value, source);
    throw new UsageError('no organization', {
      hint: 'Add --org <name>, set ORGCTL_ORG, or run orgctl settings set org <name>.',
    });
  };
  return {
    org() {
      const names = parseNames();
      assertOneOrg(names, source);
      return names[0] ?? '';
    },
    orgs: async () => (allOrgs ? listActiveOrgs(client) : parseNames().sort()),
    hasSeveralOrgs: allOrgs === true || value?.includes(',') === true,
  };
}
