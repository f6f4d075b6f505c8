import { spawn } from '@lydell/node-pty';
import { onTestFinished } from 'vitest';
import { type Environment, ORGCTL } from './shipped.ts';

/** The built orgctl at a terminal: all three of its streams are the same pseudo-terminal. */
export interface Terminal {
  /** Keys, as the terminal sends them. */
  type(keys: string): void;
  /** All output to the terminal, with its control sequences. */
  screen(): string;
  /** Resolves when the screen shows it; rejects when the command ends before. */
  until(shown: string | ((screen: string) => boolean)): Promise<void>;
  ended: Promise<{ code: number; screen: string }>;
}

interface TerminalOptions {
  env: Environment;
  /** Run by a shell at this terminal first. */
  prepare?: string;
}

export const CONTROL_C = '\u0003';
export const CONTROL_D = '\u0004';
export const ENTER = '\r';

/** What the shell prints when orgctl has ended. By then all that orgctl wrote has been read. */
const END = /\r\n\[\[ended with (\d+)\]\]$/;
const LONGEST_END = 40;

/**
 * The shell around orgctl keeps the terminal open until everything is read: what is still in a terminal when its last
 * process ends may get lost. Signals of the keyboard reach the shell too, and it lives on.
 */
const SHELL = 'trap : HUP INT QUIT; "$@"; printf "\\n[[ended with %s]]" "$?"; read -r _';

export function openTerminal(argv: string[], { env, prepare }: TerminalOptions): Terminal {
  const script = prepare === undefined ? SHELL : `${prepare}; ${SHELL}`;
  const pty = spawn('sh', ['-c', script, 'sh', process.execPath, ORGCTL, ...argv], {
    cols: 120,
    rows: 40,
    name: 'xterm-256color',
    env: { ...env, TERM: 'xterm-256color' },
  });
  onTestFinished(() => pty.kill('SIGKILL'));
  const handlers = new Set<() => void>();
  let screen = '';
  pty.onData((piece) => {
    screen += piece;
    for (const handler of handlers) handler();
  });
  const findEnd = () => END.exec(screen.slice(-LONGEST_END));
  const when = (isShown: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        const shown = isShown();
        if (!shown && findEnd() === null) return;
        handlers.delete(check);
        if (shown) resolve();
        else reject(new Error(`it ended before: ${JSON.stringify(screen)}`));
      };
      handlers.add(check);
      check();
    });
  const ended = when(() => findEnd() !== null).then(() => {
    const [end = '', code] = findEnd() ?? [];
    return { code: Number(code), screen: screen.slice(0, -end.length) };
  });
  return {
    type: (keys) => pty.write(keys),
    screen: () => screen,
    until: (shown) => when(() => (typeof shown === 'function' ? shown(screen) : screen.includes(shown))),
    ended,
  };
}
