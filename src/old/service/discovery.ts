import { ConnectionError, ServiceError } from '../errors.ts';
import { getMember } from '../json-object.ts';
import { withoutTrailingSlashes } from '../trailing-slashes.ts';
import type { Client } from './client.ts';
import { parseJson } from './problem.ts';

interface Registry {
  /** Its name in the discovery document. */
  readonly name: string;
  /** Its prefix where the discovery document has none. */
  readonly usual: string;
}

/** Where a registry is at the service's origin: a path without a slash at its end. */
export async function findPrefix(
  client: Client,
  baseUrl: URL,
  { name, usual }: Registry,
  warn: (text: string) => void,
): Promise<string> {
  const document = await client.read({ operation: 'discover', maxRetries: 0 }).then(
    (answer) => parseJson(answer.text),
    (error: unknown) => {
      if (error instanceof ServiceError || error instanceof ConnectionError) return undefined;
      throw error;
    },
  );
  const found = getMember(document, name);
  if (typeof found !== 'string' || !URL.canParse(found, baseUrl.origin)) return usual;
  const url = new URL(found, baseUrl.origin);
  if (url.origin === baseUrl.origin) return withoutTrailingSlashes(url.pathname);
  const which = name.startsWith('public') ? 'the public registry' : 'private providers';
  warn(
    `the discovery document names ${url.origin} for ${which}, where your token doesn't belong; asking ${baseUrl.origin}${usual} instead`,
  );
  return usual;
}
