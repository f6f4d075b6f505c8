import type { Ora } from 'ora';
import { type Host, isInCi } from '../host.ts';
import { toPlainText } from '../text/plain-text.ts';
import { createWriter } from '../text/write.ts';

/** A line on stderr that says what takes so long, or lines from time to time. */
export interface Progress {
  update(text: string): void;
  /** Clears the line. May be called more than once; must be called, or the line keeps the process alive. */
  stop(): void;
}

export interface ProgressOptions {
  readonly quiet: boolean;
  readonly text: string;
  /** False: a plain line now and then in place of one that is redrawn. */
  readonly moving: boolean;
}

/** Shorter waits show nothing, and do not pay for loading ora. */
const DELAY = 150;
/** Whoever listens to a screen is interrupted by each line. */
const FIRST_LINE = 2000;
const NEXT_LINE = 10_000;
/** Ends what ora begins with each frame: that the terminal shows all of it at once. */
const END_OF_FRAME = '\u001b[?2026l';

/** Shows nothing unless stderr is a terminal that somebody looks at or listens to. Never throws: it is only decoration. */
export function createProgress(host: Host, { moving, ...options }: ProgressOptions): Progress {
  return moving ? createMovingLine(host, options) : createPlainLines(host, options);
}

function createPlainLines(host: Host, options: { quiet: boolean; text: string }): Progress {
  let text = toPlainText(options.text);
  const stopped = new AbortController();
  const say = async () => {
    const stderr = createWriter(host.stderr);
    await host.sleep(FIRST_LINE, stopped.signal);
    while (!stopped.signal.aborted) {
      await stderr.write(`${text}\n`);
      await host.sleep(NEXT_LINE, stopped.signal);
    }
  };
  // Ends when it is stopped, or when nobody reads it any more.
  if (!options.quiet && host.stderr.isTTY === true && !isInCi(host)) say().catch(() => stopped.abort());
  return {
    update(next) {
      text = toPlainText(next);
    },
    stop: () => stopped.abort(),
  };
}

/** Only on a terminal on which a line can be redrawn. */
function createMovingLine(host: Host, options: { quiet: boolean; text: string }): Progress {
  const { stderr } = host;
  let text = toPlainText(options.text);
  let spinner: Ora | undefined;
  const stopped = new AbortController();

  const stop = () => {
    stopped.abort();
    stderr.off('resize', stopWithoutColumns);
    if (spinner === undefined) return;
    spinner.stop();
    spinner = undefined;
    // Ctrl-C has a terminal drop what it was sent and did not read yet, which may be the end of the frame.
    stderr.write(END_OF_FRAME);
  };
  const stopWithoutColumns = () => {
    if (!hasColumns(host)) stop();
  };
  const start = async () => {
    await host.sleep(DELAY, stopped.signal);
    const { default: ora } = await import('ora');
    if (stopped.signal.aborted || !hasColumns(host)) return;
    stderr.on('resize', stopWithoutColumns);
    spinner = ora({
      text,
      stream: stderr,
      // Our decision, not one by ora's reading of the environment, which prints a line where it does not animate.
      isEnabled: true,
      // ora colours by chalk's detection, which ignores NO_COLOR.
      color: false,
      // A hidden cursor would need handlers on signals to come back, and stdin belongs to the command.
      hideCursor: false,
      discardStdin: false,
    }).start();
  };

  if (!options.quiet && canRedraw(host)) start().catch(stop);
  return {
    update(next) {
      text = toPlainText(next);
      if (spinner !== undefined) spinner.text = text;
    },
    stop,
  };
}

function canRedraw(host: Host): boolean {
  return host.stderr.isTTY === true && hasColumns(host) && !isInCi(host) && host.env['TERM'] !== 'dumb';
}

/** ora never returns on a terminal that reports 0 columns. */
function hasColumns({ stderr }: Host): boolean {
  return stderr.columns !== undefined && stderr.columns > 0;
}
