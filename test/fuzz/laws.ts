import { OrgctlError } from '../../src/errors.ts';
import { EXIT_CODES } from '../../src/exit-codes.ts';
import type { FormatName } from '../../src/stdout/formats/index.ts';
import { parseFormat } from '../support/formats.ts';
import { Violation } from './target.ts';

/** What is true for every input. */

/** A reader may throw only errors that say what is wrong with its input, never an error of orgctl's own. */
export async function onlyKnownErrors<T>(act: () => T | Promise<T>): Promise<T | OrgctlError> {
  try {
    return await act();
  } catch (error) {
    return known(error);
  }
}

/** The same without waiting. */
export function onlyKnownErrorsNow<T>(act: () => T): T | OrgctlError {
  try {
    return act();
  } catch (error) {
    return known(error);
  }
}

function known(error: unknown): OrgctlError {
  if (!(error instanceof OrgctlError)) {
    throw new Violation(
      `an error of its own: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }
  if (error.exit === 'failure') throw new Violation(`the code of a fault of orgctl itself: ${error.message}`);
  // The error is printed as text, or as JSON.
  JSON.parse(JSON.stringify([error.message, error.code, error.reasons, error.hint, error.next]));
  for (const text of [error.message, ...error.reasons, ...error.next.flat(), error.hint ?? '']) {
    if (typeof text !== 'string') throw new Violation(`the message of an error is no text: ${JSON.stringify(text)}`);
  }
  return error;
}

const PROTOTYPES = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Map.prototype];
const COUNTS = PROTOTYPES.map((prototype) => Reflect.ownKeys(prototype).length);

/** Nothing was added to the prototype of all objects. */
export function refusePollution(): void {
  PROTOTYPES.forEach((prototype, index) => {
    if (Reflect.ownKeys(prototype).length === COUNTS[index]) return;
    throw new Violation(`a prototype was changed: ${Reflect.ownKeys(prototype).map(String).join(', ')}`);
  });
}

const CODES: ReadonlySet<number> = new Set(Object.values(EXIT_CODES).map(({ code }) => code));

/** Refuses text that a terminal would obey; tab, return and newline are checked by format. */
const OBEYED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

export function refuseControls(text: string, where: string): void {
  const at = text.search(OBEYED);
  if (at < 0) return;
  throw new Violation(
    `${where} holds U+${text.charCodeAt(at).toString(16)}: ${JSON.stringify(text.slice(Math.max(0, at - 40), at + 40))}`,
  );
}

function refuseFormulas(csv: string): void {
  for (const cell of (parseFormat('csv', csv) as readonly (readonly string[])[]).flat()) {
    if (/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/.test(cell)) continue;
    // Some spreadsheets split at other characters.
    const formula = cell.split(/[;,|\t\n"]/).find((part) => /^[=+\-@\r＝＋－＠]/.test(part));
    if (formula !== undefined)
      throw new Violation(`a part of a cell is a formula: ${JSON.stringify(formula.slice(0, 80))}`);
  }
}

/** A result in this format can be parsed. */
export function refuseUnreadable(format: FormatName, text: string): void {
  refuseControls(text, format);
  if (text === '') return;
  if (format === 'csv') refuseFormulas(text);
  if (format === 'csv' || format === 'table') return;
  try {
    parseFormat(format, text);
  } catch (error) {
    throw new Violation(`what was printed is no ${format}: ${String(error)}: ${JSON.stringify(text.slice(0, 200))}`);
  }
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Two patterns: one for both would try every blank of a long line as a start. */
function isOfStack(line: string): boolean {
  return /^\s+at /.test(line) && /:\d+:\d+\)?$/.test(line);
}

/** Laws of every command line. `format`: the one that was named; `isResult`: stdout is written in it; `isRaw`: stdout is the bare value. */
export function judgeEnd(
  { code, stdout, stderr }: Ended,
  format: FormatName | undefined,
  isResult: boolean,
  isRaw = false,
): void {
  const shown = JSON.stringify(stderr.slice(0, 600));
  if (!CODES.has(code)) throw new Violation(`exit ${code} is not documented: ${shown}`);
  if (code === EXIT_CODES.failure.code) throw new Violation(`a fault of orgctl itself: ${shown}`);
  if (`${stderr}\n${stdout}`.split('\n').some(isOfStack)) throw new Violation(`a stack trace: ${shown}`);
  refuseControls(stderr, 'stderr');
  if (!isRaw) refuseControls(stdout, 'stdout');
  if (code !== 0 && stderr.trim() === '') throw new Violation(`exit ${code} and not a word`);
  if (format === undefined || format === 'table') return;
  // Help is text in every format.
  if (code === 0 && isResult && !stdout.includes('\nUsage: orgctl')) refuseUnreadable(format, stdout);
  if (format === 'csv' || format === 'tsv' || format === 'markdown') return;
  for (const line of stderr.split('\n').filter((each) => each !== '')) {
    try {
      JSON.parse(line);
    } catch {
      throw new Violation(`a line of stderr is no JSON: ${JSON.stringify(line.slice(0, 200))}`);
    }
  }
}
