import { toReason, UsageError } from '../../errors.ts';
import type { Sink, SinkSurroundings } from './sink.ts';
import { toUndelivered } from './undelivered.ts';

type Surroundings = Pick<SinkSurroundings, 'isStdoutDiscarded' | 'writeStdout' | 'toStdoutText'>;

/** The secret as the result of the command. What is printed for it is the surroundings' choice. */
export function createStdoutSink(name: string, surroundings: Surroundings): Sink {
  const check = async (): Promise<void> => {
    if (!surroundings.isStdoutDiscarded()) return;
    throw new UsageError(`${name}: stdout is closed or goes to the null device, so the new token would be lost`, {
      hint: 'Send the output into a file or to the program that needs the token.',
    });
  };
  const sink: Sink = {
    name,
    kind: 'stdout',
    check,
    temporaries: async () => [],
    async prepare() {
      await check();
      return {
        sink,
        async deliver(secret) {
          await surroundings.writeStdout(surroundings.toStdoutText(secret)).catch((error: unknown) => {
            throw toUndelivered(name, toReason(error), error);
          });
        },
        discard: async () => undefined,
      };
    },
    read: async () => undefined,
  };
  return sink;
}
