import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { toErrorCode, toReason, UsageError } from '../../errors.ts';
import { collectValues } from '../../input/repeatable.ts';
import { parseWholeNumber } from '../../input/whole-number.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import type { ServeOptions } from '../../sandbox/server.ts';
import { withoutTrailingSlashes } from '../../trailing-slashes.ts';
import { parseDuration } from '../../when.ts';
import { addExamples } from '../options.ts';
import { addStateOption, asUsageError, readSeed, type StateFlags, toSeedText } from './state.ts';

interface Flags extends StateFlags {
  readonly port: string;
  readonly listen: string;
  readonly seed?: string;
  readonly latency?: string;
  readonly rateLimit: string;
  readonly documentOnly?: boolean;
  readonly publicPrefix?: string;
  readonly fault?: readonly string[];
  readonly allowHost?: readonly string[];
}

type Input = Awaited<ReturnType<typeof toServeInput>>;

const HIGHEST_PORT = 65_535;

export function registerServe(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('serve')
    .description('run the sandbox as a server, until it is stopped')
    .option('--port <n>', 'port to listen on; 0 takes a free one', '8480')
    .option('--listen <address>', 'address to listen on', '127.0.0.1')
    .option('--allow-host <name>', 'a name it may be asked by, besides localhost; may be repeated', collectValues)
    .option('--seed <seed>', 'for a new state: demo (the default), empty, or members=<n>')
    .option('--latency <duration>', 'wait so long before each answer, such as 50ms')
    .option('--rate-limit <n>', 'requests a second for each caller; 0 for no limit', '30')
    .option('--document-only', "answer 404 to every route outside the service's document")
    .option('--public-prefix <path>', 'where the discovery document says that the public registry is')
    .option(
      '--fault <rule>',
      'go wrong on purpose: "POST authentication-token: nth=1 reset-after-commit"; may be repeated',
      collectValues,
    );
  addExamples(addStateOption(verb), {
    'orgctl sandbox serve --state :memory: --port 0': 'a service that forgets everything when it stops',
    'orgctl sandbox serve --state :memory: --port 0 --fault "GET organization-memberships: every=3 503"':
      'every third list of members fails',
  }).action(async (flags: Flags) => serve(open(verb), await toServeInput(flags)));
}

async function toServeInput(flags: Flags) {
  const { parseFault } = await import('../../sandbox/faults.ts');
  // To the system it would mean every address there is.
  if (flags.listen === '') {
    throw new UsageError('--listen is empty', { hint: 'Name an address to listen on, such as 127.0.0.1.' });
  }
  const { listen, state, documentOnly = false, allowHost: allowHosts = [] } = flags;
  const port = parseWholeNumber(flags.port, { name: '--port', to: HIGHEST_PORT, hint: 'For example: --port 8480' });
  const seed = await readSeed(flags.seed);
  const latencyMs = flags.latency === undefined ? 0 : parseDuration(flags.latency, '--latency');
  const rateLimit = parseWholeNumber(flags.rateLimit, { name: '--rate-limit', hint: 'For example: --rate-limit 30' });
  const publicPrefix = flags.publicPrefix === undefined ? undefined : parsePrefix(flags.publicPrefix);
  const faults = await asUsageError(() => (flags.fault ?? []).map(parseFault));
  return {
    sandbox: {
      ...(state === undefined ? {} : { state }),
      ...(seed === undefined ? {} : { seed }),
      rateLimit,
      documentOnly,
      ...(publicPrefix === undefined ? {} : { publicPrefix }),
    },
    server: { port, listen, latencyMs, faults, allowHosts },
  };
}

function parsePrefix(text: string): string {
  const path = withoutTrailingSlashes(text);
  const [before, ...segments] = path.split('/');
  const [first, second] = segments;
  const isPath = before === '' && first !== undefined && segments.every((segment) => /^[\w-][\w.-]*$/.test(segment));
  const isTaken = first === 'sandbox' || (first === 'api' && second === 'v2');
  if (isPath && !isTaken) return path;
  throw new UsageError(`--public-prefix takes a path, not below /api/v2 or /sandbox, and not '${text}'`, {
    hint: 'For example: --public-prefix /api/registry/public/v2',
  });
}

async function serve(context: Context, input: Input): Promise<void> {
  const { screen, services, places } = context;
  const log = screen.note;
  const sandbox = await services.openSandbox({ ...input.sandbox, log });
  try {
    refuseOtherSeed(sandbox, input.sandbox);
    const { serveSandbox } = await import('../../sandbox/server.ts');
    const server = await serveSandbox(sandbox, { ...input.server, log }).catch((error: unknown) => {
      throw toListenError(input.server, error);
    });
    try {
      if (server.isExposed) {
        screen.warn(`other machines can reach the sandbox on ${input.server.listen}, and its tokens are no secret`);
      }
      await announce(context, sandbox, server.url);
      await places.interrupts.wait().catch((error: unknown) => {
        screen.note('stopped');
        throw error;
      });
    } finally {
      await server.close();
    }
  } finally {
    sandbox.close();
  }
}

function toListenError({ listen, port }: ServeOptions, error: unknown): UsageError {
  const isAddress = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(toErrorCode(error));
  return new UsageError(`cannot listen on ${listen} port ${port}`, {
    reasons: [toReason(error)],
    hint: isAddress
      ? 'Name an address of this machine with --listen.'
      : 'Choose another with --port, or --port 0 for any that is free.',
    cause: error,
  });
}

function refuseOtherSeed(sandbox: Sandbox, { seed, state: named }: Partial<SandboxOptions>): void {
  if (seed === undefined) return;
  const { seed: present, state } = sandbox.info();
  const wanted = toSeedText(seed);
  if (present === wanted) return;
  throw new UsageError(`the state in ${state} was seeded with ${present}, not with ${wanted}`, {
    hint: 'Start it afresh; what is in it is lost.',
    next: [['orgctl', 'sandbox', 'reset', '--seed', wanted, ...(named === undefined ? [] : ['--state', named])]],
  });
}

/** The base URL and the ready-made tokens: what a script needs, on stdout, as soon as the server listens. */
async function announce({ screen }: Context, sandbox: Sandbox, url: string): Promise<void> {
  const tokens = sandbox.tokens();
  if ((await screen.output()).format.forPrograms) {
    await (await screen.output()).raw(JSON.stringify({ 'base-url': url, state: sandbox.info().state, tokens }));
    return;
  }
  const width = Math.max(...tokens.map(({ token }) => token?.length ?? 0));
  await (await screen.output()).raw(
    [
      `ORGCTL_BASE_URL=${url}`,
      ...tokens.map(({ kind, organization, token }) => {
        if (token === null) return `${' '.repeat(width)}  # ${organization}: made by a request, not shown`;
        return `${token.padEnd(width)}  # ${kind}${organization === undefined ? '' : ` of ${organization}`}`;
      }),
    ].join('\n'),
  );
  screen.note('stop it with Ctrl-C');
}
