// Draws the picture of README.md, .github/demo.svg: what a terminal shows of some steps of the demo.
//   node test/demo/record.mjs           draws it
//   node test/demo/record.mjs --check   exits with 1 where the picture is not what would be drawn now

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { COLUMNS, openPlace, STEPS } from './steps.mjs';

// CommonJS in a form in which Node finds no names to import.
const { Terminal } = createRequire(import.meta.url)('@xterm/headless');

const PICTURE = fileURLToPath(new URL('../../.github/demo.svg', import.meta.url));
const ROWS = 24;
/** Written between what is drawn; a terminal ignores it. */
const MARK = '\u001b]777;frame\u0007';

async function draw() {
  const screens = [];
  for (const output of record()) screens.push(await renderScreen(output));
  return formatPicture(screens);
}

/** What a terminal gets for each frame: a command, then the command with its output. */
function record() {
  const { home, env, remove } = openPlace();
  try {
    const lines = STEPS.filter(({ isInPicture }) => isInPicture).map(({ line }) => line);
    const script = lines.flatMap((line) => [
      `printf '\\033[1m$ %s\\033[22m\\n' '${line}'`,
      `printf '${MARK}'`,
      line,
      `printf '${MARK}'`,
    ]);
    writeFileSync(join(home, 'session'), `stty cols ${COLUMNS} rows ${ROWS}\n${script.join('\n')}\n`);
    const { status, stdout, error } = spawnSync('script', ['-qec', 'sh ./session; true', '/dev/null'], {
      cwd: home,
      env: { ...env, TERM: 'xterm-256color', SHELL: '/bin/sh' },
      encoding: 'utf8',
    });
    if (error !== undefined || status !== 0) throw error ?? new Error(`script ended with ${status}: ${stdout}`);
    const parts = stdout.split(MARK).slice(0, -1);
    return parts.map((part, index) => (index % 2 === 0 ? part : parts[index - 1] + part));
  } finally {
    remove();
  }
}

/** The rows of a terminal: for each its pieces of one style. */
async function renderScreen(output) {
  const terminal = new Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  await new Promise((resolve) => terminal.write(withoutChance(output), resolve));
  const { active } = terminal.buffer;
  if (active.baseY > 0) throw new Error(`more than ${ROWS} rows:\n${output}`);
  const rows = Array.from({ length: ROWS }, (_, row) => splitPieces(active.getLine(row)));
  terminal.dispose();
  return rows.slice(0, rows.findLastIndex((pieces) => pieces.length > 0) + 1);
}

/** Ids and times, which differ from run to run, by ones of the same width. */
function withoutChance(output) {
  return output
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '6ac2a0c1-68b0-4a94-8f0e-6e0f5ad1f9c5')
    .replace(/\b(ou|at|team|prov|user)-[A-Za-z0-9]{16}\b/g, '$1-AlHA3XeRQi4FMVTB')
    .replace(/\bsha256:[0-9a-f]{16}\b/g, 'sha256:307545ce12793522')
    .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d\b/g, '2027-02-20 00:20')
    .replace(/\blast used \d{4}-\d\d-\d\d\b/g, 'last used 2027-02-19');
}

function splitPieces(line) {
  const pieces = [];
  const length = line.translateToString(true).length;
  for (let column = 0; column < length; column += 1) {
    const cell = line.getCell(column);
    const style = formatStyle(cell);
    const text = cell.getChars() || ' ';
    const last = pieces.at(-1);
    if (last?.style === style) last.text += text;
    else pieces.push({ style, text, column });
  }
  return pieces;
}

const COLOURS = { 1: 'red', 2: 'green', 3: 'yellow', 4: 'blue', 6: 'cyan' };

function formatStyle(cell) {
  const colour = cell.isFgPalette() ? COLOURS[cell.getFgColor() % 8] : undefined;
  return [colour, cell.isBold() && 'bold', cell.isDim() && 'dim'].filter(Boolean).join(' ');
}

const [CELL, LINE, MARGIN] = [8.4, 20, 16];

/** A second and a half to read a command, and then time for each line that it printed. */
function computeDuration(rows, index) {
  return index % 2 === 0 ? 1.5 : 2 + 0.4 * rows.length;
}

function formatPicture(screens) {
  const durations = screens.map(computeDuration);
  const total = durations.reduce((sum, each) => sum + each, 0);
  const starts = durations.map((_, index) => durations.slice(0, index).reduce((sum, each) => sum + each, 0));
  const percent = (time) => `${Math.round((10_000 * time) / total) / 100}%`;
  const keyframes = screens.map((_, index) => {
    const [from, to] = [percent(starts[index]), percent(starts[index] + durations[index])];
    const before = index === 0 ? '' : '0%{visibility:hidden}';
    const after = index === screens.length - 1 ? '' : `${to}{visibility:hidden}`;
    return `@keyframes f${index}{${before}${from}{visibility:visible}${after}}`;
  });
  const [width, height] = [COLUMNS * CELL + 2 * MARGIN, ROWS * LINE + 2 * MARGIN];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" xml:space="preserve" role="img" aria-label="orgctl at a terminal">
<style>
svg{--back:#fff;--text:#1f2328;--dim:#656d76;--red:#b3261e;--green:#1a7f37;--yellow:#8a6100;--blue:#0550ae;--cyan:#1b7c83}
@media(prefers-color-scheme:dark){svg{--back:#0d1117;--text:#e6edf3;--dim:#8d96a0;--red:#ff7b72;--green:#3fb950;--yellow:#d29922;--blue:#79c0ff;--cyan:#56d4dd}}
rect{fill:var(--back);stroke:var(--dim)}
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:var(--text);white-space:pre}
.red{fill:var(--red)}.green{fill:var(--green)}.yellow{fill:var(--yellow)}.blue{fill:var(--blue)}.cyan{fill:var(--cyan)}.dim{fill:var(--dim)}.bold{font-weight:bold}
g{visibility:hidden;animation-duration:${Math.round(10 * total) / 10}s;animation-iteration-count:infinite;animation-timing-function:step-end}
${keyframes.join('\n')}
@media(prefers-reduced-motion:no-preference){${screens.map((_, index) => `#f${index}{animation-name:f${index}}`).join('')}}
@media(prefers-reduced-motion:reduce){#f1{visibility:visible}}
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${screens.map((rows, index) => `<g id="f${index}">\n${rows.map(formatLine).join('')}</g>`).join('\n')}
</svg>
`;
}

function formatLine(pieces, row) {
  const y = MARGIN + (row + 0.75) * LINE;
  const texts = pieces
    .filter(({ text }) => text.trim() !== '')
    .map(({ style, text, column }) => {
      const blanks = text.length - text.trimStart().length;
      const shown = text.trim();
      const place = `x="${round(MARGIN + (column + blanks) * CELL)}" y="${y}" textLength="${round(shown.length * CELL)}"`;
      return `<text ${place}${style === '' ? '' : ` class="${style}"`}>${escapeText(shown)}</text>\n`;
    });
  return texts.join('');
}

function round(value) {
  return Math.round(value * 10) / 10;
}

function escapeText(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const drawn = await draw();
if (process.argv.includes('--check')) {
  if (readFileSync(PICTURE, 'utf8') !== drawn) {
    process.stderr.write('.github/demo.svg is not what orgctl prints now: node test/demo/record.mjs\n');
    process.exitCode = 1;
  }
} else {
  writeFileSync(PICTURE, drawn);
}
