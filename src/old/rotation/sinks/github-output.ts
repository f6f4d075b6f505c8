import { toReason, UsageError } from '../../errors.ts';
import { appendEntry, checkAppendable } from '../../files/append.ts';
import { findTarget } from '../../files/target.ts';
import { createSink, type Sink, type SinkSurroundings } from './sink.ts';

type Surroundings = Pick<SinkSurroundings, 'env' | 'randomBytes' | 'writeStderr'>;

/** An output of a GitHub Actions step, masked in the log before it is set. `key` is the output's name. */
export function createGithubOutputSink(name: string, key: string, surroundings: Surroundings): Sink {
  const check = async (): Promise<string> => {
    const path = surroundings.env['GITHUB_OUTPUT'] ?? '';
    if (path === '') {
      throw new UsageError(`${name}: GITHUB_OUTPUT is not set, so this is not a step of a GitHub Actions job`, {
        hint: 'Run it in a step, or deliver the token elsewhere.',
      });
    }
    // In a container the file belongs to the runner's user, and not to the step's.
    const target = await findTarget(name, path, undefined);
    try {
      await checkAppendable(target.path);
    } catch (error) {
      throw new UsageError(`${name}: can't write to ${target.path} (from GITHUB_OUTPUT)`, {
        reasons: [toReason(error)],
        hint: 'In a container, give the user of the step write permission for that file.',
        cause: error,
      });
    }
    return target.path;
  };
  return createSink({
    name,
    kind: 'github-output',
    async check() {
      await check();
    },
    async prepare() {
      const path = await check();
      return {
        async deliver(secret) {
          const delimiter = `orgctl-${Buffer.from(surroundings.randomBytes(16)).toString('hex')}`;
          const entry = toEntry(key, secret, delimiter);
          // From this line on the log hides the secret. It is the one place where orgctl prints it unasked; where that
          // fails, the secret is not delivered.
          await surroundings.writeStderr(`::add-mask::${secret.replaceAll('%', '%25')}\n`);
          await appendEntry(path, entry);
        },
      };
    },
  });
}

function toEntry(key: string, secret: string, delimiter: string): string {
  // A line break would end the mask, and could begin another entry.
  if (!/^[ -~]+$/.test(secret)) throw new Error('the token has characters that are not printable ASCII');
  return `${key}<<${delimiter}\n${secret}\n${delimiter}\n`;
}
