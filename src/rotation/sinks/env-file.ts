import { createHash } from 'node:crypto';
import { toReason, UsageError } from '../../errors.ts';
import { toTemporaryPath } from '../../files/durable-file.ts';
import { MEBIBYTE, readWholeFile } from '../../input/read-file.ts';
import { getEnvValue, setEnvValue } from './env-text.ts';
import { checkReplaceable, prepareReplacement } from './replace-file.ts';
import { createSink, type Sink, type SinkSurroundings } from './sink.ts';
import { findTarget, statIfAny, type Target, warnOfReaders } from './target.ts';

// More than a token and what other programs may add meanwhile.
const RESERVED_BYTES = 4_096;
const MOST_BYTES = 16 * MEBIBYTE;
/** Stands in for a secret while there is none. */
const EXAMPLE = 'x';

/** The line of one key in an env file, whose other bytes stay as they are. `path` is absolute. */
export function createEnvFileSink(
  name: string,
  path: string,
  key: string,
  { user, warn }: Pick<SinkSurroundings, 'user' | 'warn'>,
): Sink {
  const find = (): Promise<Target> => findTarget(name, path, user);
  // Two keys of one file are two sinks. The journal takes hexadecimal digits alone.
  const suffix = createHash('sha256').update(key).digest('hex').slice(0, 16);
  const toPlace = (target: Target, unique: string): string => toTemporaryPath(target.path, `${unique}${suffix}`);
  return createSink({
    name,
    kind: 'env-file',
    async check() {
      const target = await find();
      await checkReplaceable(name, target);
      await tryOut(name, target, key);
      warnOfReaders(name, target, warn);
    },
    async temporaries(unique) {
      return [toPlace(await find(), unique)];
    },
    async prepare(unique) {
      const target = await find();
      const size = await tryOut(name, target, key);
      const replacement = await prepareReplacement(name, target, toPlace(target, unique), size + RESERVED_BYTES);
      warnOfReaders(name, target, warn);
      return {
        async deliver(secret) {
          // As it is now: others may have changed it since.
          const text = await readText(target.path);
          await replacement.write(Buffer.from(setEnvValue(text, key, secret), 'latin1'));
        },
        discard: replacement.discard,
      };
    },
    async read() {
      try {
        const value = getEnvValue(await readText((await find()).path), key);
        return value !== undefined && /^[!-~]+$/.test(value) ? value : undefined;
      } catch {
        return undefined;
      }
    },
  });
}

/** The size of the file, in which the key's line can be found. Throws UsageError. */
async function tryOut(name: string, { path }: Target, key: string): Promise<number> {
  try {
    const text = await readText(path);
    setEnvValue(text, key, EXAMPLE);
    return text.length;
  } catch (error) {
    throw new UsageError(`${name}: ${key} cannot be set in ${path}`, {
      reasons: [toReason(error)],
      hint: 'Mend the file, or name another one. It was left as it is.',
      cause: error,
    });
  }
}

/** One byte a character. Empty where there is no file. */
async function readText(path: string): Promise<string> {
  return (await statIfAny(path)) === undefined ? '' : readWholeFile(path, MOST_BYTES).bytes.toString('latin1');
}
