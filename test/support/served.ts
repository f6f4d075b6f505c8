import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { CallerKind } from '../../src/sandbox/sandbox.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { serveSandbox } from '../../src/sandbox/server.ts';
import type { After } from './scripted.ts';
import { createPlace, type Environment, ORGCTL, type Place, start } from './shipped.ts';

/** The sandbox as a server, and a new home to call it from. */
export interface Served extends Place {
  /** With `/api/v2`. */
  url: string;
  /** What callers have to trust, where it speaks TLS with a certificate of its own. */
  authorityFile: string | undefined;
  tokenOf(kind: CallerKind, organization?: string): string;
  /** What a caller needs: the service, its organization acme, and a token. */
  as(kind: CallerKind, organization?: string): Environment;
}

interface Announcement {
  'base-url': string;
  'ca-file'?: string;
  tokens: {
    kind: CallerKind;
    organization?: string;
    token: string | null;
  }[];
}

/**
 * A state in memory and a free port, unless the flags say otherwise. Stopped when the test is over.
 * With flags it is the built sandbox in a process of its own; without them this process serves, which is faster.
 */
export async function serve(flags: string[] = [], after: After = onTestFinished): Promise<Served> {
  const place = createPlace(after);
  const {
    'base-url': url,
    'ca-file': authorityFile,
    tokens,
  } = flags.length === 0 ? await serveHere(after) : await startServer(flags, place, after);
  const tokenOf = (kind: CallerKind, organization = 'acme'): string => {
    const found = tokens.find(
      (token) => token.kind === kind && (token.organization === undefined || token.organization === organization),
    );
    if (found === undefined || found.token === null)
      throw new Error(`the sandbox announced no ${kind} of ${organization}`);
    return found.token;
  };
  return {
    ...place,
    url,
    authorityFile,
    tokenOf,
    as: (kind, organization) => ({
      ...place.env,
      ORGCTL_BASE_URL: url,
      ...(authorityFile === undefined ? {} : { ORGCTL_CA_FILE: authorityFile }),
      ORGCTL_ORG: organization ?? 'acme',
      ORGCTL_TOKEN: tokenOf(kind, organization),
    }),
  };
}

async function serveHere(after: After): Promise<Announcement> {
  const sandbox = openSandbox({ state: ':memory:', now: Date.now, randomBytes });
  const server = await serveSandbox(sandbox, { port: 0, listen: '127.0.0.1', faults: [] });
  after(async () => {
    await server.close();
    sandbox.close();
  });
  return { 'base-url': server.url, tokens: sandbox.tokens() };
}

async function startServer(flags: string[], { env }: Place, after: After): Promise<Announcement> {
  const argv = ['sandbox', 'serve', '--state', ':memory:', '--port', '0', '-o', 'json', ...flags];
  const server = start(process.execPath, [ORGCTL, ...argv], { env });
  after(async () => {
    server.child.kill('SIGTERM');
    await server.ended;
  });
  await server.untilStdout((text) => text.includes('\n'));
  return JSON.parse(server.stdout()) as Announcement;
}
