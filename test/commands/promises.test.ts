import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT_CODES } from '../../src/lib/exit-codes.ts';
import { FORMAT_NAMES } from '../../src/output/formats.ts';
import { KEY } from '../support/certificates.ts';
import { createRows, startListed, toSheet } from '../support/listed.ts';
import { run } from '../support/run.ts';
import { answer, startScripted } from '../support/scripted.ts';
import { SELF_SIGNED } from '../support/self-signed.ts';
import { type SentRequest, startService } from '../support/service.ts';
import { createHomeOf } from '../support/stored.ts';

/** What an administrator, a script or a job relies on. */

const AT_TERMINAL = { stdin: true, stderr: true };
/** For a server that is not the sandbox. */
const SOMEBODY = { ORGCTL_ORG: 'acme', ORGCTL_TOKEN: 'a-token-of-tests' };

const idsOf = (rows: readonly { readonly id?: unknown }[]): readonly unknown[] => rows.map(({ id }) => id);
const writesOf = (requests: readonly SentRequest[]): readonly string[] =>
  requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);

describe('a list', () => {
  test('is read to its end however long it is, and its totals are shown as they were sent or not at all', async () => {
    const rows = createRows(2_101);
    const service = await startListed((asked) => toSheet(rows, asked));
    expect(idsOf(JSON.parse((await service.read('-o', 'json')).stdout))).toEqual(idsOf(rows));
    const env = { ...SOMEBODY, ORGCTL_BASE_URL: service.url };
    const raw = ['api', 'GET', '/organizations/acme/organization-memberships'];
    const whole = JSON.parse((await run([...raw, '--all'], { env })).stdout);
    expect(idsOf(whole.data)).toEqual(idsOf(rows));
    expect(whole.meta).toBe(undefined);
    const page = JSON.parse((await run([...raw, '-f', 'page[size]=100'], { env })).stdout);
    expect(page.meta.pagination).toEqual(toSheet(rows, { number: 1, size: 100 }).pagination);
  });

  test('without rows is an empty list in every format', async () => {
    const service = await startService();
    const printed = await Promise.all(
      FORMAT_NAMES.map(async (format) => {
        const { code, stdout } = await service.run(['providers', 'list', '-s', 'no-such-name', '-o', format]);
        return [format, code, stdout];
      }),
    );
    expect(printed).toEqual([
      ['table', 0, ''],
      ['tsv', 0, ''],
      ['csv', 0, 'address,created-at,id\n'],
      ['json', 0, '[]\n'],
      ['ndjson', 0, ''],
      ['markdown', 0, ''],
    ]);
  });

  test('is as long at a terminal as elsewhere: no number of rows is shown first', async () => {
    const service = await startService({ seed: { kind: 'members', count: 120 } });
    const table = await service.run(['members', 'list', '-o', 'table', '--fields', 'id'], {
      tty: { stdin: true, stdout: true, stderr: true },
    });
    const { stdout } = await service.run(['members', 'list', '-o', 'tsv', '--fields', 'id']);
    const ids = stdout.trimEnd().split('\n');
    expect(ids.length).toBeGreaterThanOrEqual(120);
    expect(table.stdout.match(/ou-\w+/g)).toEqual(ids);
  });

  test('passes on a status that nobody has heard of', async () => {
    const rows = createRows(3).map((row, index) => ({ ...row, status: index === 1 ? 'inactive' : row.status }));
    const service = await startListed((asked) => toSheet(rows, asked));
    for (const format of ['tsv', 'csv', 'json', 'ndjson', 'table']) {
      const { code, stdout } = await service.read('-o', format);
      expect({ code, ids: [...new Set(stdout.match(/\bou-\d/g))] }).toEqual({ code: 0, ids: ['ou-0', 'ou-1', 'ou-2'] });
      expect(stdout.match(/inactive/g)).toHaveLength(1);
    }
  });

  test('whose pages do not advance is given up with exit 10', async () => {
    const rows = createRows(250);
    const service = await startListed(({ size }) => toSheet(rows, { number: 1, size }));
    const { code, stdout } = await service.read('-o', 'json');
    expect({ code, stdout }).toEqual({ code: EXIT_CODES.incomplete, stdout: '' });
    expect(service.requests.length).toBeLessThan(30);
    const stopping = await startListed(({ size, before }) => ({
      ...toSheet(rows.slice(0, size), { number: 1, size }),
      // A client that believed it would stop here, much later.
      pagination: { 'next-page': before < 60 ? before + 2 : null },
    }));
    expect((await stopping.read('-o', 'json')).code).toBe(EXIT_CODES.incomplete);
    expect(stopping.requests.length).toBeLessThan(30);
  });
});

describe('a write', () => {
  test('is agreed to for what it does: no answer and no setting agrees to another one', async () => {
    const service = await startService();
    const typed = async (argv: string, stdin: string): Promise<number> =>
      (await service.run(argv.split(' '), { tty: AT_TERMINAL, stdin: `${stdin}\n` })).code;
    expect(await typed('audit-token delete', 'acme')).toBe(EXIT_CODES.cancelled);
    expect(await typed('providers delete private/acme/inventory', 'acme')).toBe(EXIT_CODES.cancelled);
    expect(writesOf(service.requests)).toEqual([]);
    // After one was agreed to the next is asked about again.
    expect(await typed('providers delete private/acme/inventory', 'y')).toBe(0);
    expect(await typed('providers delete public/hashicorp/aws', '')).toBe(EXIT_CODES.cancelled);
    expect((await service.run(['settings', 'set', 'yes', 'true'])).code).toBe(EXIT_CODES.usage);
    expect((await service.run(['audit-token', 'delete'], { env: { ORGCTL_YES: '1' } })).code).toBe(EXIT_CODES.usage);
    expect(writesOf(service.requests)).toEqual([
      'DELETE /api/v2/organizations/acme/registry-providers/private/acme/inventory',
    ]);
  });
});

describe('what a script relies on', () => {
  test('each kind of refusal has an exit code of its own', async () => {
    const EXITS = { 400: 7, 401: 4, 403: 6, 404: 5, 409: 7, 422: 7, 429: 8, 500: 9, 503: 9 };
    for (const [status, exit] of Object.entries(EXITS)) {
      const { origin } = await startScripted(answer(Number(status), { errors: [{ status, title: 'scripted' }] }));
      const { code } = await run(['members', 'list', '--max-retries', '0'], {
        env: { ...SOMEBODY, ORGCTL_BASE_URL: origin },
      });
      expect({ status, code }).toEqual({ status, code: exit });
    }
    const { origin } = await startScripted(answer(200, { data: [] }), { tls: { key: KEY, cert: SELF_SIGNED } });
    const untrusted = await run(['members', 'list'], { env: { ...SOMEBODY, ORGCTL_BASE_URL: origin } });
    expect(untrusted.code).toBe(9);
  });

  test('values with spaces arrive whole, one page is printed, a 404 blames no token', async () => {
    const service = await startService();
    const found = await service.run(['api', 'GET', '/organizations/acme/teams', '--all', '-f', 'q=plat form & more']);
    expect(found.code).toBe(0);
    expect(new URL(service.requests[0]?.path ?? '', service.url).searchParams.get('q')).toBe('plat form & more');
    const whole = await service.run(['api', 'GET', '/organizations/acme/teams', '--all']);
    expect(JSON.parse(whole.stdout).data.length).toBeGreaterThan(1);
    const missing = await service.run(['members', 'show', 'ou-0000000000000000'], { org: 'acme' });
    expect(missing.code).toBe(EXIT_CODES['not-found']);
    expect(missing.stderr).not.toMatch(/log in|auth login|token is wrong/);
  });

  test('no list of settings or profiles shows a token', async () => {
    const home = createHomeOf({
      config: { org: 'acme', profiles: { work: { org: 'acme', 'base-url': 'http://127.0.0.1:1' } } },
      credentials: {
        credentials: { 'http://127.0.0.1:1': { token: 's3cret-default' } },
        profiles: { work: { origin: 'http://127.0.0.1:1', token: 's3cret-work' } },
      },
    });
    const env = { ORGCTL_BASE_URL: 'http://127.0.0.1:1' };
    for (const format of FORMAT_NAMES) {
      for (const argv of ['settings list', 'settings list --profile work', 'auth status']) {
        const { stdout, stderr } = await run([...argv.split(' '), '-o', format, '--max-retries', '0'], { home, env });
        expect(stdout).not.toBe('');
        expect(stdout + stderr).not.toContain('s3cret');
      }
    }
  });

  test('a stored output format is in force, below the environment and the option', async () => {
    const service = await startService();
    const home = createHomeOf({});
    expect((await service.run(['settings', 'set', 'output', 'csv'], { home })).code).toBe(0);
    const list = async (argv: readonly string[], env = {}): Promise<string> =>
      (await service.run(['teams', 'list', ...argv], { home, env })).stdout;
    expect(await list([])).toMatch(/^name,users-count,visibility,id\n/);
    expect(await list([], { ORGCTL_OUTPUT: 'json' })).toMatch(/^\[\n/);
    expect(await list(['-o', 'ndjson'], { ORGCTL_OUTPUT: 'json' })).toMatch(/^\{"id"/);
  });
});

describe('a new secret', () => {
  test.runIf(process.platform !== 'win32')(
    'for a later step is masked first, added to the file of outputs under a delimiter nobody knows, and a file of its own is private',
    async () => {
      const home = createHomeOf({});
      const [outputs, file] = [join(home, 'outputs'), join(home, 'job.env')];
      writeFileSync(outputs, 'before=1\n', { mode: 0o600 });
      const delimiters = new Set<string>();
      for (const seed of ['one', 'another']) {
        const service = await startService();
        const to = ['--to', 'github-output:AUDIT', '--to', `env-file:${file}#AUDIT`];
        const { code, stdout, stderr } = await service.run(
          ['audit-token', 'rotate', '--expires', '90d', ...to, '--yes'],
          {
            seed,
            home,
            env: { GITHUB_OUTPUT: outputs, GITHUB_ACTIONS: 'true' },
          },
        );
        expect(code, stderr).toBe(0);
        const last = readFileSync(outputs, 'utf8').split('\n').slice(-4);
        const [, secret = ''] = last;
        expect(last).toEqual([expect.stringMatching(/^AUDIT<<orgctl-[0-9a-f]{32}$/), secret, last[0]?.slice(7), '']);
        expect(secret).toMatch(/^sandbox\.\S+$/);
        // Nothing else may show it: not the result, and stderr in the mask alone.
        expect(stderr.startsWith(`::add-mask::${secret}\n`) || stderr.includes(`\n::add-mask::${secret}\n`)).toBe(true);
        expect((stdout + stderr).split(secret)).toHaveLength(2);
        delimiters.add(last[0] ?? '');
        // A line of somebody else in between stays where it is.
        writeFileSync(file, `OTHER=1\n${readFileSync(file, 'utf8')}`);
      }
      expect(delimiters.size).toBe(2);
      expect(readFileSync(outputs, 'utf8')).toMatch(/^before=1\nAUDIT<</);
      expect(readFileSync(file, 'utf8')).toMatch(/OTHER=1\n/);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    },
  );
});

describe('what stderr says with a JSON format', () => {
  const LINES = [
    "--sandbox members list --query '[].{e: email'",
    '--sandbox members show nobody@example.com -o json',
    '--sandbox members list --nosuch -o json',
  ].map((line) => line.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? []);

  test.each(LINES.map((argv) => [argv]))('%j: words at a terminal, lines of JSON elsewhere', async (argv) => {
    const [shown, piped] = [await run(argv, { tty: { stderr: true } }), await run(argv)];
    const isJson = (line: string): boolean => /^\{".*\}$/.test(line);
    const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');
    expect(lines(shown.stderr).filter(isJson)).toEqual([]);
    expect(shown.stderr).not.toBe('');
    expect(lines(piped.stderr).filter((line) => !isJson(line))).toEqual([]);
    expect([shown.code, shown.stdout === '']).toEqual([piped.code, piped.stdout === '']);
  });
});
