import { join } from 'node:path';
import { ConnectionError, type ConnectionFailure, type OrgctlError, UsageError } from '../errors.ts';
import type { Host, HostOutput } from '../host.ts';
import { createNextCommand, type NextCommand } from '../input/next-command.ts';
import { organizationStateDirectory, serviceStateDirectory } from '../rotation/state-directory.ts';
import type { CallerKind, Sandbox, SandboxOptions } from '../sandbox/sandbox.ts';
import type { Page } from '../service/page.ts';
import type { ListReading } from '../service/pages.ts';
import { isNameSafe } from '../service/query.ts';
import type { Service } from '../service/service.ts';
import { findConfigDirectory, resolveStateDirectory } from '../settings/directories.ts';
import { findProfile, type Profile, requireStored } from '../settings/profile.ts';
import { resolveMessageStyle, resolveSettings, type Settings, toSource } from '../settings/resolve-settings.ts';
import { createSettingsStore, type SettingsStore } from '../settings/store.ts';
import { findToken, isForAnyService, type TokenChoice } from '../settings/token.ts';
import { createProgress, type Progress } from '../stderr/progress.ts';
import { askSecret, type Confirmation, confirm, mayAsk } from '../stderr/prompt.ts';
import { createReporter, type Reporter } from '../stderr/reporter.ts';
import type { Columns } from '../stdout/columns.ts';
import { FORMATS, type Format, type FormatName } from '../stdout/formats/index.ts';
import type { Output } from '../stdout/output.ts';
import type { Stop } from '../stop.ts';
import { takesLinks } from '../text/links.ts';
import { createTimeFormatter } from '../text/time.ts';
import { createWriter } from '../text/write.ts';
import type { Target } from './connection.ts';

/** What a command is handed. Its costly parts are made on first use. */
export interface Context {
  readonly host: Host;
  readonly reporter: Reporter;
  /** Throws UsageError when one that is in force cannot be read. */
  readonly settings: Settings;
  /** The profile that is named; undefined for the default one. Throws like `settings`. */
  readonly profile: Profile | undefined;
  readonly store: SettingsStore;
  readonly stop: Stop;
  readonly dryRun: boolean;
  /** Whether a person is there to answer. */
  readonly mayAsk: boolean;
  /** The format named on the command line, and nowhere else. */
  readonly explicitFormat: Format | undefined;
  /** The fields to print, as they were named. */
  readonly fields: readonly string[] | undefined;
  /** Whether this option was given on the command line. */
  optionGiven(name: keyof GlobalOptions): boolean;
  /** The organization in force. Throws UsageError when there is none. */
  organization(): string;
  /** Host name of the service in force, with its port if it has one. */
  serviceHost(): string;
  /** The origin of the service in force; `sandbox` for the embedded one. */
  serviceOrigin(): string;
  /** Where orgctl remembers things of the service in force. */
  serviceStateDirectory(): string;
  /** Where orgctl remembers things of the organization in force. */
  organizationStateDirectory(): string;
  output(): Promise<Output>;
  /** The same on stderr, for where stdout holds something else. */
  outputOnStderr(): Promise<Output>;
  /** Puts this text and one newline on stdout, whatever the settings say and whether or not they can be read. */
  print(text: string): Promise<void>;
  service(): Promise<Service>;
  /** A service that is named here, whatever the settings say. */
  serviceAt(target: Target): Promise<Service>;
  /** The token for the service in force. Throws UsageError for one that cannot be used. */
  findToken(): TokenChoice;
  /** What is typed at the terminal, unseen. Throws `cancelled` where nothing is. */
  askSecret(question: string): Promise<string>;
  /** The same service, called with another token. */
  serviceAs(token: string): Promise<Service>;
  /** The same service, called by nobody: for where no token belongs to it. */
  serviceWithoutToken(): Promise<Service>;
  /** Where orgctl remembers things of all organizations. Throws UsageError where there is no home folder. */
  stateDirectory(): string;
  /** The file that `--sandbox` keeps its state in. */
  sandboxState(): string;
  /**
   * The sandbox on the state that `--sandbox` uses, unless another is given. The caller closes it. Throws UsageError for a
   * state that cannot be used, with the code `damaged-state` where the file is no state.
   */
  openSandbox(options: Partial<SandboxOptions>): Promise<Sandbox>;
  /** Says what takes so long, from now until it is stopped, which has to happen. */
  progress(text: string, options?: { readonly shown?: boolean }): Progress;
  /** Prints a list and returns its length. Fails afterwards when it could be printed in part only. */
  list(columns: Columns, reading: ListReading): Promise<number>;
  /** Prints plain records that are all there. */
  records(columns: Columns, records: readonly object[]): Promise<void>;
  note(text: string): void;
  warn(text: string): void;
  /** For a command within a sentence. Errors and their `next` hold words. */
  readonly nextCommand: NextCommand;
  /**
   * Until this run is told to stop, as a server is meant to end: the exit code is the signal's, and no error is told.
   * Rejects with that end.
   */
  untilStopped(): Promise<never>;
  /** Whether the run was meant to end with this error. */
  isExpected(error: unknown): boolean;
  /** The error, and what the service lets be found out of a refusal. Asks nothing where nothing was asked before. */
  explain(error: OrgctlError): Promise<OrgctlError>;
  /** Returns when confirmed; in a dry run at once, having said what it would have asked about. Throws otherwise. */
  confirm(confirmation: Confirmation): Promise<void>;
  /** An instant as the person's clock shows it. */
  localTime(instant: string): string;
  /** For file names; never used twice. */
  uniqueName(): string;
  close(): Promise<void>;
}

/** Makes the context of the verb that was called. */
export type OpenContext = (verb: { optsWithGlobals(): object }, allowed?: Allowed) => Context;

export interface Allowed {
  /** The verb may name a profile that nothing is stored for yet. */
  readonly newProfile?: boolean;
}

/** The global options as commander gives them. */
export interface GlobalOptions {
  readonly org?: string;
  readonly baseUrl?: string;
  readonly host?: string;
  readonly profile?: string;
  readonly sandbox?: boolean;
  readonly as?: CallerKind;
  readonly output?: FormatName;
  readonly fields?: string;
  readonly yes?: boolean;
  readonly input?: boolean;
  readonly dryRun?: boolean;
  readonly quiet?: boolean;
  readonly debug?: boolean;
  readonly timeout?: string;
  readonly maxRetries?: string;
  readonly caFile?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly allowHttp?: readonly string[];
  readonly color?: boolean;
  readonly accessible?: boolean;
}

const SANDBOX_ORGANIZATION = 'acme';

/** Speaks as option, environment and stored settings want it; those that cannot be read are passed over. */
export function openReporter(
  host: Host,
  options: Pick<GlobalOptions, 'output' | 'quiet' | 'debug' | 'accessible'>,
  nextCommand: NextCommand = createNextCommand({ given: {}, organization: () => undefined, platform: host.platform }),
): Reporter {
  const { readConfig } = createSettingsStore(findConfigDirectory(host));
  const { output, ...style } = resolveMessageStyle({ options, env: host.env, readConfig });
  const json = output !== undefined && FORMATS[output].forPrograms;
  const links = !json && !style.accessible && takesLinks(host, host.stderr);
  return createReporter(host, { json, links, nextCommand, ...style });
}

/** Throws UsageError for options that exclude each other. */
export function createContext(
  host: Host,
  options: GlobalOptions,
  stop: Stop,
  version: string,
  allowed: Allowed = {},
): Context {
  checkOptions(options);
  const store = createSettingsStore(findConfigDirectory(host));
  const readConfig = once(() => store.readConfig());
  const profile = once(() => {
    // What is set for real services names real ones.
    if (options.sandbox === true) return undefined;
    const named = findProfile({ option: options.profile, env: host.env, readConfig });
    if (named !== undefined && allowed.newProfile !== true) requireStored(named, readConfig());
    return named;
  });
  const settings = once(() => resolveSettings({ options, env: host.env, config: readConfig(), profile: profile() }));
  const findOwnToken = (): TokenChoice =>
    findToken({ baseUrl: settings()['base-url'].value, profile: profile(), host, store });
  const explicitFormat = options.output === undefined ? undefined : FORMATS[options.output];
  const dryRun = options.dryRun === true;
  const asks = (): boolean => mayAsk(host, settings()['no-input'].value);
  const nextCommand = createNextCommand({
    given: options,
    organization: () => findOrganization(),
    platform: host.platform,
  });
  const reporter = openReporter(host, options, nextCommand);
  const closers: (() => Promise<void> | void)[] = [];

  const fields = options.fields === undefined ? undefined : parseFields(options.fields);
  const makeOutput = async (stdout: HostOutput): Promise<Output> => {
    const { output: chosen, quiet, 'no-color': noColor, accessible } = settings();
    const { openOutput } = await import('../stdout/output.ts');
    return await openOutput({
      host,
      stdout,
      format: FORMATS[chosen.value ?? (stdout.isTTY === true ? 'table' : 'tsv')],
      fields,
      noColor: noColor.value,
      boxes: !accessible.value,
      async noteEmpty({ name }) {
        if (quiet.value || host.stderr.isTTY !== true) return;
        // A note that cannot be written changes nothing about the result.
        await createWriter(host.stderr)
          .write(`No ${name} found.\n`)
          .catch(() => {});
      },
    });
  };
  const output = once(() => makeOutput(host.stdout));
  const startProgress: Context['progress'] = (text, { shown = true } = {}) => {
    const { quiet, accessible, output: format } = settings();
    // What is redrawn is wiped away again; a line that stays would stand among lines of JSON.
    const stays = accessible.value && format.value !== undefined && FORMATS[format.value].forPrograms;
    return createProgress(host, { quiet: quiet.value || !shown || stays, text, moving: !accessible.value });
  };

  const organization = (): string => {
    // What is set for real services names real organizations.
    const inSandbox = options.sandbox === true && options.org === undefined;
    const name = inSandbox ? SANDBOX_ORGANIZATION : settings().org.value;
    if (name === undefined) {
      throw new UsageError('no organization is named', {
        hint: `Name it with --org or ORGCTL_ORG, or store it with: ${nextCommand(['orgctl', 'settings', 'set', 'org'])} <name>`,
      });
    }
    if (!isNameSafe(name))
      throw new UsageError(`'${name}' cannot be the name of an organization`, {
        hint: 'Give the name as the service shows it.',
      });
    return name;
  };
  const findOrganization = (): string | undefined => {
    try {
      return organization();
    } catch (error) {
      if (error instanceof UsageError) return undefined;
      throw error;
    }
  };

  const serviceOrigin = (): string =>
    options.sandbox === true ? 'sandbox' : new URL(settings()['base-url'].value).origin;
  const stateDirectory = once(() => resolveStateDirectory(host));
  const sandboxState = (): string => join(stateDirectory(), 'sandbox', 'state.sqlite');
  const openSandbox: Context['openSandbox'] = async (sandboxOptions) => {
    const { openSandboxState } = await import('./embedded-sandbox.ts');
    const { now, randomBytes } = host;
    const { state = sandboxState() } = sandboxOptions;
    return await openSandboxState({ now, randomBytes, ...sandboxOptions, state }, sandboxOptions.state === undefined);
  };

  /** The embedded service, or the one the settings name. */
  const target = once(async (): Promise<Target> => {
    const { chooseService } = await import('./connection.ts');
    if (options.sandbox !== true) {
      const { value, source } = settings()['base-url'];
      const [choice, named] = [findOwnToken(), profile()];
      const isDefault = named?.source === 'ORGCTL_PROFILE' && source === toSource(named.name);
      // Who sets it may not have thought of the profile that was chosen long before.
      if (isDefault && choice.found && isForAnyService(choice.source)) {
        reporter.note(`${choice.source} goes to ${new URL(value).host}, the service of ${source} (ORGCTL_PROFILE)`);
      }
      return chooseService(value, choice, named?.name);
    }
    const { startSandbox } = await import('./embedded-sandbox.ts');
    const caller = options.as ?? 'owner';
    const sandbox = await openSandbox({ log: reporter.note });
    const started = await startSandbox({ sandbox, caller, organization: organization() });
    closers.push(started.close);
    reporter.note(`sandbox: a make-believe service, called as ${caller}; its state is in ${sandboxState()}`);
    return started.target;
  });

  const connectTo = async (find: () => Target | Promise<Target>): Promise<Service> => {
    // Before the sandbox is started, which would say so.
    const inForce = settings();
    const [{ connect }, chosen] = await Promise.all([import('./connection.ts'), find()]);
    const { signal } = stop;
    const connected = connect({ host, settings: inForce, version, target: chosen, dryRun, reporter, signal });
    closers.push(connected.close);
    asked.push(connected);
    return connected;
  };
  const asked: Service[] = [];
  const service = once(() => connectTo(target));

  let expected: unknown;
  return {
    host,
    reporter,
    get settings() {
      return settings();
    },
    get profile() {
      return profile();
    },
    store,
    stop,
    dryRun,
    get mayAsk() {
      return asks();
    },
    explicitFormat,
    fields,
    optionGiven: (name) => options[name] !== undefined,
    organization,
    serviceHost: () => new URL(settings()['base-url'].value).host,
    serviceOrigin,
    serviceStateDirectory: () => serviceStateDirectory(stateDirectory(), serviceOrigin()),
    organizationStateDirectory: () => organizationStateDirectory(stateDirectory(), serviceOrigin(), organization()),
    output,
    outputOnStderr: () => makeOutput(host.stderr),
    print: (text) => createWriter(host.stdout).write(`${text}\n`),
    service,
    serviceAs: (token) => connectTo(async () => ({ ...(await target()), token })),
    serviceAt: (chosen) => connectTo(() => chosen),
    findToken: findOwnToken,
    askSecret: (question) => askSecret(host, question, stop.signal),
    serviceWithoutToken: () => connectTo(() => ({ baseUrl: new URL(settings()['base-url'].value), token: undefined })),
    stateDirectory,
    sandboxState,
    openSandbox,
    progress: startProgress,
    async list(columns, reading) {
      const progress = startProgress(`Reading ${columns.name}`);
      let count = 0;
      const countPage = (page: Page): void => {
        count += page.items.length;
        progress.update(`Reading ${columns.name}: ${count}`);
      };
      try {
        await (await output()).list(columns, {
          async *stream() {
            for await (const page of reading.stream()) {
              // Rows and a moving line cannot share a terminal.
              if (host.stdout.isTTY === true) progress.stop();
              countPage(page);
              yield page;
            }
          },
          async collect(keep) {
            const kept = await reading.collect((page) => {
              countPage(page);
              return keep(page);
            });
            progress.stop();
            return kept;
          },
        });
      } finally {
        progress.stop();
      }
      const shortfall = reading.shortfall();
      if (shortfall !== undefined) throw shortfall;
      return count;
    },
    async records(columns, records) {
      const page = { items: records, included: [], document: { data: records } };
      await (await output()).list(columns, {
        async *stream() {
          yield page;
        },
        collect: async (keep) => [keep(page)],
      });
    },
    note: reporter.note,
    warn: reporter.warn,
    nextCommand,
    async untilStopped() {
      return await stop.wait().catch((error: unknown) => {
        expected = error;
        reporter.note('stopped');
        throw error;
      });
    },
    isExpected: (error) => error !== undefined && error === expected,
    async explain(error) {
      let explained = error;
      // Each explains what it was answered itself.
      for (const each of asked) explained = await each.explain(explained);
      if (options.sandbox === true || !(explained instanceof ConnectionError)) return explained;
      return nameAddressSource(explained, settings()['base-url'], profile());
    },
    async confirm(confirmation) {
      if (dryRun) return confirmation.consequences.forEach(reporter.note);
      const { redactText } = reporter.secrets;
      const { act, consequences } = confirmation;
      const shown = { ...confirmation, act: redactText(act), consequences: consequences.map(redactText) };
      await confirm(host, shown, { yes: options.yes === true, mayAsk: asks(), signal: stop.signal });
    },
    localTime: (instant) => createTimeFormatter(host.now())(instant),
    uniqueName: () => Buffer.from(host.randomBytes(8)).toString('hex'),
    async close() {
      for (const close of closers.reverse()) await close();
    },
  };
}

function checkOptions(options: GlobalOptions): void {
  const [other] = (
    [
      ['--base-url', options.baseUrl],
      ['--host', options.host],
      ['--profile', options.profile],
    ] as const
  ).flatMap(([name, given]) => (given === undefined ? [] : [name]));
  if (options.sandbox === true && other !== undefined) {
    throw new UsageError(`--sandbox and ${other} exclude each other`, { hint: 'The sandbox is a service of its own.' });
  }
  if (options.as !== undefined && options.sandbox !== true) {
    throw new UsageError('--as goes with --sandbox', { hint: 'On a real service the token decides who calls.' });
  }
}

function parseFields(text: string): readonly string[] {
  const fields = text.split(',').map((field) => field.trim());
  if (fields.some((field) => field === '')) {
    throw new UsageError('--fields holds an empty name', { hint: 'Separate names with single commas: id,email.' });
  }
  return [...new Set(fields)];
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Where the address may be the mistake. */
const BEFORE_ANY_ANSWER: ReadonlySet<ConnectionFailure> = new Set(['dns', 'refused', 'unreachable', 'timeout', 'tls']);

/** Says where the address of a service that could not be reached came from, unless it stands on the command line. */
function nameAddressSource(
  error: ConnectionError,
  { value, source }: { readonly value: string; readonly source: string },
  profile: Profile | undefined,
): ConnectionError {
  const { failure, acted, request, message, code, reasons, hint, next } = error;
  const isFamiliar = source.startsWith('--') || !message.includes(new URL(value).hostname);
  if (isFamiliar || acted !== 'no' || !BEFORE_ANY_ANSWER.has(failure)) return error;
  const isDefault = profile?.source === 'ORGCTL_PROFILE' && source === toSource(profile.name);
  const from = `${source}${isDefault ? ', chosen by ORGCTL_PROFILE' : ''}`;
  return new ConnectionError(failure, acted, request, `${message} (address from ${from})`, {
    code,
    reasons,
    ...(hint === undefined ? {} : { hint }),
    next,
    cause: error,
  });
}
