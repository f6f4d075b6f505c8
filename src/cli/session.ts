import type { Client } from '../api/client.ts';
import { createExplainer } from '../api/explain.ts';
import { assertProfileExists, findProfile, resolveSettings, type Settings } from '../config/resolve.ts';
import { type Config, ConfigStore } from '../config/store.ts';
import {
  type Configuration,
  createNoTokenError,
  findTokenSource,
  parseToken,
  type TokenSource,
} from '../config/token.ts';
import { copyError, type OrgctlError, ServiceError, UsageError } from '../lib/errors.ts';
import { readTokenFromCommand } from '../lib/exec.ts';
import { createRedactor } from '../lib/redact.ts';
import type { Runtime } from '../lib/runtime.ts';
import type { Signals } from '../lib/signals.ts';
import { listActiveOrgs } from '../organizations/names.ts';
import { createClients, type Endpoint } from './clients.ts';
import type { GlobalOptions, SessionContext } from './global-options.ts';
import { createLocalSandbox, SANDBOX_ORG } from './sandbox.ts';
import { createTerminal } from './terminal.ts';

export interface SessionRules {
  /** --org takes several names, and the verb has --all-orgs. */
  takesSeveralOrgs?: boolean;
  /** --profile may name a new profile. */
  isForNewProfile?: boolean;
  /** Runs without `config.json` if that can't be used, and says why. */
  checksSettings?: boolean;
  /** --debug prints no bodies, since their secrets can't be known. */
  hidesBodies?: boolean;
}

export type Session = ReturnType<typeof openSession>;

interface SessionOptions extends Pick<SessionContext, 'runtime' | 'version' | 'options'> {
  signals: Signals;
  verb: SessionRules;
}

/** The tools of a verb. Nothing connects or asks before a verb uses it. */
export function openSession({ runtime, signals, version, options, verb }: SessionOptions) {
  assertCompatible(options, verb);
  const { sandbox: isSandbox = false, dryRun: isDryRun = false } = options;
  const redactor = createRedactor();
  const config = openConfig(runtime, signals.signal, options, verb);
  const context = { runtime, version, options, settings: config.settings, redactor, signal: signals.signal };
  const { spinner, ...terminal } = createTerminal(context);
  const { messages, prompts } = terminal;
  const clients = createClients({ ...context, messages, spinner, hidesBodies: verb.hidesBodies });
  const { findEndpoint, assertFound, explainRejected, ...tokens } = createTokens(runtime, config, signals.signal);
  const sandbox = createLocalSandbox(runtime, messages.note, options.as, config.settings.org.value);
  const client = clients.open(isSandbox ? sandbox.start : findEndpoint);
  const explain = createExplainer(client);
  return {
    ...context,
    signals,
    isDryRun,
    isSandbox,
    client,
    ...config,
    ...terminal,
    ...tokens,
    ...createOrgs(options, verb, config.settings, client, assertFound),
    assertWritable: clients.assertWritable,
    /** Throws `cancelled`, and UsageError in read-only mode. Asks nothing in a dry run. */
    async confirm(question: string, affected?: string[]): Promise<void> {
      if (isDryRun) return;
      clients.assertWritable();
      await prompts.confirm(question, affected);
    },
    /** A client for another service or token than the settings name. */
    openClient: (endpoint: Endpoint) => clients.open(async () => endpoint),
    /** A client with the current token, which may have changed since `client` read it. */
    renewClient: isSandbox ? async () => client : createRenewal(findEndpoint, clients.open),
    progress: spinner.count,
    /** Adds an explanation to an error, once; it may take a request. */
    explain: async (error: OrgctlError) => (isSandbox ? undefined : explainRejected(error)) ?? explain(error),
    async close(): Promise<void> {
      spinner.end();
      await clients.close();
      await sandbox.close();
    },
  };
}

function openConfig(runtime: Runtime, signal: AbortSignal, options: GlobalOptions, verb: SessionRules): Configuration {
  const { env } = runtime;
  const store = new ConfigStore(runtime, signal);
  let stored: Config | undefined;
  try {
    stored = store.readConfig();
  } catch (error) {
    if (!verb.checksSettings || !(error instanceof UsageError)) throw error;
  }
  const config = stored ?? {};
  const profile = options.sandbox ? findProfile(undefined, {}, {}) : findProfile(options.profile, env, config);
  if (!verb.isForNewProfile && stored) assertProfileExists(profile, config);
  return { store, profile, settings: resolveSettings({ options: { ...options }, env, config, profile }) };
}

function assertCompatible(
  { sandbox, as, baseUrl, host, profile, org, allOrgs, countBy, page, limit }: GlobalOptions,
  { takesSeveralOrgs }: SessionRules,
): void {
  const named = Object.entries({ '--host': host, '--base-url': baseUrl, '--profile': profile });
  const service = named.find(([, value]) => value !== undefined);
  if (sandbox && service) throw new UsageError(`use --sandbox or ${service[0]}, not both`);
  if (as !== undefined && !sandbox) throw new UsageError('--as needs --sandbox');
  if (org !== undefined && allOrgs) throw new UsageError('use --org or --all-orgs, not both');
  if (countBy !== undefined && (page ?? limit) !== undefined) {
    throw new UsageError(`--count-by counts the whole list: it can't be used with --${page ? 'page' : 'limit'}`);
  }
  if (allOrgs && !takesSeveralOrgs) throw new UsageError('this command takes one organization, so not --all-orgs');
}

function assertOneOrg(names: string[], source: string): void {
  if (names.length > 1) {
    throw new UsageError(`this command takes one organization, not ${names.length} (${source})`);
  }
}

function createTokens(runtime: Runtime, config: Configuration, signal: AbortSignal) {
  const findSource = () => findTokenSource({ ...config, runtime });
  const readToken = async ({ token, command, source }: TokenSource): Promise<string> => {
    if (command === undefined) return token ?? '';
    return parseToken(await readTokenFromCommand(command, source, runtime, signal), `what ${source} printed`);
  };
  const assertFound = (): TokenSource => {
    const choice = findSource();
    if (!choice.found) throw createNoTokenError(choice, config.settings);
    return choice.found;
  };
  return {
    findTokenSource: findSource,
    assertFound,
    readToken,
    async findEndpoint(): Promise<Endpoint> {
      return { baseUrl: new URL(config.settings['base-url'].value), token: await readToken(assertFound()) };
    },
    explainRejected(error: OrgctlError): OrgctlError | undefined {
      if (!(error instanceof ServiceError) || error.status !== 401 || !error.call) return undefined;
      const { found } = findSource();
      if (!found) return undefined;
      const { source, origin, renewal } = found;
      const login = `Create one at ${origin}/app/settings/tokens and run \`orgctl auth login\`.`;
      const hint = `It is wrong, expired or replaced. ${renewal ?? login}`;
      return copyError(error, { message: `${error.message} (from ${source})`, call: undefined, hint });
    },
  };
}

function createRenewal(findEndpoint: () => Promise<Endpoint>, open: (findEndpoint: () => Promise<Endpoint>) => Client) {
  let current: { client: Client; token: string | undefined } | undefined;
  return async (): Promise<Client> => {
    const endpoint = await findEndpoint();
    if (current && current.token === endpoint.token) return current.client;
    await current?.client.close();
    current = { client: open(async () => endpoint), token: endpoint.token };
    return current.client;
  };
}

function createOrgs(
  { allOrgs, sandbox }: GlobalOptions,
  { takesSeveralOrgs }: SessionRules,
  { org: { value = sandbox ? SANDBOX_ORG : undefined, source } }: Settings,
  client: Client,
  assertToken: () => void,
) {
  const named = value?.split(',');
  if (named && source === '--org' && !takesSeveralOrgs) assertOneOrg(named, source);
  const usedOrgs = new Set<string>();
  const use = (orgs: string[]): string[] => {
    for (const org of orgs) usedOrgs.add(org);
    return orgs;
  };
  const assertNamed = (): string[] => {
    if (named) return named;
    // A new user should see the missing token first.
    assertToken();
    throw new UsageError('no organization', {
      hint: 'Add --org <name>, set ORGCTL_ORG, or run `orgctl settings set org <name>`.',
    });
  };
  return {
    /** Other organizations than the command line names, to be set in a session. */
    nameOrgs: (given: string[]) => ({
      org: () => use(given)[0] ?? '',
      orgs: async () => use(given),
      hasSeveralOrgs: given.length > 1,
    }),
    /** Throws UsageError unless the settings name exactly one organization. */
    org(): string {
      const names = assertNamed();
      assertOneOrg(names, source);
      return use(names)[0] ?? '';
    },
    /** All organizations of --org or --all-orgs, in order of name. */
    orgs: async () => use(allOrgs ? await listActiveOrgs(client) : assertNamed().toSorted()),
    usedOrgs,
    /** Rows name their organization, since the command line names several. */
    hasSeveralOrgs: allOrgs === true || (named ?? []).length > 1,
  };
}
