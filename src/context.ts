import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OrgctlError, UsageError } from './errors.ts';
import type { Host } from './host.ts';
import { type Format, isMachineFormat } from './output/format.ts';
import type { Output } from './output/output.ts';
import { createTimeTeller } from './output/time.ts';
import type { View } from './output/view.ts';
import { type Confirmation, confirm, mayAsk } from './prompt.ts';
import { createReporter, type Reporter } from './report.ts';
import { organizationStateDirectory } from './rotation/recovery.ts';
import type { CallerKind, Sandbox, SandboxOptions } from './sandbox/sandbox.ts';
import type { ListReading } from './service/pages.ts';
import { isNameSafe } from './service/query.ts';
import type { Service } from './service/service.ts';
import { resolveConfigDirectory, resolveStateDirectory } from './settings/directories.ts';
import { BUILT_IN, resolveProxies, resolveSettings, type Settings } from './settings/resolve.ts';
import { createSettingsStore, type SettingsStore } from './settings/store.ts';
import { resolveToken } from './settings/token.ts';
import type { Stop } from './stop.ts';

/** What a command is handed. Its costly parts are made on first use. */
export interface Context {
  readonly host: Host;
  readonly reporter: Reporter;
  readonly settings: Settings;
  readonly store: SettingsStore;
  readonly stop: Stop;
  readonly dryRun: boolean;
  /** Whether a person is there to answer. */
  readonly mayAsk: boolean;
  /** The format named on the command line, and nowhere else. */
  readonly explicitFormat: Format | undefined;
  /** Whether this option was given on the command line. */
  optionGiven(name: keyof GlobalOptions): boolean;
  /** The organization in force. Throws UsageError when there is none. */
  organization(): string;
  /** Host name of the service in force, with its port if it has one. */
  serviceHost(): string;
  /** Where orgctl remembers things of the organization in force. */
  organizationStateDirectory(): string;
  output(): Promise<Output>;
  service(): Promise<Service>;
  /** The file that `--sandbox` keeps its state in. */
  readonly sandboxState: string;
  /** The sandbox on the state that `--sandbox` uses, unless another is given. The caller closes it. */
  openSandbox(options: Partial<SandboxOptions>): Promise<Sandbox>;
  /** Prints a list, and fails afterwards when it could be printed in part only. */
  list(view: View, reading: ListReading): Promise<void>;
  /** Prints plain records that are all there. */
  records(view: View, records: readonly object[]): Promise<void>;
  note(text: string): void;
  warn(text: string): void;
  /** Returns when confirmed, and at once in a dry run. Throws otherwise. */
  confirm(confirmation: Confirmation): Promise<void>;
  /** An instant as the person's clock shows it. */
  localTime(instant: string): string;
  /** For file names; never used twice. */
  uniqueName(): string;
  close(): Promise<void>;
}

/** Makes the context of the verb that was called. */
export type OpenContext = (verb: { optsWithGlobals(): object }) => Context;

/** The global options as commander gives them. */
export interface GlobalOptions {
  readonly org?: string;
  readonly baseUrl?: string;
  readonly host?: string;
  readonly sandbox?: boolean;
  readonly as?: CallerKind;
  readonly output?: Format;
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
}

const SANDBOX_ORGANIZATION = 'acme';
// Making a token is worth more patience: giving up on it early leaves its outcome unknown.
const MINT_TIMEOUT = 60_000;

/** Throws UsageError for options that exclude each other, and for settings that cannot be read. */
export function createContext(host: Host, options: GlobalOptions, stop: Stop, version: string): Context {
  checkOptions(options);
  const store = createSettingsStore(resolveConfigDirectory(host), host.platform);
  const settings = resolveSettings({ options, env: host.env, config: store.readConfig() });
  const explicitFormat = options.output;
  const format: Format = settings.output.value ?? (host.stdout.isTTY === true ? 'table' : 'tsv');
  const dryRun = options.dryRun === true;
  const asks = mayAsk(host, settings['no-input'].value);
  const secrets: string[] = [];
  const reporter = createReporter(host, {
    json: isMachineFormat(format),
    quiet: settings.quiet.value,
    debug: settings.debug.value,
    secrets,
  });
  const closers: (() => Promise<void> | void)[] = [];

  const fields = options.fields === undefined ? {} : { fields: parseFields(options.fields) };
  const output = once(async (): Promise<Output> => {
    const [{ createOutput }, { createStyle }] = await Promise.all([
      import('./output/output.ts'),
      import('./output/style.ts'),
    ]);
    return createOutput({
      stdout: host.stdout,
      stderr: host.stderr,
      format,
      ...fields,
      style: createStyle(host, host.stdout, settings['no-color'].value),
      now: host.now,
      emptyNote: !settings.quiet.value,
    });
  });

  const organization = (): string => {
    const name = settings.org.value ?? (options.sandbox === true ? SANDBOX_ORGANIZATION : undefined);
    if (name === undefined) {
      throw new UsageError('no organization is named', {
        hint: 'Name it with --org or ORGCTL_ORG, or store it with: orgctl settings set org <name>',
      });
    }
    if (!isNameSafe(name)) throw new UsageError(`'${name}' cannot be an organization's name`);
    return name;
  };

  const sandboxState = join(resolveStateDirectory(host), 'sandbox', 'state.sqlite');
  const openSandbox: Context['openSandbox'] = async (sandboxOptions) => {
    const sandboxes = await import('./sandbox/sandbox.ts');
    return sandboxes.openSandbox({
      state: sandboxState,
      now: host.now,
      randomBytes: host.randomBytes,
      ...sandboxOptions,
    });
  };

  /** Where the service is and who calls it: the embedded one, or the one the settings name. */
  const connect = once(async (): Promise<{ baseUrl: URL; token: string | undefined }> => {
    if (options.sandbox === true) {
      const sandbox = await openSandbox({ log: (line) => reporter.note(line) });
      closers.push(() => sandbox.close());
      const { serveSandbox } = await import('./sandbox/server.ts');
      const server = await serveSandbox(sandbox, { port: 0, listen: '127.0.0.1' });
      closers.push(() => server.close());
      const caller = options.as ?? 'owner';
      reporter.note(`sandbox: a make-believe service, called as ${caller}; its state is in ${sandbox.info().state}`);
      return { baseUrl: new URL(server.url), token: chooseSandboxToken(sandbox, caller, organization) };
    }
    const baseUrl = settings['base-url'].value;
    const choice = resolveToken({ baseUrl, env: host.env, credentials: store.readCredentials() });
    if (!choice.found) {
      throw new OrgctlError('not-authenticated', `no token for ${new URL(baseUrl).origin}`, {
        reasons: choice.reasons,
        hint: `Set ORGCTL_TOKEN, or store one in ${store.credentialsPath}. To try orgctl without an account, add --sandbox.`,
      });
    }
    return { baseUrl: new URL(baseUrl), token: choice.value };
  });

  const service = once(async (): Promise<Service> => {
    const [{ createService }, { baseUrl, token }] = await Promise.all([import('./service/service.ts'), connect()]);
    if (token !== undefined) secrets.push(token);
    if (settings['insecure-skip-tls-verify'].value) {
      reporter.warn(
        'TLS certificates are not checked: whoever is in between can read the token and change the answers',
      );
    }
    const created = createService({
      baseUrl,
      token,
      userAgent: `orgctl/${version}`,
      extraCertificates: readCertificates(settings['ca-file'].value),
      skipVerification: settings['insecure-skip-tls-verify'].value,
      allowHttp: settings['allow-http'].value,
      proxies: resolveProxies(host.env),
      dryRun,
      readOnly: settings['read-only'].value,
      onPlanned: reporter.planned,
      onExchange: reporter.exchange,
      signal: stop.signal,
      timeout: settings.timeout.value,
      mintTimeout: settings.timeout.source === BUILT_IN ? MINT_TIMEOUT : settings.timeout.value,
      maxRetries: settings['max-retries'].value,
      now: host.now,
      random: host.random,
      sleep: host.sleep,
      warn: reporter.warn,
    });
    closers.push(() => created.close());
    return created;
  });

  return {
    host,
    reporter,
    settings,
    store,
    stop,
    dryRun,
    mayAsk: asks,
    explicitFormat,
    optionGiven: (name) => options[name] !== undefined,
    organization,
    serviceHost: () => new URL(settings['base-url'].value).host,
    organizationStateDirectory: () =>
      organizationStateDirectory(
        resolveStateDirectory(host),
        options.sandbox === true ? 'sandbox' : new URL(settings['base-url'].value).origin,
        organization(),
      ),
    output,
    service,
    sandboxState,
    openSandbox,
    async list(view, reading) {
      await (await output()).list(view, reading);
      const shortfall = reading.shortfall();
      if (shortfall !== undefined) throw shortfall;
    },
    async records(view, records) {
      const page = { items: records, included: [], document: { data: records } };
      await (await output()).list(view, {
        async *stream() {
          yield page;
        },
        collect: async () => [page],
      });
    },
    note: reporter.note,
    warn: reporter.warn,
    async confirm(confirmation) {
      if (dryRun) return;
      await confirm(host, confirmation, { yes: options.yes === true, mayAsk: asks, signal: stop.signal });
    },
    localTime: (instant) => createTimeTeller(host.now())(instant),
    uniqueName: () => Buffer.from(host.randomBytes(8)).toString('hex'),
    async close() {
      for (const close of closers.reverse()) await close();
    },
  };
}

function checkOptions(options: GlobalOptions): void {
  const other = options.baseUrl !== undefined ? '--base-url' : options.host !== undefined ? '--host' : undefined;
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

function chooseSandboxToken(sandbox: Sandbox, caller: CallerKind, organization: () => string): string | undefined {
  if (caller === 'none') return undefined;
  const token = sandbox.tokenFor(caller, organization());
  if (token !== undefined) return token;
  throw new UsageError(`the sandbox has no ${caller} for ${organization()}`, {
    reasons: [
      `organizations there: ${sandbox
        .info()
        .organizations.map(({ name }) => name)
        .join(', ')}`,
    ],
    hint:
      caller === 'audit-token'
        ? 'Make its audit trail token first: orgctl --sandbox audit-token generate --yes'
        : 'Name one of these with --org.',
  });
}

function readCertificates(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`the certificate file ${path} cannot be read`, {
      reasons: [error instanceof Error ? error.message : String(error)],
      hint: 'Check the path given with --ca-file or ORGCTL_CA_FILE.',
      cause: error,
    });
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----')) {
    throw new UsageError(`${path} holds no certificate in PEM form`, {
      hint: 'It should hold -----BEGIN CERTIFICATE-----.',
    });
  }
  return text;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
