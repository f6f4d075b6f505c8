import { readFile } from '../../files/read-file.ts';
import { toTemporaryPath } from '../../files/replace-file.ts';
import { checkReplaceable, prepareReplacement } from '../../files/replace-target.ts';
import { findTarget, type Target, warnOfReaders } from '../../files/target.ts';
import { createSink, type Sink, type SinkSurroundings } from './sink.ts';

// Longer than any token, and than what other programs add meanwhile.
const RESERVED_BYTES = 4_096;

/** What differs between files that hold the secret alone and those that hold it among other text. */
interface FileContent extends Required<Pick<Sink, 'name' | 'kind' | 'file'>> {
  /** Hexadecimal digits that differ between two sinks on one file. */
  readonly suffix: string;
  /** The size of what is there and stays. Throws UsageError where the secret has no place in it. */
  measure(target: Target): Promise<number>;
  /** The next content. Throws where it cannot be made. */
  render(target: Target, secret: string): Promise<Buffer>;
  /** The secret that is there; undefined where there is none. May throw. */
  find(target: Target): Promise<string | undefined>;
}

export function createReplacedFileSink(
  { name, kind, file, suffix, measure, render, find }: FileContent,
  { user, warn }: Pick<SinkSurroundings, 'user' | 'warn'>,
): Sink {
  const findFile = (): Promise<Target> => findTarget(name, file.path, user);
  const toTemporary = (target: Target, unique: string): string => toTemporaryPath(target.path, `${unique}${suffix}`);
  return createSink({
    name,
    kind,
    file,
    async check() {
      const target = await findFile();
      await checkReplaceable(name, target);
      await measure(target);
      warnOfReaders(name, target, warn);
    },
    async temporaries(unique) {
      return [toTemporary(await findFile(), unique)];
    },
    async prepare(unique) {
      const target = await findFile();
      const size = (await measure(target)) + RESERVED_BYTES;
      const { write, discard } = await prepareReplacement(name, target, toTemporary(target, unique), size);
      warnOfReaders(name, target, warn);
      return { deliver: async (secret) => write(await render(target, secret)), discard };
    },
    async read() {
      try {
        return await find(await findFile());
      } catch {
        return undefined;
      }
    },
  });
}

/** A file that holds the secret and nothing else, not even a newline. `path` is absolute. */
export function createFileSink(
  name: string,
  path: string,
  surroundings: Pick<SinkSurroundings, 'user' | 'warn'>,
): Sink {
  return createReplacedFileSink(
    {
      name,
      kind: 'file',
      file: { path },
      suffix: '',
      measure: async () => 0,
      render: async (_target, secret) => Buffer.from(secret),
      async find({ path: found, stats }) {
        if (stats === undefined || stats.size > RESERVED_BYTES) return undefined;
        // Editors end files with a newline. More than one word of ASCII is no token.
        return /^([!-~]+)(?:\r?\n)?$/.exec(readFile(found, { most: RESERVED_BYTES }).bytes.toString('utf8'))?.[1];
      },
    },
    surroundings,
  );
}
