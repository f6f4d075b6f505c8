import { type Host, isInCi } from '../host.ts';
import { once } from '../once.ts';
import { toPlainText } from '../text/plain-text.ts';
import { wrapLine } from '../text/wrap.ts';
import type { Line } from './line.ts';
import type { Stderr } from './stream.ts';

/** A step of a command, said as long as it takes. */
export interface Progress {
  /** Several things that are under way stand below each other. */
  update(text: string): void;
  /** May be called more than once; must be called, or the step is said to its end. */
  stop(): void;
}

export type Waiting = ReturnType<typeof createWaiting>;

/** A line that is redrawn, plain lines that stay, or nothing. */
export type Look = 'moving' | 'plain' | 'none';

export interface WaitingOptions {
  readonly host: Pick<Host, 'env' | 'sleep' | 'stdout'>;
  readonly stderr: Stderr;
  hide(text: string): string;
  /** As the settings want it; asked when something is waited for. */
  look(): Look;
  note(text: string): void;
}

/** What stands below each other begins behind the sign that moves. */
const INDENT = '  ';
/** All in milliseconds. Shorter waits show nothing, and do not pay for loading ora, which is loaded and draws before half a second is over. */
const PATIENCE = 400;
/** Between two requests the line stays. */
const GAP = 100;
/** Each plain line interrupts a person who listens to the screen. */
const FIRST_LINE = 2000;
const NEXT_LINE = 10_000;
/** What takes longer is said even where no line can be drawn. */
const LONG = 10_000;

/**
 * The one line on stderr that says what is waited for, at a terminal alone. Whatever is under way says so here; the line
 * gives way to all else that is written, and is drawn again when that is long ago. Never throws: it is only decoration.
 */
export function createWaiting({ host, stderr, hide, note, ...options }: WaitingOptions) {
  const look = once((): Look => {
    const wanted = options.look();
    return canShow(wanted, host, stderr) ? wanted : 'none';
  });
  // What matters more stands further up.
  const ends = new Set<Entry>();
  const delays = new Set<Entry>();
  const steps = new Set<Entry>();
  const requests = new Set<Entry>();
  let line: Line | undefined;
  let isLoading = false;
  /** Since something was waited for, or something else was written. */
  let timer: AbortController | undefined;
  let isReady = false;
  let idle: AbortController | undefined;
  let held = 0;
  let isOver = false;
  let isAfterEcho = false;
  let isStill = false;

  const findText = (): string | undefined =>
    ([...ends].at(-1) ?? [...delays].at(-1) ?? [...steps].at(-1) ?? requests.values().next().value)?.text;
  const canDraw = (): boolean => !isOver && look() === 'moving';

  const wipe = (): void => {
    idle?.abort();
    idle = undefined;
    line?.wipe();
    line = undefined;
  };
  const end = (): void => {
    isOver = true;
    timer?.abort();
    wipe();
  };
  const arm = (milliseconds: number): void => {
    const own = new AbortController();
    timer = own;
    host.sleep(milliseconds, own.signal).then(
      () => {
        if (own.signal.aborted) return;
        isReady = true;
        refresh();
      },
      () => undefined,
    );
  };
  const leaveEcho = (): void => {
    if (isAfterEcho) stderr.draw('\n');
    isAfterEcho = false;
  };
  const draw = async (): Promise<void> => {
    if (isLoading) return;
    isLoading = true;
    const own = timer;
    const { drawLine, hasColumns } = await import('./line.ts');
    isLoading = false;
    const text = findText();
    if (own !== timer || isOver || held > 0 || line !== undefined || text === undefined || !hasColumns(stderr)) return;
    leaveEcho();
    line = drawLine(stderr, toLines(text), isStill, end);
  };
  const retire = (): void => {
    if (line === undefined || idle !== undefined) return;
    const own = new AbortController();
    idle = own;
    host.sleep(GAP, own.signal).then(
      () => {
        if (!own.signal.aborted) wipe();
      },
      () => undefined,
    );
  };
  const refresh = (): void => {
    if (isOver || held > 0 || isStill) return;
    const text = findText();
    if (text === undefined) {
      retire();
      return;
    }
    idle?.abort();
    idle = undefined;
    if (look() === 'none') return;
    const isPlain = look() === 'plain';
    if (line !== undefined) line.update(toLines(text));
    else if (!isReady) {
      if (timer === undefined) arm(isPlain ? FIRST_LINE : PATIENCE);
    } else if (isPlain) {
      isReady = false;
      stderr.write(`${hide(toPlainText(text.replaceAll('\n', ', ')))}\n`).catch(end);
      arm(NEXT_LINE);
    } else draw().catch(end);
  };
  const toLines = (text: string): string => {
    const width = Math.max(1, (stderr.stream.columns ?? 0) - INDENT.length);
    return hide(text.split('\n').map(toPlainText).join('\n'))
      .split('\n')
      .flatMap((line) => wrapLine(line, width))
      .join(`\n${INDENT}`);
  };

  /** Before anything else is written to the terminal. */
  const giveWay = (): void => {
    leaveEcho();
    if ((timer === undefined && line === undefined) || look() === 'plain') return;
    timer?.abort();
    timer = undefined;
    isReady = false;
    wipe();
    refresh();
  };
  const add = (kind: Set<Entry>, text: string): Entry => {
    const entry = { text };
    kind.add(entry);
    refresh();
    return entry;
  };
  const remove = (kind: Set<Entry>, entry: Entry): void => {
    if (kind.delete(entry)) refresh();
  };

  stderr.onWrite(giveWay);
  return {
    /** What a command does, in place of what its requests say. */
    step(text: string): Progress {
      const entry = add(steps, text);
      return {
        update(next) {
          entry.text = next;
          if (steps.has(entry)) refresh();
        },
        stop: () => remove(steps, entry),
      };
    },
    /** Until the function that comes back is called. */
    request(text: string): () => void {
      const entry = add(requests, text);
      return () => remove(requests, entry);
    },
    /** Why it takes longer, until the function that comes back is called. Where no line is drawn: a note, if it takes long. */
    delay(text: string, milliseconds: number): () => void {
      if (!canDraw()) {
        if (milliseconds > LONG) note(text);
        return () => undefined;
      }
      const entry = add(delays, text);
      return () => remove(delays, entry);
    },
    /** What is left to do before the run ends as it was asked to: at once, and even with -q, since it answers a key. */
    finish(text: string): void {
      if (!stderr.isTerminal) return;
      if (!canDraw()) {
        stderr.write(`${text}\n`).catch(() => undefined);
        return;
      }
      isReady = true;
      timer ??= new AbortController();
      add(ends, text);
      if (isStill) draw().catch(end);
    },
    /** Lines that stay, in answer to a key. */
    answer(lines: readonly string[]): void {
      if (!stderr.isTerminal) return;
      const text = lines
        .map((line) => hide(toPlainText(line)))
        .flatMap((line) => wrapLine(line, stderr.stream.columns || Number.POSITIVE_INFINITY));
      stderr.write(`${text.join('\n')}\n`).catch(() => undefined);
    },
    /** A terminal has shown a key as `^C`: what comes next begins on a line of its own. */
    noteEcho(): void {
      if (line !== undefined) wipe();
      else if (stderr.isTerminal) isAfterEcho = true;
      refresh();
    },
    /** Before stdout takes something. One that is no terminal may belong to a pager, which draws on the same screen. */
    beforeStdout(): void {
      if (host.stdout.isTTY === true) giveWay();
      else end();
    },
    /** While the act has the terminal for itself. */
    async without<T>(act: () => Promise<T>): Promise<T> {
      held += 1;
      giveWay();
      try {
        return await act();
      } finally {
        held -= 1;
        refresh();
      }
    },
    /** While a command runs that the user named: it may ask something at the terminal, which redrawing would wipe away. */
    async still<T>(act: () => Promise<T>): Promise<T> {
      if (!canDraw()) return await act();
      wipe();
      isStill = true;
      isReady = true;
      timer ??= new AbortController();
      await draw().catch(end);
      try {
        return await act();
      } finally {
        isStill = false;
        wipe();
        refresh();
      }
    },
    end,
  };
}

interface Entry {
  text: string;
}

function canShow(look: Look, host: Pick<Host, 'env'>, { isTerminal, stream }: Stderr): boolean {
  if (look === 'none' || !isTerminal || isInCi(host)) return false;
  return look === 'plain' || (host.env['TERM'] !== 'dumb' && (stream.columns ?? 0) > 0);
}
