import { describe, expect, test } from 'vitest';
import { createFolder } from '../support/files.ts';
import { run } from '../support/run.ts';
import { READING, WRITING } from '../support/verbs.ts';

/** What stands on a terminal, however wide it is: nothing that identifies is cut. */

const COMMANDS = [
  ...Object.entries(READING).map(([verb, argv]) => [verb, [...verb.split(' '), ...argv]] as const),
  ...Object.entries(WRITING).map(([verb, { argv }]) => [verb, [...verb.split(' '), ...argv, '--yes']] as const),
];
const EMAIL = /[\w.+-]+@[\w.-]+\.com/g;
const ID = /\b(?:ou|team|user|prov|at|fs)-[A-Za-z0-9]+/g;
const COMMAND = /^ {2}\$ .*$/gm;

async function show(argv: readonly string[], columns: number): Promise<string> {
  const home = createFolder();
  const asked = ['--sandbox', '--org', 'acme', ...(argv[0] === 'audit-trail' ? ['--as', 'org-token'] : []), ...argv];
  const { stdout, stderr } = await run(asked, {
    env: { NO_COLOR: '1' },
    home,
    columns,
    tty: { stdout: true, stderr: true },
    seed: 'widths',
  });
  return `${stdout}${stderr}`.replaceAll(home, '/home');
}

describe.each(COMMANDS)('%s', (_verb, argv) => {
  test.each([60, 80, 120])('at %i columns', async (columns) => {
    const [narrow, wide] = [await show(argv, columns), await show(argv, 200)];
    const find = (text: string, pattern: RegExp) => [...new Set(text.match(pattern) ?? [])].sort();
    expect(find(narrow, EMAIL)).toEqual(find(wide, EMAIL));
    expect(find(narrow, COMMAND)).toEqual(find(wide, COMMAND));
    expect(find(wide, ID)).toEqual(expect.arrayContaining(find(narrow, ID)));
    for (const line of narrow.split('\n')) {
      // A word that is wider than the terminal, or a command, is left whole.
      expect(line.length <= columns || line.startsWith('  $ ') || !line.trim().includes(' '), line).toBe(true);
    }
  });
});
