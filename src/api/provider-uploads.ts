import { ConnectionError, OrgctlError, ServiceError, UsageError } from '../lib/errors.ts';
import type { Client } from './client.ts';
import type { FileBody } from './http.ts';
import type { Call } from './operations.ts';

// The files of a release are at addresses that the service gives, maybe on another origin. Each is a secret (facts).

const BYTES = 'application/octet-stream';

interface Place {
  org: string;
  /** The address as the service gave it. Empty if it gave none. */
  link: string;
  /** Of the file. */
  name: string;
}

/**
 * Sends a file once. True if the service has it, undefined in a dry run. Throws OrgctlError without the other server's words,
 * which may hold the address. `isThere` reads whether it arrived.
 */
export async function uploadFile(
  client: Client,
  place: Place,
  file: FileBody,
  isThere: () => Promise<boolean>,
): Promise<true | undefined> {
  const call = await createFileCall(client, 'PUT', place);
  return client
    .write(call, {
      file,
      mediaType: BYTES,
      read: () => true as const,
      look: async () => (await isThere()) && { value: true as const },
    })
    .catch((error: unknown) => {
      throw createFileError(error, call);
    });
}

/** The text of a file that the service has. */
export async function downloadFile(client: Client, place: Place): Promise<string> {
  const call = await createFileCall(client, 'GET', place);
  return client.read(call, { mediaType: BYTES }).then(
    ({ text }) => text,
    (error: unknown) => {
      throw createFileError(error, call);
    },
  );
}

async function createFileCall(client: Client, method: 'GET' | 'PUT', { org, link, name }: Place) {
  const { baseUrl } = await client.connect();
  const what = `${method === 'PUT' ? 'upload' : 'read'} ${name}`;
  if (link === '' || !URL.canParse(link, baseUrl.href)) {
    throw new OrgctlError('unavailable', `can't ${what}: the service gives no address for it`);
  }
  const address = new URL(link, baseUrl);
  return { method, path: `${address.origin}/…`, address, what, org, isAboutOrg: false, query: [] } satisfies Call;
}

function createFileError(error: unknown, { what, address }: { what: string; address: URL }): unknown {
  const fail = (why: string): OrgctlError =>
    new OrgctlError('unavailable', `can't ${what}: ${why}`, { code: 'upload' });
  if (error instanceof ServiceError) return fail(`${address.host} answered ${error.status}`);
  if (error instanceof ConnectionError) return fail(error.message);
  const isPlainHttp = error instanceof UsageError && error.code === 'plain-http';
  return isPlainHttp ? fail(`${address.origin} uses plain http`) : error;
}
