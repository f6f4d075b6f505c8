import { createRequire } from 'node:module';

// Both are CommonJS in a form in which Node finds no names to import.
const require = createRequire(import.meta.url);
const { Terminal } = require('@xterm/headless') as typeof import('@xterm/headless');
const { Unicode11Addon } = require('@xterm/addon-unicode11') as typeof import('@xterm/addon-unicode11');

/** What a terminal shows. */
export interface Screen {
  /** Every line, those that scrolled away too, without trailing blanks. `█` is the cursor. */
  text: string;
  /** The cursor is visible, and no mode is left on that changes keys or text. */
  sane: boolean;
}

/** What a terminal with so many columns makes of the output. */
export async function renderScreen(output: string, columns: number): Promise<Screen> {
  const terminal = new Terminal({ cols: columns, rows: 40, scrollback: 1000, allowProposedApi: true });
  terminal.loadAddon(new Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  const modes = JSON.stringify(terminal.modes);
  let cursorIsHidden = false;
  const watchCursor = (final: string, hides: boolean) =>
    terminal.parser.registerCsiHandler({ prefix: '?', final }, (parameters) => {
      if (parameters.includes(25)) cursorIsHidden = hides;
      return false;
    });
  watchCursor('l', true);
  watchCursor('h', false);
  await new Promise<void>((resolve) => {
    terminal.write(output, resolve);
  });

  const { active, normal } = terminal.buffer;
  const cursorLine = active.baseY + active.cursorY;
  const lines: string[] = [];
  for (let index = 0; index < active.length; index += 1) {
    const line = active.getLine(index);
    const isCursorHere = index === cursorLine && !cursorIsHidden;
    const before = line?.translateToString(false, 0, active.cursorX) ?? '';
    const whole = line?.translateToString(true) ?? '';
    const text = isCursorHere ? `${before}█${whole.slice(before.length)}` : whole;
    lines.push(text.trimEnd());
  }
  const sane = !cursorIsHidden && active === normal && JSON.stringify(terminal.modes) === modes;
  terminal.dispose();
  return { text: lines.join('\n').trimEnd(), sane };
}
