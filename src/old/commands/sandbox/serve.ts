import { SERVICE_KINDS, type ServiceKind } from '../../../sandbox/kinds.ts';
import type { Sandbox, SandboxOptions } from '../../../sandbox/sandbox.ts';
import type { ServeOptions } from '../../../sandbox/server.ts';
import type { Context } from '../../context/context.ts';
import { toErrorCode, toReason, UsageError } from '../../errors.ts';
import { parseWait } from '../../when.ts';
import { count } from '../options.ts';
import { filled, flag, repeated, text, type Values, valued } from '../param.ts';
import { verb } from '../verb.ts';
import { asUsageError, readSeed, SEEDS, STATE, toSeedText } from './state.ts';
import { openTls, readTls, TLS } from './tls.ts';

const HIGHEST_PORT = 65_535;

const FAULT_RULE =
  'Inject a fault (repeatable): "<method> <part of the path>: [nth=<n>] <action>". Method and path can be *. ' +
  'Actions: 400 to 599, reset-before, reset-after-commit, delay=<duration>, html, truncate';

/** To the system an empty one would mean every address there is. */
const ADDRESS = filled(() => 'Give an address to listen on, such as 127.0.0.1.');

const OPTIONS = {
  port: count('--port <n>', 'Port to listen on, 0 for any free one (default 8480)', {
    from: 0,
    to: HIGHEST_PORT,
    example: 8480,
  }),
  listen: valued('--listen <address>', 'Address to listen on (default 127.0.0.1)', ADDRESS),
  ...TLS,
  seed: text('--seed <seed>', 'Data for a new state: demo, empty or members=<n> (default demo)', { complete: SEEDS }),
  latency: valued('--latency <duration>', 'Wait before each answer, such as 50ms (default none)', parseWait),
  rateLimit: count('--rate-limit <n>', 'Requests a second for each caller, 0 for no limit (default 30)', {
    from: 0,
    example: 30,
  }),
  like: text(
    '--like <kind>',
    'Rules of the document, hosted (as the real service is), or enterprise (default document)',
    { complete: SERVICE_KINDS },
  ),
  documentOnly: flag('--document-only', "Answer 404 to every route outside the service's document"),
  faults: repeated('--fault <rule>', FAULT_RULE),
  ...STATE,
};

type Given = Values<typeof OPTIONS>;
type Input = Awaited<ReturnType<typeof readOptions>>;

export const serve = verb({
  name: 'sandbox serve',
  help: 'Run the sandbox as a server until you stop it',
  effect: 'own',
  options: OPTIONS,
  examples: [
    'orgctl sandbox serve --state :memory: --port 0',
    'orgctl sandbox serve --port 0 --fault "GET organization-memberships: 503"',
    'orgctl sandbox serve --port 0 --fault "POST authentication-token: nth=1 reset-after-commit"',
  ],
  run: async (context, given) => await serveUntilStopped(context, await readOptions(given)),
});

/** Throws UsageError for what the sandbox does not know, and for options that exclude each other. */
async function readOptions(given: Given) {
  const { port = 8480, listen = '127.0.0.1', latency: latencyMs = 0, rateLimit = 30 } = given;
  const { state, documentOnly } = given;
  const tls = await readTls(given);
  const seed = await readSeed(given.seed);
  const like = await readKind(given);
  const { parseFault } = await import('../../../sandbox/faults.ts');
  const faults = await asUsageError(() => given.faults.map(parseFault));
  return {
    sandbox: {
      ...(state === undefined ? {} : { state }),
      ...(seed === undefined ? {} : { seed }),
      rateLimit,
      like,
      documentOnly,
    },
    server: { port, listen, latencyMs, faults },
    tls,
  };
}

async function readKind({ like = 'document', documentOnly }: Given): Promise<ServiceKind> {
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

async function serveUntilStopped(context: Context, input: Input): Promise<void> {
  const { screen, services, places } = context;
  const log = screen.note;
  const sandbox = await services.openSandbox({ ...input.sandbox, log });
  try {
    refuseOtherSeed(sandbox, input.sandbox);
    const tls = await openTls(sandbox, input.tls, input.server.listen);
    const { serveSandbox } = await import('../../../sandbox/server.ts');
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

const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another program listens there.',
  EACCES: "You don't have permission: ports below 1024 are for the administrator of the machine.",
};

function toListenError({ listen, port }: ServeOptions, error: unknown): UsageError {
  const isAddress = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(toErrorCode(error));
  return new UsageError(`can't listen on ${listen} port ${port}`, {
    reasons: [LISTEN_FAULTS[toErrorCode(error)] ?? toReason(error)],
    hint: isAddress
      ? 'Use an address of this machine with --listen.'
      : 'Use another one with --port, or --port 0 for any free one.',
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
