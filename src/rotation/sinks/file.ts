import { toTemporaryPath } from '../../files/durable-file.ts';
import { readWholeFile } from '../../input/read-file.ts';
import { checkReplaceable, prepareReplacement } from './replace-file.ts';
import { createSink, type Sink, type SinkSurroundings } from './sink.ts';
import { findTarget, type Target, warnOfReaders } from './target.ts';

// Longer than any token.
const RESERVED_BYTES = 4_096;

/** A file that holds the secret and nothing else, not even a newline. `path` is absolute. */
export function createFileSink(
  name: string,
  path: string,
  { user, warn }: Pick<SinkSurroundings, 'user' | 'warn'>,
): Sink {
  const find = (): Promise<Target> => findTarget(name, path, user);
  return createSink({
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
      const temporary = toTemporaryPath(target.path, unique);
      const { write, discard } = await prepareReplacement(name, target, temporary, RESERVED_BYTES);
      warnOfReaders(name, target, warn);
      return { deliver: (secret) => write(Buffer.from(secret)), discard };
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
  });
}

/** Editors end files with a newline. More than one word of ASCII is no token. */
function toSecret(text: string): string | undefined {
  return /^([!-~]+)(?:\r?\n)?$/.exec(text)?.[1];
}
