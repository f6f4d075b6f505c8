import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { NO_WAIT } from './read-file.ts';

/** Large enough that a hash is not slowed down, small enough that the next one is soon asked for on a slow line. */
const PIECE = 64 * 1024;

export type OpenFile = Awaited<ReturnType<typeof openFile>>;

/**
 * A regular file that is open, of which no more than a piece is in memory at a time. Throws what the file system says, and an
 * Error in words for what is not a regular file.
 */
export async function openFile(path: string) {
  const file = await open(path, constants.O_RDONLY | NO_WAIT);
  try {
    const status = await file.stat();
    if (status.isDirectory()) throw new Error('it is a folder');
    if (!status.isFile()) throw new Error("it isn't a file");
    return {
      /** Bytes, when it was opened. */
      size: status.size,
      /** From the beginning. Each piece is its own memory. */
      pieces: () => readPieces(file),
      /** The last bytes, as many as there are. */
      async tail(length: number): Promise<Buffer> {
        const most = Math.min(length, status.size);
        const bytes = Buffer.alloc(most);
        const { bytesRead } = await file.read(bytes, 0, most, status.size - most);
        return bytes.subarray(0, bytesRead);
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function* readPieces(file: FileHandle): AsyncGenerator<Buffer> {
  for (let at = 0; ; ) {
    const piece = Buffer.allocUnsafe(PIECE);
    const { bytesRead } = await file.read(piece, 0, PIECE, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield bytesRead === PIECE ? piece : piece.subarray(0, bytesRead);
  }
}
