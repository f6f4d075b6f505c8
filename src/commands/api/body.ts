import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { OrgctlError, toReason, UsageError } from '../../errors.ts';
import type { Host } from '../../host.ts';

const STDIN = '-';

/** The text of a body, from a file or, for `-`, from stdin. Throws UsageError for one that cannot be read or is no JSON. */
export async function readBody(
  source: string,
  host: Pick<Host, 'stdin' | 'cwd'>,
  signal: AbortSignal,
): Promise<string> {
  const bytes = source === STDIN ? await readStdin(host, signal) : readFile(resolve(host.cwd, source), source);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    JSON.parse(text);
    return text;
  } catch (error) {
    // The parser's own words repeat part of the text, which may hold a secret.
    throw new UsageError(`what --input reads from ${source === STDIN ? 'stdin' : source} is not JSON`, {
      ...(bytes.length === 0 ? { reasons: ['it is empty'] } : {}),
      hint: 'The service takes JSON only, most of it like {"data": {"type": …, "attributes": {…}}}.',
      cause: error,
    });
  }
}

function readFile(path: string, name: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`the file ${name} cannot be read`, {
      reasons: [toReason(error)],
      hint: 'Check the path given with --input; - reads stdin.',
      cause: error,
    });
  }
}

async function readStdin({ stdin }: Pick<Host, 'stdin'>, signal: AbortSignal): Promise<Uint8Array> {
  if (stdin.isTTY === true) {
    throw new UsageError('--input - reads what is piped in, and nothing is', {
      hint: 'Pipe the body in, or name its file: --input body.json',
    });
  }
  const chunks: Buffer[] = [];
  const onAbort = (): void => void stdin.destroy();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  } catch (error) {
    signal.throwIfAborted();
    throw new OrgctlError('failure', 'stdin cannot be read', {
      reasons: [toReason(error)],
      hint: 'Name the file of the body instead: --input body.json',
      cause: error,
    });
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
  return Buffer.concat(chunks);
}
