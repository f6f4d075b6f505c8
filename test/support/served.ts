import { onTestFinished } from 'vitest';
import type { CallerKind } from '../../src/sandbox/callers.ts';
import { createPlace, type Environment, ORGCTL, type Place, start } from './shipped.ts';

/** The built sandbox as a server of its own, and a new home to call it from. */
export interface Served extends Place {
  /** With `/api/v2`. */
  readonly url: string;
  tokenOf(kind: CallerKind, organization?: string): string;
  /** What a caller needs: the service, its organization acme, and a token. */
  as(kind: CallerKind, organization?: string): Environment;
}

type After = (act: () => Promise<void> | void) => void;

interface Announcement {
  readonly 'base-url': string;
  readonly tokens: readonly { readonly kind: CallerKind; readonly organization?: string; readonly token: string }[];
}

/** A state in memory and a free port, unless the flags say otherwise. Stopped when the test is over. */
export async function serve(flags: readonly string[] = [], after: After = onTestFinished): Promise<Served> {
  const place = createPlace(after);
  const argv = ['sandbox', 'serve', '--state', ':memory:', '--port', '0', '-o', 'json', ...flags];
  const server = start(process.execPath, [ORGCTL, ...argv], { env: place.env });
  after(async () => {
    server.child.kill('SIGTERM');
    await server.ended;
  });
  await server.untilStdout((text) => text.includes('\n'));
  const { 'base-url': url, tokens } = JSON.parse(server.stdout()) as Announcement;
  const tokenOf = (kind: CallerKind, organization = 'acme'): string => {
    const found = tokens.find(
      (token) => token.kind === kind && (token.organization === undefined || token.organization === organization),
    );
    if (found === undefined) throw new Error(`the sandbox announced no ${kind} of ${organization}`);
    return found.token;
  };
  return {
    ...place,
    url,
    tokenOf,
    as: (kind, organization) => ({
      ...place.env,
      ORGCTL_BASE_URL: url,
      ORGCTL_ORG: organization ?? 'acme',
      ORGCTL_TOKEN: tokenOf(kind, organization),
    }),
  };
}
