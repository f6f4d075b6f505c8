import { ConnectionError, OrgctlError, ServiceError } from '../errors.ts';
import type { Client } from './client.ts';
import type { FileBody } from './http.ts';

interface UploadNames {
  /** Of the file. */
  readonly name: string;
  /** Completes the sentence "Would …". */
  readonly effect: string;
  readonly organization: string;
}

/** In a dry run, in which the service gave none. */
const NO_ADDRESS = new URL('upload:none');

/** Files at addresses that the service gives, on whatever server. Each address is a secret, and the token stays at home. */
export function createUploads(client: Client, baseUrl: URL) {
  const parse = (link: string, file: string): URL => {
    const url = URL.canParse(link, baseUrl.href) ? new URL(link, baseUrl.href) : undefined;
    if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
    throw new OrgctlError('unavailable', `the service gave no address that ${file} can be sent to`, {
      code: 'not-the-service',
      hint: 'Check the base URL, and any proxy in between.',
    });
  };
  return {
    /**
     * Sends it once. False in a dry run. Throws OrgctlError for any end but 200: whether it arrived, only the service says.
     * `link`: undefined in a dry run.
     */
    async put(link: string | undefined, { name, effect, organization }: UploadNames, file: FileBody): Promise<boolean> {
      const address = link === undefined ? NO_ADDRESS : parse(link, name);
      const written = await client
        .write({
          operation: 'upload-file',
          address,
          parameters: { file: name },
          organization,
          effect,
          file,
          maxRetries: 0,
          read({ status }) {
            if (status !== 200) throw toRefused(name, address, status);
            return true;
          },
        })
        .catch((error: unknown) => {
          throw explain(error, name, address);
        });
      return written !== undefined;
    },
    /** A file as text. Throws OrgctlError where it can't be had. */
    async read(link: string, name: string): Promise<string> {
      const address = parse(link, name);
      const call = { operation: 'download-file', address, parameters: { file: name } } as const;
      return await client.read(call).then(
        ({ text }) => text,
        (error: unknown) => {
          throw error instanceof ServiceError ? toRefused(name, address, error.status) : error;
        },
      );
    },
  };
}

/** Parts of words have fewer characters. */
const SHORTEST_PART = 16;

/**
 * The parts of an address that make it a secret. Its server is no secret, and neither is the beginning that all
 * addresses share.
 */
export function findSecretParts(link: string): readonly string[] {
  const { pathname, searchParams } = new URL(link, 'http://localhost');
  const values = [...searchParams.values()];
  const parts = values.length > 0 ? values : pathname.split('/').slice(-1);
  return parts.filter((part) => part.length >= SHORTEST_PART);
}

/** The other server's words may hold the address. */
function toRefused(name: string, { host }: URL, status: number): OrgctlError {
  return new OrgctlError('unavailable', `${host} answered ${status} for ${name}`, {
    code: 'upload',
    hint: 'Run the same command again: it uploads what is missing.',
  });
}

function explain(error: unknown, name: string, address: URL): unknown {
  const problem = error instanceof OrgctlError && error.exit === 'outcome-unknown' ? (error.cause ?? error) : error;
  if (problem instanceof ServiceError) return toRefused(name, address, problem.status);
  const isPlain = problem instanceof OrgctlError && problem.code === 'plain-http';
  if (!(problem instanceof ConnectionError || isPlain)) return problem;
  const { code, message, reasons, hint = '' } = problem;
  return new OrgctlError('unavailable', `can't upload ${name}: ${message}`, { code, reasons, hint });
}
