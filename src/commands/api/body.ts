import { UsageError } from '../../errors.ts';
import type { Host } from '../../host.ts';
import { MEBIBYTE } from '../../input/read-file.ts';
import { readInput } from '../../input/read-input.ts';

const LARGEST_BODY = 64 * MEBIBYTE;

/** The text of a body, from a file or, for `-`, from stdin. Throws UsageError for one that cannot be read or is no JSON. */
export async function readBody(path: string, host: Host, signal: AbortSignal): Promise<string> {
  const source = { option: '--input', path, most: LARGEST_BODY, hint: 'Send less at a time.' };
  const { bytes, name } = await readInput(host, signal, source);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    JSON.parse(text);
    return text;
  } catch (error) {
    // The parser's own words repeat part of the text, which may hold a secret.
    throw new UsageError(`what --input reads from ${name} is not JSON`, {
      ...(bytes.length === 0 ? { reasons: ['it is empty'] } : {}),
      hint: 'The service takes JSON only, most of it like {"data": {"type": …, "attributes": {…}}}.',
      cause: error,
    });
  }
}
