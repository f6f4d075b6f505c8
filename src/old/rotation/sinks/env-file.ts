import { createHash } from 'node:crypto';
import { toReason, UsageError } from '../../errors.ts';
import { readFileIfAny } from '../../files/read-file.ts';
import type { Target } from '../../files/target.ts';
import { getEnvValue, setEnvValue } from './env-text.ts';
import { createReplacedFileSink } from './file.ts';
import type { Sink, SinkSurroundings } from './sink.ts';

const EXAMPLE = 'x';

/** The line of one key in an env file, whose other bytes stay as they are. `path` is absolute. */
export function createEnvFileSink(
  name: string,
  path: string,
  key: string,
  surroundings: Pick<SinkSurroundings, 'user' | 'warn'>,
): Sink {
  return createReplacedFileSink(
    {
      name,
      kind: 'env-file',
      file: { path, key },
      suffix: createHash('sha256').update(key).digest('hex').slice(0, 16),
      measure: (target) => tryOut(name, target, key),
      // Others may have changed the file since it was measured.
      render: async (target, secret) => Buffer.from(setEnvValue(readText(target), key, secret), 'latin1'),
      async find(target) {
        const value = getEnvValue(readText(target), key);
        return value !== undefined && /^[!-~]+$/.test(value) ? value : undefined;
      },
    },
    surroundings,
  );
}

/** The size of the file, in which the key's line can be found. Throws UsageError. */
async function tryOut(name: string, target: Target, key: string): Promise<number> {
  try {
    const text = readText(target);
    setEnvValue(text, key, EXAMPLE);
    return text.length;
  } catch (error) {
    throw new UsageError(`${name}: can't set ${key} in ${target.path}`, {
      reasons: [toReason(error)],
      hint: 'Fix the file, or name another one. It was not changed.',
      cause: error,
    });
  }
}

/** One byte a character. Empty where there is no file. */
function readText({ path }: Target): string {
  return readFileIfAny(path)?.bytes.toString('latin1') ?? '';
}
