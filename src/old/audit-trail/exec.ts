import { OrgctlError, UsageError } from '../errors.ts';
import type { Surroundings } from '../subprocess/find-command.ts';
import { findCommand } from '../subprocess/find-command.ts';
import type { Screen } from '../subprocess/run-command.ts';
import { COMMAND_LIMITS, type CommandLimits, runCommand } from '../subprocess/run-command.ts';
import { splitWords } from '../subprocess/split-words.ts';
import type { AuditEvent } from '../wire/resources.ts';
import type { Delivery } from './follow.ts';

export interface ExecOptions extends Surroundings, Screen {
  readonly signal: AbortSignal;
  /** As ndjson. */
  toLines(events: readonly AuditEvent[]): string | Promise<string>;
  /** In a dry run, in place of running it. */
  readonly onPlanned: ((count: number) => void) | undefined;
}

const PREFIX = 'exec:';
/** An importer may be slow. It gets no more time once this process is to end. */
const LIMITS: CommandLimits = { ...COMMAND_LIMITS, time: 300_000, grace: 500, patience: 0 };

/** A command that gets events on stdin, once for each batch. Exit code 0 means that it has them. Throws UsageError. */
export async function createExec(place: string, options: ExecOptions): Promise<Delivery> {
  if (!place.startsWith(PREFIX)) {
    throw new UsageError(`--to takes ${PREFIX}COMMAND, not '${place}'`, {
      hint: 'To write to a file, redirect the output: >> events.ndjson',
    });
  }
  const words = splitWords(place.slice(PREFIX.length), place, options.platform);
  const path = await findCommand(words[0], place, options);
  return {
    isWhole: false,
    async deliver(events) {
      if (options.onPlanned !== undefined) return options.onPlanned(events.length);
      const { ended } = await runCommand({ path, words }, await options.toLines(events), options, LIMITS);
      options.signal.throwIfAborted();
      if (ended === undefined) return;
      throw new OrgctlError('failure', `${words[0]} didn't take the events: ${ended}`, {
        code: 'not-taken',
        hint: 'Fix the problem and run the same again: these events are passed to it again.',
      });
    },
    end: async () => undefined,
  };
}
