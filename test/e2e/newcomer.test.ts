import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findFreePort } from '../support/ports.ts';
import { createPlace, ROOT, shell } from '../support/shipped.ts';

/** What README.md has a newcomer type works in an empty home, in the order in which it stands there. */

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** The blocks of a section, one after the other. */
function readBlocks(heading: string, language: 'sh' | 'console'): string {
  const [, rest = ''] = readme.split(`\n## ${heading}\n`);
  const [section = ''] = rest.split('\n## ');
  const blocks = [...section.matchAll(/^```(\w+)\n([^`]+)^```$/gm)].filter(([, kind]) => kind === language);
  expect(blocks, heading).not.toEqual([]);
  return blocks.map(([, , block = '']) => block).join('');
}

describe('a newcomer', () => {
  test('logs in, lists, rotates', async () => {
    const { env, home } = createPlace();
    const port = String(await findFreePort());
    const script = readBlocks('Log in, list, rotate', 'sh').replaceAll('8480', port);
    const ended = await shell(`set -e; trap 'kill $! 2> /dev/null' EXIT\n${script}\nexport -p > left`, {
      env,
      cwd: home,
    });
    expect(ended.code, ended.stderr).toBe(0);
    // What comes next in README is for a real service.
    expect(readFileSync(join(home, 'left'), 'utf8')).not.toContain('ORGCTL_');
    const log = readFileSync(join(home, 'sandbox.log'), 'utf8');
    expect(log).toMatch(
      new RegExp(`^ORGCTL_BASE_URL=http://127\\.0\\.0\\.1:${port}/api/v2\nsandbox\\.owner +# owner$`, 'm'),
    );
    expect(ended.stdout).toMatch(/^ou-\w+\tactive\tolive\.owner@example\.com\tolive-owner\towners$/m);
    const [, id] = /^acme\t(at-\w+)\t\S+\t\S+\ttrue\ttrue$/m.exec(ended.stdout) ?? [];
    // What is shown last is what was made.
    expect(ended.stdout.trimEnd().split('\n').at(-1)).toContain(`${id}\t`);
    expect(readFileSync(join(home, 'audit-token'), 'utf8')).toMatch(/^sandbox\.\S+$/);
    expect(ended.stdout + ended.stderr).not.toContain(readFileSync(join(home, 'audit-token'), 'utf8'));
    expect(ended.stderr).not.toMatch(/^orgctl: |^warning: /m);
  });

  test('sees the refusal that is printed there', async () => {
    const [first = '', ...expected] = readBlocks('Five minutes in the sandbox', 'console').trimEnd().split('\n');
    const { env, home } = createPlace();
    const ended = await shell(first.replace('$ ', ''), { env, cwd: home });
    const known = (lines: readonly string[]) => lines.map((line) => line.replace(/^( {2}request ).*$/, '$1…'));
    expect(known(ended.stderr.trimEnd().split('\n'))).toEqual(known(expected));
  });

  test('plays in the sandbox', async () => {
    const { env, home } = createPlace();
    const ended = await shell(`set -e\n${readBlocks('Five minutes in the sandbox', 'sh')}`, { env, cwd: home });
    expect(ended.code, ended.stderr).toBe(0);
  });
});
