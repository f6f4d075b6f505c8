import { OrgctlError } from '../lib/errors.ts';
import { formatFileError } from '../lib/files.ts';
import type { OutputStream } from '../lib/runtime.ts';

/** The reader of a pipe has closed it, as `head` does. */
export class ClosedPipe extends Error {
  override name = 'ClosedPipe';
  override message = 'its reader has closed it';
}

export type Writer = ReturnType<typeof createWriter>;

const CLOSED = new Set(['EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

export function createWriter(stream: OutputStream, signal?: AbortSignal) {
  let failure: Error | undefined;
  const pending = new Set<(error: Error) => void>();
  const rejectAll = (error: Error): void => {
    for (const reject of pending) reject(error);
  };
  // An error without a listener would end the process, and a destroyed stream may never call back.
  stream.on('error', (error: Error) => {
    failure ??= error;
  });
  stream.on('close', () => rejectAll(createWriteError(failure)));
  signal?.addEventListener('abort', () => rejectAll(signal.reason));
  return {
    /**
     * Resolves when the stream has taken the text. Throws ClosedPipe, OrgctlError if the text can't be written, and the
     * signal's reason if the signal aborts first.
     */
    write: (text: string) =>
      new Promise<void>((resolve, reject) => {
        if (failure) return reject(createWriteError(failure));
        if (text === '') return resolve();
        pending.add(reject);
        stream.write(text, (error) => {
          pending.delete(reject);
          if (error) reject(createWriteError(error));
          else resolve();
        });
      }),
  };
}

function createWriteError(error: NodeJS.ErrnoException | undefined): Error {
  if (!error || CLOSED.has(error.code ?? '')) return new ClosedPipe();
  return new OrgctlError('failure', `the result could not be written: ${formatFileError(error)}`, {
    code: 'not-written',
    cause: error,
  });
}
