import { join } from 'node:path';
import { findStateFolder } from '../config/folders.ts';
import { copyError, OrgctlError, UsageError } from '../lib/errors.ts';
import type { Runtime } from '../lib/runtime.ts';
import { isSameName, quoteWord } from '../lib/text.ts';
import type { CallerKind } from '../sandbox/callers.ts';
import type { Sandbox, SandboxOptions } from '../sandbox/sandbox.ts';
import { type Endpoint, SANDBOX } from './clients.ts';

export const SANDBOX_ORG = 'acme';

export function findSandboxState(runtime: Runtime): string {
  return join(findStateFolder(runtime), 'sandbox', 'state.sqlite');
}

/** Throws UsageError for a state that can't be used, with code `outdated`, `damaged` or `unusable`. */
export async function openSandboxState(runtime: Runtime, options: Partial<SandboxOptions>): Promise<Sandbox> {
  const { openSandbox } = await import('../sandbox/sandbox.ts');
  const { now, randomBytes } = runtime;
  const { state = findSandboxState(runtime) } = options;
  try {
    return openSandbox({ now, randomBytes, ...options, state });
  } catch (error) {
    if (!(error instanceof UsageError) || error.hint !== undefined) throw error;
    const named = state === findSandboxState(runtime) ? '' : ` --state ${quoteWord(state)}`;
    // A damaged file that the user named may be something else.
    const isForeign = named !== '' && error.code === 'damaged';
    const hint = `Run orgctl sandbox reset${named} to start over.`;
    throw copyError(error, { hint: isForeign ? 'Name another file with --state.' : hint });
  }
}

/** Serves the sandbox on a local port, for one command. An organization's token belongs to the first of `orgs`. */
export function createLocalSandbox(
  runtime: Runtime,
  warn: (text: string) => void,
  as: CallerKind = 'owner',
  orgs = SANDBOX_ORG,
) {
  const opened: { close(): unknown }[] = [];
  return {
    async start(): Promise<Endpoint> {
      const { serveSandbox } = await import('../sandbox/server.ts');
      const sandbox = await openSandboxState(runtime, { log: warn });
      opened.push(sandbox);
      const token = findSandboxToken(sandbox, as, orgs.split(',')[0] ?? '');
      const server = await serveSandbox(sandbox, { port: 0, listen: '127.0.0.1' });
      opened.unshift(server);
      return { name: SANDBOX, baseUrl: new URL(server.url), token };
    },
    async close(): Promise<void> {
      for (const each of opened) await each.close();
    },
  };
}

function findSandboxToken(sandbox: Sandbox, caller: CallerKind, org: string): string | undefined {
  const names = sandbox.organizations();
  const name = names.find((known) => isSameName(known, org));
  if (name === undefined) {
    throw new OrgctlError('not-found', `the sandbox has no organization ${org}`, {
      hint: `It has ${names.join(', ')}.`,
    });
  }
  if (caller === 'none') return undefined;
  const token = sandbox.tokenFor(caller, name);
  if (token !== undefined) return token;
  throw new UsageError(`the sandbox has no ${caller} for ${name}`, {
    hint: 'Run `orgctl audit-token generate` as the owner first.',
  });
}
