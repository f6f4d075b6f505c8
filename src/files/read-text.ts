import { UsageError } from '../errors.ts';
import type { Host } from '../host.ts';
import { MEBIBYTE } from './read-file.ts';
import { type Input, readInput } from './read-input.ts';

/** What reads files that are named on the command line. */
export interface FileReader {
  readonly host: Host;
  readonly signal: AbortSignal;
  note(text: string): void;
}

const LARGEST_FILE = 64 * MEBIBYTE;

interface TextLimits {
  readonly option?: string;
  /** Bytes. */
  readonly most?: number;
  readonly hint?: string;
}

/** A whole file, or stdin for `-`, and what messages call it. Throws UsageError for what cannot be read as text. */
export async function readText(
  { host, signal }: Pick<FileReader, 'host' | 'signal'>,
  path: string,
  { option = '--file', most = LARGEST_FILE, hint = 'Split it into several files.' }: TextLimits = {},
): Promise<{ readonly text: string } & Pick<Input, 'name' | 'isFile'>> {
  const { bytes, ...input } = await readInput(host, signal, { option, path, most, hint });
  return { text: decode(bytes, input.name), ...input };
}

function decode(bytes: Buffer, name: string): string {
  try {
    // It leaves out a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new UsageError(`${name} is not UTF-8 text`, {
      hint: 'Save it as UTF-8: spreadsheets call it CSV UTF-8.',
      cause: error,
    });
  }
}
