import { findCommand } from '../../subprocess/find-command.ts';
import { COMMAND_LIMITS, type CommandLimits, runCommand } from '../../subprocess/run-command.ts';
import { splitWords } from '../../subprocess/split-words.ts';
import { createSink, createUndelivered, fillPlace, type Sink, type SinkSurroundings } from './sink.ts';

/**
 * A command that gets the secret on stdin. Exit code 0 means that it has it. `isAlone`: no place but commands gets the
 * secret. Throws UsageError.
 */
export function createExecSink(
  name: string,
  command: string,
  surroundings: SinkSurroundings,
  isAlone: boolean,
  limits: CommandLimits = COMMAND_LIMITS,
): Sink {
  const [first, ...more] = splitWords(command, name, surroundings.platform);
  // A name is no part of a command line: it is filled in once the words are known.
  const words = [fillPlace(first, surroundings), ...more.map((word) => fillPlace(word, surroundings))] as const;
  return createSink({
    name,
    kind: 'exec',
    label: 'exec',
    ready: `${/^exec:\s*\S+/.exec(name)?.[0] ?? name} is a command`,
    async check() {
      await findCommand(words[0], name, surroundings);
    },
    async prepare() {
      const path = await findCommand(words[0], name, surroundings);
      return {
        async deliver(secret) {
          const { failure, hasWaited } = await runCommand({ path, words }, secret, surroundings, limits);
          if (failure !== undefined) throw createUndelivered(name, failure);
          if (isAlone && !hasWaited) {
            surroundings.warn(
              `${name}: ${words[0]} did not wait for the end of the token: check that it has read it, because no other place has it`,
            );
          }
        },
      };
    },
  });
}
