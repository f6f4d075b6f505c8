import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { toErrorCode, toReason, UsageError } from '../../errors.ts';
import { collectValues } from '../../input/repeatable.ts';
import { parseWholeNumber } from '../../input/whole-number.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import type { Sandbox, SandboxOptions, ServiceKind } from '../../sandbox/sandbox.ts';
import type { ServeOptions } from '../../sandbox/server.ts';
import { withoutTrailingSlashes } from '../../trailing-slashes.ts';
import { parseWait } from '../../when.ts';
import { addStateOption, asUsageError, readSeed, type StateFlags, toSeedText } from './state.ts';
import { openTls, readTls, type TlsFlags } from './tls.ts';

interface Flags extends StateFlags, TlsFlags {
  readonly port: string;
  readonly listen: string;
  readonly uploadPort: string;
  readonly seed?: string;
  readonly latency?: string;
  readonly rateLimit: string;
  readonly like?: string;
  readonly documentOnly?: boolean;
  readonly publicPrefix?: string;
  readonly fault?: readonly string[];
  readonly allowHost?: readonly string[];
}

type Input = Awaited<ReturnType<typeof toServeInput>>;

const HIGHEST_PORT = 65_535;

const FAULT_RULE =
  'Inject a fault (repeatable): "<method> <part of the path>: [nth=<n> or every=<n>] <action>". Method and path can be *. ' +
  'Actions: 400 to 599, reset-before, reset-after-commit, delay=<duration>, html, truncate';

export function registerServe(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('serve')
    .description('Run the sandbox as a server until you stop it')
    .option('--port <n>', 'Port to listen on, 0 for any free one (default 8480)', '8480')
    .option('--listen <address>', 'Address to listen on (default 127.0.0.1)', '127.0.0.1')
    .option('--upload-port <n>', "Port for the files of providers, beside the API's (default any free one)", '0')
    .option('--tls', 'Speak TLS, with a certificate of its own for this machine, which is kept and used again')
    .option('--tls-cert <pem>', 'Speak TLS with this certificate, followed by those that signed it')
    .option('--tls-key <pem>', 'The private key of --tls-cert')
    .option('--allow-host <name>', 'Answer to this host name besides localhost (repeatable)', collectValues)
    .option('--seed <seed>', 'Data for a new state: demo, empty or members=<n> (default demo)')
    .option('--latency <duration>', 'Wait before each answer, such as 50ms (default none)')
    .option('--rate-limit <n>', 'Requests a second for each caller, 0 for no limit (default 30)', '30')
    .option('--like <kind>', 'Rules of the document, hosted (as the real service is), or enterprise (default document)')
    .option('--document-only', "Answer 404 to every route outside the service's document")
    .option('--public-prefix <path>', 'Path of the public registry, as the discovery document names it')
    .option('--fault <rule>', FAULT_RULE, collectValues);
  addDocumentation(addStateOption(verb), {
    examples: [
      'orgctl sandbox serve --state :memory: --port 0',
      'orgctl sandbox serve --port 0 --fault "GET organization-memberships: every=3 503"',
      'orgctl sandbox serve --port 0 --fault "POST authentication-token: nth=1 reset-after-commit"',
    ],
  }).action(async (flags: Flags) => serve(open(verb), await toServeInput(flags)));
}

async function toServeInput(flags: Flags) {
  const { parseFault } = await import('../../sandbox/faults.ts');
  // To the system it would mean every address there is.
  if (flags.listen === '') {
    throw new UsageError('--listen is empty', { hint: 'Give an address to listen on, such as 127.0.0.1.' });
  }
  const { listen, state, documentOnly = false, allowHost: allowHosts = [] } = flags;
  const port = parseWholeNumber(flags.port, { name: '--port', to: HIGHEST_PORT, hint: 'For example: --port 8480' });
  const filePort = parseWholeNumber(flags.uploadPort, {
    name: '--upload-port',
    to: HIGHEST_PORT,
    hint: 'For example: --upload-port 8481',
  });
  if (filePort === port && port !== 0) {
    throw new UsageError(`--port and --upload-port are both ${port}`, {
      hint: 'Leave --upload-port out for any free one.',
    });
  }
  const tls = await readTls(flags);
  const seed = await readSeed(flags.seed);
  const like = await readKind(flags);
  const latencyMs = flags.latency === undefined ? 0 : parseWait(flags.latency, '--latency');
  const rateLimit = parseWholeNumber(flags.rateLimit, { name: '--rate-limit', hint: 'For example: --rate-limit 30' });
  const publicPrefix = flags.publicPrefix === undefined ? undefined : parsePrefix(flags.publicPrefix);
  const faults = await asUsageError(() => (flags.fault ?? []).map(parseFault));
  return {
    sandbox: {
      ...(state === undefined ? {} : { state }),
      ...(seed === undefined ? {} : { seed }),
      rateLimit,
      like,
      documentOnly,
      ...(publicPrefix === undefined ? {} : { publicPrefix }),
    },
    server: { port, filePort, listen, latencyMs, faults, allowHosts },
    tls,
  };
}

async function readKind({ like = 'document', documentOnly = false }: Flags): Promise<ServiceKind> {
  const { SERVICE_KINDS } = await import('../../sandbox/sandbox.ts');
  const kind = SERVICE_KINDS.find((known) => known === like);
  if (kind === undefined) {
    throw new UsageError(`unknown kind of service: ${like}`, { hint: `It takes ${SERVICE_KINDS.join(', ')}.` });
  }
  if (documentOnly && kind !== 'document') {
    throw new UsageError(`use --document-only or --like ${kind}, not both`, {
      hint: "--document-only goes with the document's rules.",
    });
  }
  return kind;
}

function parsePrefix(text: string): string {
  const path = withoutTrailingSlashes(text);
  const [before, ...segments] = path.split('/');
  const [first, second] = segments;
  const isPath = before === '' && first !== undefined && segments.every((segment) => /^[\w-][\w.-]*$/.test(segment));
  const isTaken = first === 'sandbox' || (first === 'api' && second === 'v2');
  if (isPath && !isTaken) return path;
  throw new UsageError(`--public-prefix must be a path outside /api/v2 and /sandbox, not '${text}'`, {
    hint: 'For example: --public-prefix /api/registry/public/v2',
  });
}

async function serve(context: Context, input: Input): Promise<void> {
  const { screen, services, places } = context;
  const log = screen.note;
  const sandbox = await services.openSandbox({ ...input.sandbox, log });
  try {
    refuseOtherSeed(sandbox, input.sandbox);
    const { listen, allowHosts = [] } = input.server;
    const tls = await openTls(sandbox, input.tls, [listen, ...allowHosts]);
    const { serveSandbox } = await import('../../sandbox/server.ts');
    const server = await serveSandbox(sandbox, { ...input.server, ...tls, log }).catch((error: unknown) => {
      throw toListenError(input.server, error);
    });
    try {
      if (server.isExposed) {
        screen.warn(`anyone who can reach ${input.server.listen} can use this sandbox: its tokens are public`);
      }
      await announce(context, sandbox, server.url, tls.authorityFile);
      await places.interrupts.wait().catch((error: unknown) => {
        screen.note('Stopped.');
        throw error;
      });
    } finally {
      await server.close();
    }
  } finally {
    sandbox.close();
  }
}

function toListenError({ listen, port, filePort }: ServeOptions, error: unknown): UsageError {
  const isAddress = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(toErrorCode(error));
  const isForFiles = error instanceof Error && 'port' in error && error.port === filePort && filePort !== port;
  const option = isForFiles ? '--upload-port' : '--port';
  return new UsageError(`can't listen on ${listen} port ${isForFiles ? filePort : port}`, {
    reasons: [toReason(error)],
    hint: isAddress
      ? 'Use an address of this machine with --listen.'
      : `Use another one with ${option}, or ${option} 0 for any free one.`,
    cause: error,
  });
}

function refuseOtherSeed(sandbox: Sandbox, { seed, state: named }: Partial<SandboxOptions>): void {
  if (seed === undefined) return;
  const { seed: present, state } = sandbox.info();
  const wanted = toSeedText(seed);
  if (present === wanted) return;
  throw new UsageError(`the state in ${state} has ${present} data, not ${wanted}`, {
    hint: 'Start over; its data is lost.',
    next: [['orgctl', 'sandbox', 'reset', '--seed', wanted, ...(named === undefined ? [] : ['--state', named])]],
  });
}

/** The base URL and the ready-made tokens: what a script needs, on stdout, as soon as the server listens. */
async function announce(
  { identity, screen }: Context,
  sandbox: Sandbox,
  url: string,
  authorityFile: string | undefined,
): Promise<void> {
  const tokens = sandbox.tokens();
  const authority = authorityFile === undefined ? {} : { 'ca-file': authorityFile };
  if ((await screen.output()).format.forPrograms) {
    await (await screen.output()).raw(
      JSON.stringify({ 'base-url': url, ...authority, state: sandbox.info().state, tokens }),
    );
    return;
  }
  const width = Math.max(...tokens.map(({ token }) => token?.length ?? 0));
  await (await screen.output()).raw(
    [
      `ORGCTL_BASE_URL=${url}`,
      ...(authorityFile === undefined ? [] : [`ORGCTL_CA_FILE=${identity.nextCommand([authorityFile])}`]),
      // As other clients call it, and want it: without a path.
      `TFE_ADDRESS=${new URL(url).origin}`,
      ...tokens.map(({ kind, organization, token }) => {
        if (token === null) return `${' '.repeat(width)}  # ${organization}: made by a request, not shown`;
        return `${token.padEnd(width)}  # ${kind}${organization === undefined ? '' : ` of ${organization}`}`;
      }),
    ].join('\n'),
  );
  screen.note('Press Ctrl-C to stop.');
}
