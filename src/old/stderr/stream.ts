import type { Host, HostOutput } from '../host.ts';
import { createWriter, type Writer } from '../text/write.ts';

/** The only way to stderr. */
export interface Stderr extends Writer {
  readonly isTerminal: boolean;
  /** The stream itself, for what draws on it: results, a question, a moving line. */
  readonly stream: HostOutput;
  /** Calls this before each text from now on: what is drawn on the terminal goes first. */
  onWrite(giveWay: () => void): void;
  /** Writes what belongs to a drawing. */
  draw(text: string): void;
}

/** Whether everything there is lines of JSON: where the results are JSON, and no one reads at a terminal. */
export function speaksJson(
  { isTerminal }: Pick<Stderr, 'isTerminal'>,
  format: { readonly forPrograms: boolean } | undefined,
): boolean {
  return !isTerminal && format?.forPrograms === true;
}

export function openStderr(host: Pick<Host, 'stderr'>): Stderr {
  // Many runs say nothing, and the stream takes time to look up.
  let writer: Writer | undefined;
  let giveWay = (): void => undefined;
  const put = (text: string): Promise<void> => {
    writer ??= createWriter(host.stderr);
    return writer.write(text);
  };
  return {
    get isTerminal() {
      return host.stderr.isTTY === true;
    },
    get stream() {
      return host.stderr;
    },
    onWrite(act) {
      giveWay = act;
    },
    write(text) {
      giveWay();
      return put(text);
    },
    draw(text) {
      put(text).catch(() => undefined);
    },
  };
}
