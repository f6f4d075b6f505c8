import type { CallerKind, Sandbox, SandboxOptions, SandboxStateError } from '../../sandbox/sandbox.ts';
import { OrgctlError, toReason, UsageError } from '../errors.ts';
import { isSameName } from '../names.ts';
import type { Target } from './connection.ts';

/** The sandbox as `--sandbox` uses it: a server inside this process, on a port of this machine, for one command. */

/** `isUsual`: the state is the one `--sandbox` uses. Throws UsageError for a state that cannot be used. */
export async function openSandboxState(options: SandboxOptions, isUsual: boolean): Promise<Sandbox> {
  const { openSandbox, SandboxStateError } = await import('../../sandbox/sandbox.ts');
  try {
    return openSandbox(options);
  } catch (error) {
    throw error instanceof SandboxStateError ? toUsageError(error, options.state, isUsual) : error;
  }
}

function toUsageError(error: SandboxStateError, state: string, isUsual: boolean): UsageError {
  const { message, reasons, cause, trouble } = error;
  if (trouble === 'outdated' || (trouble === 'damaged' && isUsual)) {
    const next = [['orgctl', 'sandbox', 'reset', ...(isUsual ? [] : ['--state', state])]];
    return new UsageError(message, { code: 'damaged-state', hint: 'Start over; its data is lost.', next, cause });
  }
  if (trouble === 'damaged') {
    return new UsageError(message, { hint: 'Remove the file, or use another with --state.', cause });
  }
  const other = isUsual ? 'ORGCTL_STATE_DIR sets another folder.' : '--state sets another.';
  const hint = `It must be a file in a folder, both of which you can write. ${other}`;
  return new UsageError(message, { reasons: cause === undefined ? reasons : [toReason(cause)], hint, cause });
}

/**
 * Takes the sandbox over: closing closes it too, and so does a failed start. `organizations`: the first that exists is the one
 * whose token is used.
 */
export async function startSandbox(sandbox: Sandbox, caller: CallerKind, organizations: readonly string[]) {
  try {
    const organization = chooseOrganization(sandbox, organizations);
    const token = chooseToken(sandbox, caller, organization);
    const { serveSandbox } = await import('../../sandbox/server.ts');
    const server = await serveSandbox(sandbox, { port: 0, listen: '127.0.0.1' });
    return {
      target: { baseUrl: new URL(server.url), token } satisfies Target,
      async close(): Promise<void> {
        await server.close();
        sandbox.close();
      },
    };
  } catch (error) {
    sandbox.close();
    throw error;
  }
}

function chooseOrganization(sandbox: Sandbox, organizations: readonly string[]): string {
  const names = sandbox.organizations();
  const known = organizations.find((one) => names.some((name) => isSameName(name, one)));
  if (known !== undefined) return known;
  // As where the sandbox is served, and answers 404.
  throw new OrgctlError('not-found', `the sandbox has no organization ${organizations[0]}`, {
    reasons: [`It has: ${names.join(', ')}.`],
    hint: 'Use one of these with --org.',
  });
}

function chooseToken(sandbox: Sandbox, caller: CallerKind, organization: string): string | undefined {
  if (caller === 'none') return undefined;
  const token = sandbox.tokenFor(caller, organization);
  if (token !== undefined) return token;
  // Of every other kind there is one in each organization.
  throw new UsageError(`the sandbox has no ${caller} for ${organization}`, {
    hint: 'Create its audit trail token first.',
    next: [['orgctl', 'audit-token', 'generate', '--as', 'owner']],
  });
}
