import { ServiceError, UsageError } from '../errors.ts';
import { isObject } from '../json-object.ts';
import { type Client, readObject } from './client.ts';
import { toUnreadableError } from './problem.ts';

/** What a server of the sandbox does besides being the service. At the origin, in plain JSON, without a token. */
export interface SandboxServer {
  /** The memberships that came of it; undefined in a dry run. Throws UsageError where no sandbox answers. */
  accept(email: string, organization: string | undefined): Promise<readonly object[] | undefined>;
}

export function createSandboxServer(client: Client, baseUrl: URL): SandboxServer {
  return {
    async accept(email, organization) {
      const written = await client
        .write({
          operation: 'accept-invitation',
          parameters: { email },
          body: { email, ...(organization === undefined ? {} : { organization }) },
          read(answer) {
            const { accepted } = readObject(answer);
            if (Array.isArray(accepted) && accepted.every(isObject)) return accepted;
            throw toUnreadableError(answer, 'the body holds no list of memberships');
          },
        })
        .catch((error: unknown) => {
          throw error instanceof ServiceError && error.status === 404 ? toNoSandboxError(baseUrl) : error;
        });
      return written?.value;
    },
  };
}

function toNoSandboxError(baseUrl: URL): UsageError {
  return new UsageError(`${baseUrl.origin} is not a sandbox, or one that cannot do this yet`, {
    hint: 'Name the base URL that sandbox serve has printed. On a real service only the invited person can accept.',
  });
}
