import { Writable } from 'node:stream';
import type { OutputStream } from '../../src/lib/runtime.ts';

export interface CapturedStream extends OutputStream {
  /** Everything written so far. */
  text(): string;
  /** The same, by call of write. */
  readonly pieces: readonly string[];
}

/** A stream that keeps what is written. `columns` makes it a terminal. */
export function captureStream(
  options: { isTTY?: boolean; columns?: number; highWaterMark?: number; onWrite?: () => void } = {},
): CapturedStream {
  const pieces: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    ...(options.highWaterMark === undefined ? {} : { highWaterMark: options.highWaterMark }),
    write(chunk, _encoding, callback) {
      pieces.push(String(chunk));
      options.onWrite?.();
      // Later, as a real device does, so that a full buffer stays full for a while.
      setImmediate(callback);
    },
  });
  const terminal = {
    isTTY: options.isTTY ?? options.columns !== undefined,
    ...(options.columns === undefined ? {} : { columns: options.columns }),
    cursorTo: (column: number) => stream.write(`<to ${column}>`),
    moveCursor: (x: number, y: number) => stream.write(`<move ${x} ${y}>`),
    clearLine: () => stream.write('<clear>'),
  };
  return Object.assign(stream, terminal, { pieces, text: () => pieces.join('') });
}
