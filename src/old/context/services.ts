import type { CallerKind, Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import { ConnectionError, type ConnectionFailure, type OrgctlError, reword, ServiceError } from '../errors.ts';
import type { Host } from '../host.ts';
import { once } from '../once.ts';
import type { Onlooker, PlannedWrite } from '../service/http.ts';
import type { Service } from '../service/service.ts';
import { CONFIG_FILE, type Profile } from '../settings/profile.ts';
import { resolveSettings, type Settings, toSource } from '../settings/resolve-settings.ts';
import { UNUSED_BY_SANDBOX } from '../settings/settings.ts';
import { describeRejection, isForAnyService, isVariable, type TokenChoice } from '../settings/token.ts';
import type { Reporter } from '../stderr/reporter.ts';
import type { Target } from './connection.ts';

export type Services = ReturnType<typeof createServices>;

export interface ServicesOptions {
  readonly host: Host;
  readonly version: string;
  readonly dryRun: boolean;
  /** Gets each write that a dry run keeps from leaving. */
  readonly planned: PlannedWrite[];
  readonly caller: CallerKind;
  readonly reporter: Reporter;
  readonly waiting: Onlooker;
  readonly signal: AbortSignal;
  readonly asker: Asker;
  sandboxState(): string;
}

interface Asker {
  readonly settings: Settings;
  readonly profile: Profile | undefined;
  readonly isSandbox: boolean;
  sandboxOrganizations(): readonly string[];
  findToken(): TokenChoice;
  readToken(): Promise<string>;
  readTokenAgain(): Promise<string>;
}

/** The service, as different callers; each connection is made on first use. */
export function createServices(options: ServicesOptions) {
  const { host, version, dryRun, planned, caller, reporter, waiting, signal, asker, sandboxState } = options;
  const onPlanned = (write: PlannedWrite): void => {
    planned.push(write);
    reporter.planned(write);
  };
  const asked: Service[] = [];
  const closers: (() => Promise<void> | void)[] = [];
  let connected: Service | undefined;
  let token: string | undefined;
  let hasWritten = false;

  /**
   * The sandbox on the state that `--sandbox` uses, unless another is given. The caller closes it. Throws UsageError for a
   * state that cannot be used, with the code `damaged-state` where a reset helps.
   */
  const openSandbox = async (sandboxOptions: Partial<SandboxOptions>): Promise<Sandbox> => {
    const { openSandboxState } = await import('./embedded-sandbox.ts');
    const { now, randomBytes } = host;
    const { state = sandboxState() } = sandboxOptions;
    return await openSandboxState({ now, randomBytes, ...sandboxOptions, state }, sandboxOptions.state === undefined);
  };
  const startSandbox = async (): Promise<Target> => {
    const embedded = await import('./embedded-sandbox.ts');
    const sandbox = await openSandbox({ log: reporter.note });
    const started = await embedded.startSandbox(sandbox, caller, asker.sandboxOrganizations());
    closers.push(started.close);
    reporter.note(`(sandbox, as ${caller})`);
    return { ...started.target, source: '--sandbox' };
  };
  const target = once(async (): Promise<Target> => {
    if (asker.isSandbox) return await startSandbox();
    const choice = asker.findToken();
    noteDefaultService(asker, choice, reporter.note);
    const source = choice.found ? { source: choice.source } : {};
    return { baseUrl: new URL(asker.settings['base-url'].value), token: await asker.readToken(), ...source };
  });

  const warnOfSkipped = once(() =>
    reporter.warn('certificates are not checked: anyone on the network can read your token and change the answers'),
  );
  const connectTo = async (find: () => Target | Promise<Target>): Promise<Service> => {
    // Settings that cannot be read are refused before the sandbox is started, which would say so.
    const settings = asker.isSandbox ? toSandboxSettings(asker.settings) : asker.settings;
    if (settings['insecure-skip-tls-verify'].value) warnOfSkipped();
    const [{ connect }, chosen] = await Promise.all([import('./connection.ts'), find()]);
    const service = await connect({
      host,
      settings,
      version,
      target: chosen,
      dryRun,
      onPlanned,
      onWrite: () => {
        hasWritten = true;
      },
      reporter,
      waiting,
      signal,
    });
    closers.push(service.close);
    asked.push(service);
    return service;
  };
  const current = once(async () => {
    connected = await connectTo(async () => {
      const chosen = await target();
      token = chosen.token;
      return chosen;
    });
    return connected;
  });
  /** The error, with what the service says of a refusal. Asks nothing where nothing was asked before. */
  const explainRefusal = async (error: OrgctlError): Promise<OrgctlError> => {
    let explained = error;
    // Each explains what it was answered itself.
    for (const service of asked) explained = await service.explain(explained);
    return explained;
  };
  return {
    /** Whether no write is to be sent, and nothing to be changed on disk. */
    dryRun,
    /** Whether a write has left. */
    hasWritten: () => hasWritten,
    /** The one that command line, environment and settings name. */
    current,
    /**
     * The service with its token read again, from a file or from what a command prints. As long as the token is the
     * same, so is the object. Throws like the first reading.
     */
    async renewed(): Promise<Service> {
      if (connected === undefined || asker.isSandbox) return await current();
      const before = { connected, token };
      token = await asker.readTokenAgain();
      if (token !== before.token) {
        const { baseUrl } = await target();
        connected = await connectTo(() => ({ baseUrl, token }));
        await before.connected.close();
      }
      return connected;
    },
    /** Whether the token may be another one when it is read again: an environment stays as it is. */
    canTokenChange(): boolean {
      if (asker.isSandbox) return false;
      const choice = asker.findToken();
      return !choice.found || !isVariable(choice.source);
    },
    as: (token: string) => connectTo(async () => ({ baseUrl: (await target()).baseUrl, token })),
    withoutToken: () => connectTo(() => ({ baseUrl: new URL(asker.settings['base-url'].value), token: undefined })),
    /** One that is named here, whatever the settings say. */
    at: (chosen: Target) => connectTo(() => chosen),
    openSandbox,
    explainRefusal,
    /** The error, with what the service says of a refusal and where token and address came from. */
    async explain(error: OrgctlError): Promise<OrgctlError> {
      const explained = await explainRefusal(error);
      if (explained instanceof ServiceError && explained.status === 401 && connected?.isOwn(explained) === true) {
        return asker.isSandbox ? explainMissingToken(explained, caller) : nameTokenSource(explained, asker);
      }
      return explained instanceof ConnectionError && !asker.isSandbox ? nameAddressSource(explained, asker) : explained;
    },
    async close(): Promise<void> {
      for (const close of closers.reverse()) await close();
    },
  };
}

/** What is stored for real services, or in the environment, is not read. */
function toSandboxSettings(settings: Settings): Settings {
  const none = resolveSettings({ options: {}, env: {}, config: {}, profile: undefined });
  const names = UNUSED_BY_SANDBOX.filter((name) => settings[name].source !== `--${name}`);
  return { ...settings, ...Object.fromEntries(names.map((name) => [name, none[name]])) };
}

/**
 * Says where the token goes, if it is set for any service and the service was chosen by ORGCTL_PROFILE or by a stored
 * setting, perhaps long before.
 */
function noteDefaultService({ settings, profile }: Asker, choice: TokenChoice, note: (text: string) => void): void {
  const { value, source } = settings['base-url'];
  const isStored = source === CONFIG_FILE;
  if ((isStored || isDefault({ settings, profile })) && choice.found && isForAnyService(choice.source)) {
    const of = isStored ? source : `${source} (${profile?.source})`;
    note(`${choice.source} goes to ${new URL(value).host}, the service of ${of}`);
  }
}

/** Says where the token came from that the service rejected, and how to replace it there. */
function nameTokenSource(error: ServiceError, { settings, profile, findToken }: Asker): ServiceError {
  const choice = findToken();
  // Something else answered than the service.
  if (!choice.found || error.errors.length === 0) return error;
  const { hint, next } = describeRejection(choice.source, new URL(settings['base-url'].value).origin);
  const ofProfile = profile === undefined || profile.source === '--profile' ? [] : ['--profile', profile.name];
  return reword(error, {
    message: `${error.message} (from ${choice.source})`,
    hint,
    next: next.map((words) => [...words, ...ofProfile]),
  });
}

function explainMissingToken(error: ServiceError, caller: CallerKind): ServiceError {
  if (caller !== 'none') return error;
  return reword(error, { message: "you can't do this without a token", hint: 'Leave out --as none.' });
}

const BEFORE_ANY_ANSWER: ReadonlySet<ConnectionFailure> = new Set(['dns', 'refused', 'unreachable', 'timeout', 'tls']);

/** Says where the address of a service that could not be reached came from, unless it stands on the command line. */
function nameAddressSource(error: ConnectionError, { settings, profile }: Asker): OrgctlError {
  const { value, source } = settings['base-url'];
  const { failure, acted, message } = error;
  const isFamiliar = source.startsWith('--') || !message.includes(new URL(value).hostname);
  if (isFamiliar || acted !== 'no' || !BEFORE_ANY_ANSWER.has(failure)) return error;
  const from = `${source}${isDefault({ settings, profile }) ? `, chosen by ${profile?.source}` : ''}`;
  return reword(error, { message: `${message} (address from ${from})` });
}

function isDefault({ settings, profile }: Pick<Asker, 'settings' | 'profile'>): boolean {
  return (
    profile !== undefined && profile.source !== '--profile' && settings['base-url'].source === toSource(profile.name)
  );
}
