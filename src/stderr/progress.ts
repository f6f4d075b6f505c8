import type { Ora } from 'ora';
import { type Host, isInCi } from '../host.ts';
import { toPlainText } from '../text/plain-text.ts';
import type { Stderr } from './stream.ts';

/** A line on stderr that says what takes so long, or lines from time to time. */
export interface Progress {
  /** Several things that are under way stand below each other. */
  update(text: string): void;
  /** Clears the line. May be called more than once; must be called, or the line keeps the process alive. */
  stop(): void;
}

export interface ProgressOptions {
  readonly host: Pick<Host, 'env' | 'sleep'>;
  readonly stderr: Stderr;
  hide(text: string): string;
  readonly quiet: boolean;
  readonly text: string;
  /** False: a plain line now and then in place of one that is redrawn. */
  readonly moving: boolean;
}

/** Shorter waits show nothing, and do not pay for loading ora. */
const DELAY = 150;
/** Each line interrupts a person who listens to the screen. */
const FIRST_LINE = 2000;
const NEXT_LINE = 10_000;
/** Ends the mode that ora begins with each frame, in which the terminal waits and then shows the frame at once. */
const END_OF_FRAME = '\u001b[?2026l';

/** Shows nothing unless stderr is a terminal that a person looks at or listens to. Never throws: it is only decoration. */
export function createProgress(options: ProgressOptions): Progress {
  return options.moving ? createMovingLine(options) : createPlainLines(options);
}

function createPlainLines({ host, stderr, hide, quiet, ...rest }: ProgressOptions): Progress {
  let { text } = rest;
  const stopped = new AbortController();
  const write = async () => {
    await host.sleep(FIRST_LINE, stopped.signal);
    while (!stopped.signal.aborted) {
      await stderr.write(`${hide(toPlainText(text.replaceAll('\n', ', ')))}\n`);
      await host.sleep(NEXT_LINE, stopped.signal);
    }
  };
  // Ends when it is stopped, or when stderr is closed.
  if (!quiet && stderr.isTerminal && !isInCi(host)) write().catch(() => stopped.abort());
  return {
    update(next) {
      text = next;
    },
    stop: () => stopped.abort(),
  };
}

/** Only on a terminal on which a line can be redrawn. */
function createMovingLine({ host, stderr, hide, quiet, ...rest }: ProgressOptions): Progress {
  let { text } = rest;
  const toShown = (): string => hide(text.split('\n').map(toPlainText).join('\n  '));
  let spinner: Ora | undefined;
  const stopped = new AbortController();

  const stop = () => {
    stopped.abort();
    stderr.stream.off('resize', stopWithoutColumns);
    if (spinner === undefined) return;
    spinner.stop();
    spinner = undefined;
    // Ctrl-C has a terminal drop what it was sent and did not read yet, which may be the end of the frame.
    stderr.write(END_OF_FRAME).catch(() => undefined);
  };
  const stopWithoutColumns = () => {
    if (!hasColumns(stderr)) stop();
  };
  const start = async () => {
    await host.sleep(DELAY, stopped.signal);
    const { default: ora } = await import('ora');
    if (stopped.signal.aborted || !hasColumns(stderr)) return;
    stderr.stream.on('resize', stopWithoutColumns);
    spinner = ora({
      text: toShown(),
      stream: stderr.stream,
      // Our decision, not one by ora's reading of the environment, which prints a line where it does not animate.
      isEnabled: true,
      // ora colours by chalk's detection, which ignores NO_COLOR.
      color: false,
      // A hidden cursor would need handlers on signals to come back, and stdin belongs to the command.
      hideCursor: false,
      discardStdin: false,
    }).start();
  };

  const canRedraw = stderr.isTerminal && hasColumns(stderr) && !isInCi(host) && host.env['TERM'] !== 'dumb';
  if (!quiet && canRedraw) start().catch(stop);
  return {
    update(next) {
      text = next;
      if (spinner !== undefined) spinner.text = toShown();
    },
    stop,
  };
}

/** ora never returns on a terminal that reports 0 columns. */
function hasColumns({ stream }: Stderr): boolean {
  return stream.columns !== undefined && stream.columns > 0;
}
