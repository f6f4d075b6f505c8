import { UsageError } from '../errors.ts';
import { readPemPair } from '../files/pem-pair.ts';
import { createUnreadable, readFile } from '../files/read-file.ts';
import type { Host } from '../host.ts';
import type { Onlooker, PlannedWrite, WriteLog } from '../service/http.ts';
import { createService, type Service } from '../service/service.ts';
import { DEFAULTS } from '../settings/defaults.ts';
import { readVariable } from '../settings/environment.ts';
import { CONFIG_FILE } from '../settings/profile.ts';
import { BUILT_IN, LOG_FILE, resolveProxies, type Settings } from '../settings/resolve-settings.ts';
import type { Reporter } from '../stderr/reporter.ts';
import { parseWait } from '../when.ts';

/** Where the service is, and the token that belongs to it; undefined to call without one. */
export interface Target {
  readonly baseUrl: URL;
  readonly token: string | undefined;
  /** Where the token came from, and the profile that was named. */
  readonly source?: string;
}

interface ConnectionOptions {
  readonly host: Host;
  readonly settings: Settings;
  readonly version: string;
  readonly target: Target;
  readonly dryRun: boolean;
  readonly onPlanned: (write: PlannedWrite) => void;
  readonly onWrite: () => void;
  readonly reporter: Reporter;
  readonly waiting: Onlooker;
  readonly signal: AbortSignal;
}

/** Exchanges after which a run is a long one, and what it keeps at a time matters more than how fast it starts. */
const MANY = 4;

/** The service, spoken to as the settings say. Throws UsageError for a certificate file that cannot be used. */
export async function connect(options: ConnectionOptions): Promise<Service> {
  const { host, settings, version, target, dryRun, onPlanned, onWrite, reporter, waiting, signal } = options;
  reporter.secrets.hide(target.token);
  let exchanges = 0;
  return createService({
    ...target,
    userAgent: `orgctl/${version}`,
    extraCertificates: readCertificates(settings['ca-file']),
    certificatesFrom: describeAuthority(settings['ca-file']),
    clientCertificate: await readPemPair(
      { path: settings['client-cert'].value, option: '--client-cert' },
      { path: settings['client-key'].value, option: '--client-key' },
      { isPrivate: true },
    ),
    skipVerification: settings['insecure-skip-tls-verify'].value,
    allowHttp: settings['allow-http'].value,
    proxies: resolveProxies(host.env),
    writeLog: await openWriteLog(options),
    dryRun,
    readOnly: settings['read-only'].value ? settings['read-only'].source : undefined,
    onPlanned,
    onWrite,
    onlooker: waiting,
    onExchange(exchange) {
      exchanges += 1;
      if (exchanges === MANY) void host.keepMemoryLow();
      reporter.exchange(exchange);
    },
    signal,
    timeout: settings.timeout.value,
    creationTimeout:
      settings.timeout.source === BUILT_IN ? parseWait(DEFAULTS.creationTimeout, 'timeout') : settings.timeout.value,
    maxRetries: settings['max-retries'].value,
    now: host.now,
    random: host.random,
    sleep: host.sleep,
    warn: warnOnce(reporter.warn),
  });
}

/** Undefined where none is named. */
async function openWriteLog({ host, target, reporter }: ConnectionOptions): Promise<WriteLog | undefined> {
  const path = readVariable(host.env, LOG_FILE);
  if (path === undefined) return undefined;
  const [{ createWriteLog }, { describeToken }] = await Promise.all([
    import('../service/write-log.ts'),
    import('../secrets/fingerprint.ts'),
  ]);
  const { token, source } = target;
  const who = {
    user: host.userName ?? null,
    host: host.machineName,
    pid: host.pid,
    // The name is not that of a secret: then the fingerprint would be removed.
    fingerprint: token === undefined ? null : (describeToken(token) ?? null),
    ...(source === undefined ? {} : { 'token-source': source }),
  };
  return createWriteLog({
    path,
    source: LOG_FILE,
    who,
    now: host.now,
    createId: () => Buffer.from(host.randomBytes(8)).toString('hex'),
    redact: reporter.secrets.redactValue,
    warn: reporter.warn,
  });
}

/** Says a warning once, even where it is true for each of many lists. */
function warnOnce(warn: (text: string) => void): (text: string) => void {
  const said = new Set<string>();
  return (text) => {
    if (!said.has(text)) warn(text);
    said.add(text);
  };
}

/** What a file is named by that is to be stored. */
const SETTING = 'settings set';

/** Throws UsageError for a file that `--ca-file` would refuse. */
export function checkAuthority(path: string): void {
  readCertificates({ value: path, source: SETTING });
}

function describeAuthority({ value, source }: Settings['ca-file']): string | undefined {
  if (value === undefined) return undefined;
  return `ca-file ${value} (${source === CONFIG_FILE ? `stored in ${CONFIG_FILE}` : `from ${source}`})`;
}

/** Throws UsageError for a file that can't be read, or has no certificate. */
function readCertificates({ value: path, source }: Settings['ca-file']): string | undefined {
  if (path === undefined) return undefined;
  let text: string;
  try {
    text = readFile(path).bytes.toString('utf8');
  } catch (error) {
    throw createUnreadable(
      `the certificate file ${path}`,
      error,
      source === CONFIG_FILE
        ? `It is stored in ${CONFIG_FILE}. Store another one with settings set ca-file <pem>.`
        : `Check the path given with ${source === SETTING ? source : '--ca-file or ORGCTL_CA_FILE'}.`,
    );
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----')) {
    throw new UsageError(`${path} has no certificate in PEM form`, {
      hint: 'It should have a line -----BEGIN CERTIFICATE-----.',
    });
  }
  return text;
}
