import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseCsv, parseJsonLines, parseTsv } from '../support/formats.ts';
import { type Served, serve } from '../support/served.ts';
import { createPlace, ORGCTL, shell, start } from '../support/shipped.ts';

/** Far more than a pipe holds. */
const large = await serve(['--seed', 'members=1500', '--rate-limit', '100000'], afterAll);

/** A list as a whole, and line by line. */
const TRIED = ['json', 'tsv'] as const;

describe('a reader that has seen enough', () => {
  const lists = TRIED.map((format) => `orgctl members list -o ${format}`);
  test.each([...lists, 'orgctl --help', 'orgctl members --help', 'orgctl help exit-codes', 'orgctl settings list'])(
    'of %s is no failure',
    async (command) => {
      const line = `{ ${command}; echo "ended with $?" >&2; } | head -n 1`;
      const { stdout, stderr } = await shell(line, { env: large.as('owner') });
      expect(stdout).toMatch(/^[^\n]+\n$/);
      expect(stderr).toBe('ended with 0\n');
    },
  );

  test.each(['--help', 'help output', 'members list -o json', 'members list -o ndjson'])(
    'before the first line of %s is no failure either',
    async (words) => {
      const { code, stderr } = await runUnread(words.split(' '), large);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    },
  );

  test('of an error is no failure of its own', async () => {
    const running = start(process.execPath, [ORGCTL, 'members', 'lits'], createPlace());
    running.child.stderr?.destroy();
    expect((await running.ended).code).toBe(2);
  });
});

describe('a full disk', () => {
  test.each(['', ' -o json'])('under audit-token generate%s loses the new secret, and says so', async (format) => {
    const served = await serve();
    const line = `orgctl audit-token generate --yes${format} > /dev/full`;
    const { code, stderr } = await shell(line, { env: served.as('owner') });
    expect(code, stderr).toBe(12);
    expect(stderr).toContain("acme's audit trail token was replaced, and the new one is lost: ");
  });

  test.each(TRIED)('under members list -o %s is a failure in plain words', async (format) => {
    const line = `orgctl members list --limit 3 -o ${format} > /dev/full`;
    const { code, stderr } = await shell(line, { env: large.as('owner') });
    expect(code).toBe(1);
    expect(stderr).toContain('the result could not be written');
    expect(stderr).toContain('no space is left');
    expect(stderr).not.toMatch(/ENOSPC|fault of orgctl| at .*:\d+/);
  });

  // The system then takes a part, and refuses only what follows.
  test.each(['json', 'ndjson'])('that has room for a part of members list -o %s is one too', async (format) => {
    const line = `ulimit -f 4; orgctl members list --limit 50 -o ${format} > "$HOME/result"`;
    const { env, home } = createPlace();
    const { code, stderr } = await shell(line, { env: { ...large.as('owner'), ...env } });
    expect(stderr).toContain('the result could not be written');
    expect(stderr).toContain('file too large');
    expect(code).toBe(1);
    expect(statSync(join(home, 'result')).size).toBeGreaterThan(1_000);
  });

  test.each([
    ...['orgctl --help', 'orgctl --version', 'orgctl members list --help', 'orgctl help exit-codes'],
    'orgctl settings list',
  ])('under %s is one too', async (command) => {
    const { code, stderr } = await shell(`${command} > /dev/full`, createPlace());
    expect(code).toBe(1);
    expect(stderr).toMatch(/no space is left on the device|could not be written/);
  });
});

describe('a signal during a list', () => {
  const FLAGS = ['--seed', 'members=1000', '--fault', 'GET organization-memberships: nth=4 delay=600s'];

  test.each([
    ['SIGINT', 130, 'ndjson', parseJsonLines],
    ['SIGHUP', 129, 'tsv', parseTsv],
    ['SIGTERM', 143, 'csv', parseCsv],
  ] as const)('%s ends it with %i, and no half line of %s', async (signal, code, format, parse) => {
    const served = await serve(FLAGS);
    const argv = [ORGCTL, 'members', 'list', '-o', format];
    const running = start(process.execPath, argv, { env: served.as('owner') });
    // Pages after the first are asked for together: which of them is the one that hangs is chance.
    await running.untilStdout((text) => text.split('\n').length > 100);
    running.child.kill(signal);
    const ended = await running.ended;
    expect(ended.code).toBe(code);
    expect(parse(ended.stdout).length).toBeGreaterThanOrEqual(100);
    expect(ended.stderr).toContain('Interrupted.');
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends one that is printed as a whole with %i, and prints nothing', async (signal, code) => {
    const served = await serve(FLAGS);
    const argv = [ORGCTL, 'members', 'list', '-o', 'json', '--debug'];
    const running = start(process.execPath, argv, { env: served.as('owner') });
    await running.untilStderr((text) => /debug: GET \S+page%5Bnumber%5D=\d\S*: 200/.test(text));
    running.child.kill(signal);
    expect(await running.ended).toMatchObject({ code, stdout: '' });
  });
});

/** The reading end of its output is closed before it has started. */
async function runUnread(argv: readonly string[], served: Served) {
  const running = start(process.execPath, [ORGCTL, ...argv], { env: served.as('owner') });
  running.child.stdout?.destroy();
  return await running.ended;
}
