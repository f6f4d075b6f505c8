import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';

/** Whether vitest was called with `-u`. */
export function isUpdating(): boolean {
  return expect.getState().snapshotState.snapshotUpdateState === 'all';
}

const rewritten = new WeakMap<TemplateStringsArray, string[]>();

/**
 * Writes other lines into the template of the test that runs. Lines that it had already, and values of at least three
 * characters that were put into it, stay as they are written there.
 */
export function rewriteTemplate(texts: TemplateStringsArray, values: string[], before: string[], after: string[]) {
  const earlier = rewritten.get(texts);
  rewritten.set(texts, after);
  // Several rows of a table share their template.
  if (earlier !== undefined) return expect(after).toEqual(earlier);
  const { testPath = '', currentTestName = '' } = expect.getState();
  const file = readFileSync(testPath, 'utf8');
  // Another test may have the same template.
  const title = currentTestName.split(' > ').at(-1) ?? '';
  const match = new RegExp(`\`${texts.raw.map(escapePattern).join('\\$\\{([^`]*?)\\}')}\``, 'g');
  match.lastIndex = Math.max(0, file.search(new RegExp(`['"\`]${escapePattern(title)}['"\`]`)));
  const found = match.exec(file);
  if (found === null) throw new Error(`the template of this test can't be found: ${currentTestName}`);
  const [literal, ...sources] = found;
  const lines = literal.split('\n');
  const [first = '', last = ''] = [lines.shift(), lines.pop()];
  const [indent = ''] = /^ */.exec(lines[0] ?? '') ?? [];
  const known = new Map(before.map((line, index) => [line, lines[index] ?? '']));
  const insert = (text: string): string =>
    sources.reduce((shown, source, index) => {
      const value = escapeText(values[index] ?? '');
      return value.length < 3 ? shown : shown.replaceAll(value, () => `\${${source}}`);
    }, escapeText(text));
  const written = after.map((line) => known.get(line) ?? (line === '' ? '' : indent + insert(line)));
  const text = [first, ...written, last].join('\n');
  writeFileSync(testPath, file.slice(0, found.index) + text + file.slice(found.index + literal.length));
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** As it is written in a template. */
function escapeText(text: string): string {
  return text
    .replace(/\\|`|\$(?=\{)/g, '\\$&')
    .replaceAll('\t', '\\t')
    .replace(/[^\P{C}\n]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
