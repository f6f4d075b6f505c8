import ora, { type Ora } from 'ora';
import type { Stderr } from './stream.ts';

/** The line that moves, drawn until it is wiped away, which has to happen: it keeps the process alive. */
export interface Line {
  update(text: string): void;
  wipe(): void;
}

/** Ends the mode that ora begins with each frame, in which the terminal waits and then shows the frame at once. */
const END_OF_FRAME = '\u001b[?2026l';
/** The longest time that a timer takes, in milliseconds. */
const NEVER = 2_147_483_647;

/** `isStill`: it is drawn once, and not again. `onGone`: the terminal reports no columns any more, and the line is to be wiped. */
export function drawLine(stderr: Stderr, text: string, isStill: boolean, onGone: () => void): Line {
  // From now on a terminal that is gone ends no run: ora itself doesn't listen for errors of the stream.
  stderr.draw('');
  const spinner = ora({
    text,
    ...(isStill ? { spinner: { frames: ['-'], interval: NEVER } } : {}),
    stream: stderr.stream,
    // Our decision, not one by ora's reading of the environment, which prints a line where it does not animate.
    isEnabled: true,
    // ora colours by chalk's detection, which ignores NO_COLOR.
    color: false,
    // A hidden cursor would need handlers on signals to come back, and stdin belongs to the command.
    hideCursor: false,
    discardStdin: false,
  });
  try {
    spinner.start();
  } catch (error) {
    giveBack(spinner);
    throw error;
  }
  const giveUpWithoutColumns = (): void => {
    if (!hasColumns(stderr)) onGone();
  };
  const wipe = (): void => {
    stderr.stream.off('resize', giveUpWithoutColumns);
    spinner.stop();
    // Ctrl-C has a terminal drop what it was sent and did not read yet, which may be the end of the frame.
    stderr.draw(END_OF_FRAME);
  };
  stderr.stream.on('resize', giveUpWithoutColumns);
  return {
    update(next) {
      spinner.text = next;
    },
    wipe,
  };
}

/** From the start on ora stands before each write to the terminal, and must not stay there where it can't draw. */
function giveBack(spinner: Ora): void {
  try {
    spinner.stop();
  } catch {
    // It gives the stream back first, and then fails to wipe away what it did not draw.
  }
}

/** ora never returns on a terminal that reports 0 columns. */
export function hasColumns({ stream }: Pick<Stderr, 'stream'>): boolean {
  return stream.columns !== undefined && stream.columns > 0;
}
