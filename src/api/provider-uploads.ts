import { ConnectionError, OrgctlError, ServiceError, UsageError } from '../lib/errors.ts';
import type { Client } from './client.ts';
import type { FileBody } from './http.ts';
import type { Call } from './operations.ts';

// The service gives a secret address for each file of a release, maybe on another origin (facts).

const BINARY = 'application/octet-stream';

/** Sends nothing if the service has the file, which `find` asks. `upload` is a secret address, empty once the file is there. */
export async function uploadFile(
  client: Client,
  org: string,
  file: FileBody & { name: string },
  find: () => Promise<{ hasFile: boolean; upload: string } | undefined>,
): Promise<void> {
  const { hasFile = false, upload = '' } = (await find()) ?? {};
  if (hasFile) return;
  const call = await createFileCall(client, 'PUT', org, file.name, upload);
  const findOutcome = async () => (await find())?.hasFile === true && { value: undefined };
  const request = { file, mediaType: BINARY, read: () => undefined, findOutcome, isRepeatable: true };
  await client.write(call, request).catch((error: unknown) => throwFileError(error, call));
}

export async function downloadFile(client: Client, org: string, name: string, link: string): Promise<string> {
  const call = await createFileCall(client, 'GET', org, name, link);
  const reading = client.read(call, { mediaType: BINARY });
  return (await reading.catch((error: unknown) => throwFileError(error, call))).text;
}

/** `link` is empty if the service gave no address. */
async function createFileCall(client: Client, method: 'GET' | 'PUT', org: string, name: string, link: string) {
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
function throwFileError(error: unknown, { action, secretUrl }: { action: string; secretUrl: URL }): never {
  const create = (reason: string): OrgctlError =>
    new OrgctlError('unavailable', `can't ${action}: ${reason}`, { code: 'upload', hint: 'Run it again.' });
  if (error instanceof ServiceError) throw create(`${secretUrl.host} answered ${error.status}`);
  if (error instanceof ConnectionError) throw create(error.message);
  const isPlainHttp = error instanceof UsageError && error.code === 'plain-http';
  throw isPlainHttp ? create(`${secretUrl.origin} uses plain http`) : error;
}
