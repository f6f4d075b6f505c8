import { OrgctlError, toFault } from '../errors.ts';
import type { HostOutput } from '../host.ts';

/** The reader of the output is gone. A failure only where what was written mattered. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe';

  constructor(cause?: unknown) {
    super('the output was closed by its reader', { cause });
  }
}

/** What programs know it by that a result could not be written. */
export const NOT_WRITTEN = 'not-written';

export interface Writer {
  /**
   * Resolves when the stream has taken the whole text, so that no more than one piece waits in memory.
   * Rejects with ClosedPipe when the reader is gone, and with OrgctlError for any other failure.
   */
  write(text: string): Promise<void>;
}

const CLOSED = new Set(['EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

/** Listens for errors of the stream from now on: one without a listener would end the process. */
export function createWriter(stream: HostOutput): Writer {
  let failure: Error | undefined;
  // A stream that is destroyed while it writes need not call back.
  const waiting = new Set<() => void>();
  stream.on('error', (error: Error) => {
    failure ??= error;
  });
  stream.on('close', () => {
    for (const giveUp of waiting) giveUp();
  });
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(toWriteError(failure));
        if (text === '') return resolve();
        const giveUp = (): void => reject(toWriteError(failure));
        waiting.add(giveUp);
        stream.write(text, (error) => {
          waiting.delete(giveUp);
          if (error) reject(toWriteError(error));
          else resolve();
        });
      }),
  };
}

function toWriteError(error: NodeJS.ErrnoException | undefined): Error {
  if (error === undefined || CLOSED.has(error.code ?? '')) return new ClosedPipe(error);
  return new OrgctlError('failure', 'the result could not be written', {
    code: NOT_WRITTEN,
    reasons: [toFault(error)],
    hint: 'Send the output to where there is room.',
    cause: error,
  });
}
