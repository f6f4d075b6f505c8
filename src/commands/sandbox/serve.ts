import { defineVerb } from '../../cli/command.ts';
import { collect, type OptionValues, option } from '../../cli/options.ts';
import { openSandboxState } from '../../cli/sandbox.ts';
import type { Session } from '../../cli/session.ts';
import { formatReason, UsageError } from '../../lib/errors.ts';
import { readInput } from '../../lib/input.ts';
import { quoteWord } from '../../lib/text.ts';
import { parseTimeout, parseWholeNumber } from '../../lib/time.ts';
import { type Fault, parseFault } from '../../sandbox/faults.ts';
import { SERVICE_KINDS } from '../../sandbox/kinds.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { serveSandbox } from '../../sandbox/server.ts';
import { findState, SEED_OPTION, STATE_OPTION } from './state.ts';

const TESTS = 'To test a client:';

const OPTIONS = [
  option('--port <n>', 'port to listen on; 0 is any free one', {
    default: '8480',
    parse: (text, name) => parseWholeNumber(text, name, { max: 65_535 }),
  }),
  option('--listen <address>', 'address to listen on', { default: '127.0.0.1' }),
  STATE_OPTION,
  SEED_OPTION,
  option('--latency <duration>', 'time before each answer, such as 50ms', { parse: parseTimeout, group: TESTS }),
  option('--rate-limit <n>', 'requests a second for each caller; 0 is no limit', {
    default: '30',
    group: TESTS,
    parse: (text, name) => parseWholeNumber(text, name, { max: 1_000_000 }),
  }),
  option('--like <kind>', 'rules of the documented API, HCP Terraform or Terraform Enterprise', {
    choices: SERVICE_KINDS,
    default: 'document',
    group: TESTS,
  }),
  option('--document-only', 'answer 404 to every route that the API documentation lacks', { group: TESTS }),
  option('--tls', 'use TLS, with its own certificate for this machine'),
  option('--tls-cert <pem>', 'use TLS with this certificate'),
  option('--tls-key <pem>', 'the private key of --tls-cert'),
  option(
    '--fault <rule>',
    'inject a fault: "<method> <part of the path>: [nth=<n>] <action>", where * matches any, and the action is a status, ' +
      'reset-before, reset-after-commit, delay=<duration>, html[=<status>], truncate, ' +
      'without=<members> or with=<member>:<value>; repeatable',
    { parse: collect, group: TESTS },
  ),
] as const;

type Options = OptionValues<typeof OPTIONS>;

export const verb = defineVerb({
  formats: ['-o json'],
  options: OPTIONS,
  examples: ['sandbox serve --state :memory: --port 0', 'sandbox serve --port 0 --fault "GET teams: nth=1 503"'],
  async run(session, options) {
    const { signal } = session.signals;
    const { port, listen, latency: milliseconds = 0, fault = [] } = options;
    const slow: Fault = { method: '*', words: '*', action: { kind: 'delay', milliseconds } };
    const faults = [...fault.map(parseFault), slow];
    if (listen.trim() === '') throw new UsageError('--listen is empty');
    const sandbox = await openSandbox(session, options);
    try {
      const { tls, caFile } = await readTls(session, sandbox, options);
      const serveOptions = { port, listen, faults, tls, log: session.messages.note };
      const server = await serveSandbox(sandbox, serveOptions).catch((cause: unknown) => {
        const hint = 'Name another with --port or --listen; --port 0 is any free one.';
        throw new UsageError(`can't listen on ${listen} port ${port}: ${formatReason(cause)}`, { hint, cause });
      });
      try {
        const warning = `anyone who can reach ${listen} can use this sandbox: its tokens are public`;
        if (server.isExposed) session.messages.warn(warning);
        await printConnection(session, sandbox, server.url, caFile);
        await new Promise((done) => signal.addEventListener('abort', done, { once: true }));
        signal.throwIfAborted();
      } finally {
        await server.close();
      }
    } finally {
      sandbox.close();
    }
  },
});

async function openSandbox(session: Session, options: Options): Promise<Sandbox> {
  const { like, documentOnly = false, rateLimit, seed } = options;
  if (documentOnly && like !== 'document') throw new UsageError(`use --document-only or --like ${like}, not both`);
  const state = findState(session, options);
  const { runtime, messages } = session;
  const sandbox = await openSandboxState(runtime, { state, like, documentOnly, rateLimit, log: messages.note, seed });
  const storedSeed = sandbox.info().seed;
  if (!seed || storedSeed === seed) return sandbox;
  sandbox.close();
  const hint = `Run orgctl sandbox reset --seed ${seed} --state ${quoteWord(state)}: its data is lost.`;
  throw new UsageError(`the state in ${state} has ${storedSeed} data, not ${seed}`, { hint });
}

/** `caFile`: the certificate that clients have to trust. */
async function readTls(session: Session, sandbox: Sandbox, { tls, tlsCert, tlsKey, listen }: Options) {
  if ((tlsCert === undefined) !== (tlsKey === undefined)) throw new UsageError('--tls-cert and --tls-key go together');
  if (tls && tlsCert !== undefined) throw new UsageError('use --tls or --tls-cert, not both');
  if (tlsCert !== undefined && tlsKey !== undefined) {
    const [cert, key] = [await readInput(session, tlsCert), await readInput(session, tlsKey)];
    return { tls: { cert: cert.text, key: key.text } };
  }
  if (!tls) return {};
  const { key, cert, authorityFile } = await sandbox.createTls(listen);
  return { tls: { key, cert }, caFile: authorityFile };
}

/** Prints the base URL and the tokens, for scripts. */
async function printConnection({ output, messages }: Session, sandbox: Sandbox, url: string, caFile?: string) {
  const tokens = sandbox.tokens();
  if (output.format === 'json') {
    const connection = { 'base-url': url, 'ca-file': caFile, state: sandbox.info().state, tokens };
    return output.text(`${JSON.stringify(connection)}\n`);
  }
  const [org = ''] = sandbox.organizations();
  const width = Math.max(...tokens.map(({ token }) => token?.length ?? 0));
  await output.lines([
    `ORGCTL_BASE_URL=${url}`,
    ...(caFile ? [`ORGCTL_CA_FILE=${caFile}`] : []),
    // Other clients want the address without a path.
    `TFE_ADDRESS=${new URL(url).origin}`,
    `ORGCTL_TOKEN=${sandbox.tokenFor('owner', org)}`,
    `ORGCTL_ORG=${org}`,
    ...tokens.map(({ kind, organization, token }) => {
      if (token === null) return `${' '.repeat(width)}  # ${organization}: created by a request, not shown`;
      return `${token.padEnd(width)}  # ${kind}${organization === undefined ? '' : ` of ${organization}`}`;
    }),
  ]);
  messages.note('Press Ctrl-C to stop.');
}
