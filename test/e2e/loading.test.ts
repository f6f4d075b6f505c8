import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { createPlace, ROOT, start } from '../support/shipped.ts';

/** The files of a noun, of which each verb is a chunk of the program that is shipped. */
const FILES = readdirSync(join(ROOT, 'src/commands/members')).map((file) => basename(file, '.ts'));

const script = (argv: string[]): string => `
  process.argv = ['node', 'orgctl', ...${JSON.stringify(argv)}];
  process.on('exit', () => process.stderr.write(Object.keys(require.cache).join('\\n')));
  require(${JSON.stringify(join(ROOT, 'bin', 'orgctl.cjs'))});
`;

test.each([
  ['--help', []],
  ['members --help', []],
  ['members list --help', ['list']],
  ['members ls --help', ['list']],
  ['members mine --help', ['mine']],
  ['help members show', ['show']],
  ['feature-sets current --help', []],
])('%s loads no verb that is not named: %j', async (line, verbs) => {
  const { code, stderr } = await start(process.execPath, ['-e', script(line.split(' '))], createPlace()).ended;
  const loaded = stderr.split('\n').map((path) => basename(path).replace(/-.{8}\.cjs$/, ''));
  const own = loaded.filter((name) => FILES.includes(name) && name !== 'columns');
  expect({ code, own }).toEqual({ code: 0, own: verbs });
});
