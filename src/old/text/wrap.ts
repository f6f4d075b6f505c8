import { isSign } from './signs.ts';

/** Measures a text in columns of a terminal. */
export type Measure = (text: string) => number;

const BY_LENGTH: Measure = ({ length }) => length;
/** Words with the blanks behind them. A command of orgctl stays on one line, so that it can be copied. */
const WORDS = /(?:(?:Help: )?\borgctl(?: (?:--)?[a-z][a-z-]*){1,3}\S*|\S+) */g;
/** In a cell also what a comma or a slash ends. */
const CELL_WORDS = /[^ ,/]+[,/]* *|[,/]+ *| +/g;

/** The text in lines no wider than `width`, broken at blanks. A single word that is wider stays whole. */
export function wrap(text: string, width: number, toWidth: Measure = BY_LENGTH): readonly string[] {
  return toWidth(text) <= width ? [text] : fill(text.match(WORDS) ?? [], width, toWidth);
}

/** As `wrap`, broken behind commas and slashes too. */
export function wrapCell(text: string, width: number, toWidth: Measure): readonly string[] {
  return toWidth(text) <= width ? [text] : fill(splitCell(text), width, toWidth);
}

/** The text, or as many of its last parts as have room behind a … that stands for the others: half an id would mislead. */
export function cutCell(text: string, width: number, toWidth: Measure): string {
  if (toWidth(text) <= width) return text;
  let kept = '';
  for (const part of splitCell(text).toReversed()) {
    if (toWidth(part + kept) >= width) break;
    kept = part + kept;
  }
  if (kept !== '') return `…${kept}`;
  for (const one of text) {
    if (toWidth(kept + one) >= width) break;
    kept += one;
  }
  return `${kept}…`;
}

/** What stays together in a cell. */
export function splitCell(text: string): readonly string[] {
  return text.match(CELL_WORDS) ?? [];
}

/** The text behind `before`, and what continues it below itself. */
export function hang(before: string, text: string, width: number, toWidth: Measure = BY_LENGTH): readonly string[] {
  const indent = toWidth(before);
  const [first = '', ...rest] = wrap(text, width - indent, toWidth);
  return [before + first, ...rest.map((line) => ' '.repeat(indent) + line)];
}

/** A line of text. What continues it stands below its words, behind a sign that it begins with. */
export function wrapLine(text: string, width: number): readonly string[] {
  const sign = text[1] === ' ' && isSign(text[0]) ? text.slice(0, 2) : '';
  return hang(sign, text.slice(sign.length), width);
}

function fill(words: readonly string[], width: number, toWidth: Measure): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line !== '' && toWidth((line + word).trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += word;
  }
  return [...lines, line.trimEnd()];
}
