import { UsageError } from '../../errors.ts';
import { createSink, type Sink, type SinkSurroundings } from './sink.ts';

type Surroundings = Pick<SinkSurroundings, 'isStdoutDiscarded' | 'writeStdout' | 'toStdoutText'>;

/** The secret as the result of the command. What is printed for it is the surroundings' choice. */
export function createStdoutSink(name: string, surroundings: Surroundings): Sink {
  const check = async (): Promise<void> => {
    if (!surroundings.isStdoutDiscarded()) return;
    throw new UsageError(`${name}: stdout is closed or goes to the null device: the new token would be lost`, {
      hint: 'Redirect the output to a file or to the program that needs the token.',
    });
  };
  return createSink({
    name,
    kind: 'stdout',
    ready: 'stdout is open',
    isLast: true,
    check,
    async prepare() {
      await check();
      return { deliver: (secret) => surroundings.writeStdout(surroundings.toStdoutText(secret)) };
    },
  });
}
