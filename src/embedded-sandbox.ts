import type { Target } from './connection.ts';
import { UsageError } from './errors.ts';
import type { CallerKind, Sandbox } from './sandbox/sandbox.ts';

/** The sandbox as `--sandbox` uses it: a server inside this process, on a port of this machine, for one command. */
export interface StartedSandbox {
  readonly target: Target;
  close(): Promise<void>;
}

/** Takes the sandbox over: closing closes it too, and so does a failed start. */
export async function startSandbox(from: {
  readonly sandbox: Sandbox;
  readonly caller: CallerKind;
  readonly organization: string;
}): Promise<StartedSandbox> {
  const { sandbox } = from;
  try {
    const token = chooseToken(sandbox, from.caller, from.organization);
    const { serveSandbox } = await import('./sandbox/server.ts');
    const server = await serveSandbox(sandbox, { port: 0, listen: '127.0.0.1' });
    return {
      target: { baseUrl: new URL(server.url), token },
      async close() {
        await server.close();
        sandbox.close();
      },
    };
  } catch (error) {
    sandbox.close();
    throw error;
  }
}

function chooseToken(sandbox: Sandbox, caller: CallerKind, organization: string): string | undefined {
  if (caller === 'none') return undefined;
  const token = sandbox.tokenFor(caller, organization);
  if (token !== undefined) return token;
  throw new UsageError(`the sandbox has no ${caller} for ${organization}`, {
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
