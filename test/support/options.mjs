// The options of the scripts that take long, such as `npm run fuzz -- --minutes 5`: read, checked before anything is
// done, and explained with --help.

import process from 'node:process';
import { parseArgs } from 'node:util';

/**
 * What the command line says. A wrong one ends the process with 2 and a line that names what is wrong.
 * @param {string} about what the script does, in a sentence
 * @param {Record<string, { about: string, kind?: 'number' | 'flag' | 'texts', default?: string }>} options by their names.
 *   One without a kind is a text. A number is whole and above 0.
 * @param {{ name: string, known: readonly string[] }} [words] which words may stand beside them, and what one is called
 * @returns {{ values: Record<string, any>, words: string[] }} numbers as numbers; undefined where nothing is said
 */
export function readOptions(about, options, words) {
  const all = { ...options, help: { about: 'shows this', kind: 'flag' } };
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: words !== undefined,
      options: Object.fromEntries(Object.entries(all).map(([name, option]) => [name, toParsed(option)])),
    });
    if (values.help === true) {
      process.stdout.write(describe(about, all, words));
      process.exit(0);
    }
    const unknown = positionals.filter((word) => !words.known.includes(word));
    if (unknown.length > 0) {
      throw new RangeError(`there is no ${words.name} ${unknown.join(', ')}; there are ${words.known.join(', ')}`);
    }
    return {
      values: Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          all[name].kind === 'number' ? toNumber(name, value) : value,
        ]),
      ),
      words: positionals,
    };
  } catch (error) {
    if (!(error instanceof RangeError) && !error.code?.startsWith('ERR_PARSE_ARGS_')) throw error;
    process.stderr.write(`${error.message}\nRun it with --help for what it takes.\n`);
    process.exit(2);
  }
}

function toParsed({ kind, default: usual }) {
  return {
    type: kind === 'flag' ? 'boolean' : 'string',
    multiple: kind === 'texts',
    ...(usual === undefined ? {} : { default: usual }),
  };
}

function toNumber(name, text) {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new RangeError(`--${name} is a whole number above 0, not "${text}"`);
  return Number(text);
}

function describe(about, options, words) {
  const rows = Object.entries(options).map(([name, { about: text, kind, default: usual }]) => [
    kind === 'flag' ? `--${name}` : `--${name} <${kind === 'number' ? 'number' : 'text'}>`,
    `${text}${usual === undefined ? '' : ` (${usual})`}${kind === 'texts' ? '; may be repeated' : ''}`,
  ]);
  const wide = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, text]) => `  ${name.padEnd(wide)}  ${text}`);
  const following = words === undefined ? [] : [`  ${words.name}s: ${words.known.join(', ')}`];
  return `${[about, ...following, ...lines].join('\n')}\n`;
}
