import { ConnectionError, OrgctlError, ServiceError, UsageError } from '../lib/errors.ts';
import type { Client } from './client.ts';
import type { FileBody } from './http.ts';
import type { Call } from './operations.ts';

// The service gives a secret address for each file of a release, maybe on another origin (facts).

const BINARY = 'application/octet-stream';

interface RemoteFile {
  org: string;
  /** Empty if the service gave no address. */
  link: string;
  name: string;
}

/** True if the service has the file, undefined in a dry run. `hasArrived` reads whether the service has the file. */
export async function uploadFile(
  client: Client,
  remote: RemoteFile,
  file: FileBody,
  hasArrived: () => Promise<boolean>,
): Promise<true | undefined> {
  const call = await createFileCall(client, 'PUT', remote);
  return client
    .write(call, {
      file,
      mediaType: BINARY,
      read: () => true as const,
      findOutcome: async () => (await hasArrived()) && { value: true as const },
    })
    .catch((error: unknown) => {
      throw createFileError(error, call);
    });
}

export async function downloadFile(client: Client, remote: RemoteFile): Promise<string> {
  const call = await createFileCall(client, 'GET', remote);
  return client.read(call, { mediaType: BINARY }).then(
    ({ text }) => text,
    (error: unknown) => {
      throw createFileError(error, call);
    },
  );
}

async function createFileCall(client: Client, method: 'GET' | 'PUT', { org, link, name }: RemoteFile) {
  const { baseUrl } = await client.connect();
  const action = `${method === 'PUT' ? 'upload' : 'read'} ${name}`;
  if (link === '' || !URL.canParse(link, baseUrl.href)) {
    throw new OrgctlError('unavailable', `can't ${action}: the service gives no address for it`);
  }
  const secretUrl = new URL(link, baseUrl);
  const path = `${secretUrl.origin}/…`;
  return { method, path, secretUrl, action, org, isAboutOrg: false, query: [] } satisfies Call;
}

/** Drops the other server's message, which may hold the secret address. */
function createFileError(error: unknown, { action, secretUrl }: { action: string; secretUrl: URL }): unknown {
  const create = (reason: string): OrgctlError =>
    new OrgctlError('unavailable', `can't ${action}: ${reason}`, { code: 'upload' });
  if (error instanceof ServiceError) return create(`${secretUrl.host} answered ${error.status}`);
  if (error instanceof ConnectionError) return create(error.message);
  const isPlainHttp = error instanceof UsageError && error.code === 'plain-http';
  return isPlainHttp ? create(`${secretUrl.origin} uses plain http`) : error;
}
