import { type Client, createClient, createReadOnlyError } from '../api/client.ts';
import { explainNotFound } from '../api/explain.ts';
import { createWriteLog } from '../api/write-log.ts';
import { findConfigFolder } from '../config/folders.ts';
import { assertProfileExists, findProfile, type Profile, resolveSettings, type Settings } from '../config/resolve.ts';
import { type ConfigStore, openConfigStore } from '../config/store.ts';
import {
  createNoTokenError,
  describeRejectedToken,
  findToken,
  parseToken,
  type TokenChoice,
  type TokenSource,
} from '../config/token.ts';
import { type OrgctlError, ServiceError, UsageError } from '../lib/errors.ts';
import { readTokenFromCommand } from '../lib/exec.ts';
import { createRedactor, type Redactor } from '../lib/redact.ts';
import { type Runtime, readVariable } from '../lib/runtime.ts';
import type { Signals } from '../lib/signals.ts';
import { listActiveOrgs, parseOrgs } from '../orgs/orgs.ts';
import { FORMATS, type Format } from '../output/formats.ts';
import { createMessages, type Messages } from '../output/messages.ts';
import { assertQueryFits, createOutput, type Output } from '../output/output.ts';
import type { CallerKind } from '../sandbox/callers.ts';
import type { Verb } from './command.ts';
import { connectTo, startSandbox, type Target } from './connect.ts';
import { printExchange } from './debug.ts';
import type { GlobalOptions } from './global-options.ts';
import { createPrompts, type Prompts } from './prompts.ts';
import { createSpinner, type Spinner } from './spinner.ts';

const SANDBOX_ORG = 'acme';

/** What a verb works with. Nothing is read, asked or connected before it is used. */
export interface Session {
  runtime: Runtime;
  signals: Signals;
  settings: Settings;
  profile: Profile;
  store: ConfigStore;
  redactor: Redactor;
  messages: Messages;
  output: Output;
  prompts: Prompts;
  spinner: Spinner;
  isDryRun: boolean;
  isSandbox: boolean;
  client: Client;
  /** A client for another service or token than the settings name. */
  openClient(target: Target): Client;
  /** The token that the settings name. */
  findToken(): TokenChoice;
  readToken(token: TokenSource): Promise<string>;
  /** The one organization. Throws UsageError. */
  org(): string;
  /** All organizations of --org or --all-orgs, in order of name. */
  orgs(): Promise<string[]>;
  /** Whether the command line names several, so that rows say which one they are of. */
  hasSeveralOrgs: boolean;
  /** Throws `cancelled`. Refuses in read-only mode before it asks, and asks nothing in a dry run. */
  confirm(question: string): Promise<void>;
  /** Says more of an error, which may take a request. */
  explain(error: OrgctlError): Promise<OrgctlError>;
  close(): Promise<void>;
}

export interface SessionOptions {
  runtime: Runtime;
  signals: Signals;
  version: string;
  options: GlobalOptions;
  verb: Pick<Verb, 'scope' | 'writes' | 'isForNewProfile' | 'hidesBodies'>;
}

export function openSession({ runtime, signals, version, options, verb }: SessionOptions): Session {
  assertCompatible(options);
  const { env } = runtime;
  const store = openConfigStore(findConfigFolder(runtime), runtime.user);
  const config = store.readConfig();
  const isSandbox = options.sandbox === true;
  const profile = isSandbox ? findProfile(undefined, {}, {}) : findProfile(options.profile, env, config);
  if (!verb.isForNewProfile) assertProfileExists(profile, config);
  const settings = resolveSettings({ options: { ...options }, env, config, profile });
  const redactor = createRedactor();
  const format = options.query !== undefined && options.output === undefined ? 'json' : settings.output.value;
  assertQueryFits(format, options.query);
  const { isJson = false }: Partial<Format> = format ? FORMATS[format] : {};
  const isAccessible = settings.accessible.value;
  const spinner = createSpinner(runtime, redactor, settings.quiet.value || isAccessible);
  const messages = createMessages({
    runtime,
    redactor,
    isJson: isJson && runtime.stderr.isTTY !== true,
    isQuiet: settings.quiet.value,
    isAccessible,
    hasColor: hasColor(settings, runtime.stderr.isTTY, env.TERM),
    suggested: listSuggestedOptions(options),
    beforeWrite: spinner.hide,
  });
  const output = createOutput({
    runtime,
    format,
    fields: options.fields === undefined ? undefined : parseFields(options.fields),
    query: options.query,
    isWhole: options.include !== undefined,
    isAccessible,
    hasColor: hasColor(settings, runtime.stdout.isTTY, env.TERM),
    messages,
    beforeWrite: spinner.hide,
  });
  const isDryRun = options.dryRun === true;
  const readOnly = settings['read-only'].value ? settings['read-only'].source : undefined;
  const prompts = createPrompts(runtime, {
    isOff: settings['no-input'].value,
    isYes: options.yes === true,
    signal: signals.signal,
    spinner,
  });
  const closers: (() => Promise<void>)[] = [];

  const findCurrentToken = (): TokenChoice => findToken({ settings, profile, runtime, store });

  async function readToken({ token, command, source }: TokenSource): Promise<string> {
    if (command === undefined) return token ?? '';
    return parseToken(await readTokenFromCommand(command, source, runtime, signals.signal), `what ${source} printed`);
  }

  async function findTarget(): Promise<Target> {
    if (isSandbox) {
      const caller = (options.as ?? 'owner') as CallerKind;
      const sandbox = await startSandbox(runtime, { caller, org: findSandboxOrg(options), warn: messages.note });
      closers.push(sandbox.close);
      return sandbox;
    }
    const choice = findCurrentToken();
    if (!choice.found) throw createNoTokenError(choice, { settings, profile });
    return { baseUrl: new URL(settings['base-url'].value), token: await readToken(choice.found) };
  }

  function openClient(target: () => Promise<Target>): Client {
    const { signal } = signals;
    const hasBodies = !verb.hidesBodies;
    const client = createClient({
      async connect() {
        const onExchange = settings.debug.value
          ? (exchange: Parameters<typeof printExchange>[0]) =>
              printExchange(exchange, { messages, redactor, hasBodies })
          : () => undefined;
        return connectTo(await target(), { settings, runtime, redactor, version, signal, onExchange });
      },
      runtime,
      signal,
      timeout: settings.timeout.value,
      maxRetries: settings['max-retries'].value,
      dryRun: isDryRun,
      readOnly,
      writeLog: openWriteLog(runtime, redactor, messages),
      onProgress: spinner.show,
    });
    closers.push(client.close);
    return client;
  }

  const client = openClient(findTarget);

  function org(): string {
    const { value = isSandbox ? SANDBOX_ORG : undefined, source } = settings.org;
    if (value === undefined) {
      throw new UsageError('no organization', {
        hint: 'Add --org <name>, set ORGCTL_ORG, or run orgctl settings set org <name>.',
      });
    }
    const names = parseOrgs(value, source);
    if (names.length > 1) throw new UsageError(`this command takes one organization, not ${names.length} (${source})`);
    return names[0] ?? '';
  }

  return {
    runtime,
    signals,
    settings,
    profile,
    store,
    redactor,
    messages,
    output,
    prompts,
    spinner,
    isDryRun,
    isSandbox,
    client,
    openClient: (target) => openClient(async () => target),
    findToken: findCurrentToken,
    readToken,
    org,
    async orgs() {
      if (options.allOrgs) return listActiveOrgs(client);
      const { value, source } = settings.org;
      return value === undefined ? [org()] : parseOrgs(value, source).sort();
    },
    hasSeveralOrgs: options.allOrgs === true || settings.org.value?.includes(',') === true,
    async confirm(question) {
      if (isDryRun) return;
      if (readOnly !== undefined) throw createReadOnlyError(readOnly);
      await prompts.confirm(question);
    },
    async explain(error) {
      if (error instanceof ServiceError && error.status === 401 && !isSandbox) {
        const { found } = findCurrentToken();
        if (found)
          return new ServiceError(error.exit, `${error.message} (from ${found.source})`, error, {
            reasons: error.reasons,
            hint: describeRejectedToken(found.source, found.origin),
          });
      }
      return explainNotFound(error, client);
    },
    async close() {
      spinner.hide();
      for (const close of closers) await close();
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
function parseFields(text: string): string[] {
  const fields = text.split(',').map((field) => field.trim());
  if (fields.includes(''))
    throw new UsageError('--fields has an empty name', { hint: 'It looks like --fields email,teams.name' });
  return [...new Set(fields)];
}

function hasColor({ 'no-color': noColor }: Settings, isTerminal = false, terminal = ''): boolean {
  if (noColor.value) return false;
  return noColor.source === 'FORCE_COLOR' || (isTerminal && terminal !== 'dumb');
}

function listSuggestedOptions({ sandbox, profile, org }: GlobalOptions): string[] {
  return [
    ...(sandbox ? ['--sandbox'] : []),
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(org === undefined ? [] : ['--org', org]),
  ];
}

/** A token that belongs to one organization is taken from the first that is named. */
function findSandboxOrg({ org }: GlobalOptions): string {
  return org === undefined ? SANDBOX_ORG : (parseOrgs(org, '--org')[0] ?? SANDBOX_ORG);
}

function openWriteLog(runtime: Runtime, redactor: Redactor, messages: Messages) {
  const path = readVariable(runtime.env, 'ORGCTL_LOG_FILE');
  if (path === undefined) return undefined;
  const { userName, machineName, pid, now } = runtime;
  return createWriteLog({
    path,
    who: { user: userName, host: machineName, pid },
    redactor,
    now,
    createId: () => Buffer.from(runtime.randomBytes(8)).toString('hex'),
    warn: messages.warn,
  });
}
