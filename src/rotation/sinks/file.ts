import { toReason } from '../../errors.ts';
import { toTemporaryPath } from '../../files/durable-file.ts';
import { readWholeFile } from '../../input/read-file.ts';
import { checkReplaceable, prepareReplacement } from './replace-file.ts';
import type { Sink, SinkSurroundings } from './sink.ts';
import { findTarget, type Target, warnOfReaders } from './target.ts';
import { toUndelivered } from './undelivered.ts';

// Longer than any token.
const RESERVED_BYTES = 4_096;

/** A file that holds the secret and nothing else, not even a newline. `path` is absolute. */
export function createFileSink(
  name: string,
  path: string,
  { user, warn }: Pick<SinkSurroundings, 'user' | 'warn'>,
): Sink {
  const find = (): Promise<Target> => findTarget(name, path, user);
  const sink: Sink = {
    name,
    kind: 'file',
    async check() {
      const target = await find();
      await checkReplaceable(name, target);
      warnOfReaders(name, target, warn);
    },
    async temporaries(unique) {
      return [toTemporaryPath((await find()).path, unique)];
    },
    async prepare(unique) {
      const target = await find();
      const replacement = await prepareReplacement(name, target, toTemporaryPath(target.path, unique), RESERVED_BYTES);
      warnOfReaders(name, target, warn);
      return {
        sink,
        async deliver(secret) {
          await replacement.write(Buffer.from(secret)).catch((error: unknown) => {
            throw toUndelivered(name, toReason(error), error);
          });
        },
        discard: () => replacement.discard(),
      };
    },
    async read() {
      try {
        const { path: found, stats } = await find();
        if (stats === undefined || stats.size > RESERVED_BYTES) return undefined;
        return toSecret(readWholeFile(found, RESERVED_BYTES).bytes.toString('utf8'));
      } catch {
        return undefined;
      }
    },
  };
  return sink;
}

/** People end files with a newline. What has more in it than one word of ASCII is no token. */
function toSecret(text: string): string | undefined {
  return /^([!-~]+)(?:\r?\n)?$/.exec(text)?.[1];
}
