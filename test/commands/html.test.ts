import { expect, test } from 'vitest';
import { unmarkFormulas } from '../../src/lib/text.ts';
import { parseCsv } from '../support/formats.ts';
import { parsePage } from '../support/html.ts';
import { run } from '../support/run.ts';
import { startService } from '../support/service.ts';

const sandbox = (line: string) => run(['--sandbox', ...line.split(' ')]);

test('a page says what was read, when, and what could not be read', async () => {
  const { code, stdout } = await sandbox('members list --org acme,globex,nope --status active -o html');
  expect(code).toBe(10);
  expect(parsePage(stdout)).toMatchObject({
    title: 'Members list',
    facts: {
      Service: 'sandbox',
      Organizations: 'acme, globex, nope',
      Command: 'orgctl members list --status active --org acme,globex,nope --sandbox',
      Time: '2026-11-21 09:00 UTC',
      Rows: '13, without what could not be read',
    },
    problems: ['nope: unknown, you are not a member of nope'],
    header: ['Organization', 'Email', 'Status', 'Teams', 'User', 'ID'],
  });
});

test.each([
  ['organizations show globex', 'globex'],
  ['organizations show globex,acme', 'acme, globex'],
  ['members plan --file -', 'acme, globex'],
])('%s: the page names %s', async (line, orgs) => {
  const stdin = 'email,organization,teams\nana@example.com,globex,owners\nada@example.com,acme,owners\n';
  const { stdout } = await run(['--sandbox', ...line.split(' '), '-o', 'html'], { stdin });
  expect(parsePage(stdout).facts['Organization'] ?? parsePage(stdout).facts['Organizations']).toBe(orgs);
});

test('an organization that could not be read has a row of what is unknown', async () => {
  const { rows } = parsePage((await sandbox('audit-token show --org acme,nope -o html')).stdout);
  expect(rows[1]).toEqual(['nope', 'unknown', 'not-found', 'unknown', 'unknown', 'unknown']);
});

test('warnings, findings and failed writes are on the page', async () => {
  const noOwners = await startService({
    alter: (answer, { url }) => (url.includes('/teams') ? new Response('', { status: 404 }) : answer),
  });
  const report = parsePage((await noOwners.run(['members', 'report', '-o', 'html'])).stdout);
  expect(report.problems).toEqual([expect.stringContaining('owner of ada.auditor@example.com')]);
  expect(report.rows.map((cells) => cells[report.header.indexOf('Owner')])).toEqual(Array(6).fill('unknown'));
  const check = await sandbox('organizations check -o html');
  expect(check.code).toBe(13);
  expect(parsePage(check.stdout).facts['Found']).toMatch(/rules: /);
  const write = await sandbox(
    'members remove milo.member@example.com nobody@example.com --ignore-missing --yes -o html',
  );
  expect(parsePage(write.stdout)).toMatchObject({
    problems: [],
    rows: [['removed', 'milo.member@example.com'], ['unchanged']].map((row) => expect.arrayContaining(row)),
  });
});

const ALL = '3 organizations: 2 ok, 9 failed, 11 unknown, 5 off';
const SOME = '2 organizations: 4 ok, 3 failed, 9 unknown, 2 off';
const UNREAD = [
  "acme: unknown, can't judge owners, token-expiry, unused-tokens and audit-trail-token",
  "globex: unknown, can't judge owners, token-expiry, unused-tokens and audit-trail-token",
  "initech: unknown, can't judge owners, token-expiry and unused-tokens",
];
const NOPE = 'nope: unknown, you are not a member of nope';

test.each([
  ['--as member --all-orgs', 10, 'acme, globex, initech', ALL, UNREAD],
  ['--org globex,nope', 10, 'globex, nope', SOME, [NOPE]],
  ['--org globex', 13, 'globex', '9 rules: 4 ok, 3 failed, 2 off', []],
])('a check %s: what was found and what is unknown', async (options, code, orgs, found, problems) => {
  const ended = await sandbox(`organizations check ${options} -o html`);
  const { facts, problems: shown } = parsePage(ended.stdout);
  const { Found, Rows, Command, Organization, Organizations = Organization } = facts;
  expect([ended.code, Found, Organizations, shown]).toEqual([code, found, orgs, problems]);
  expect(Rows).toBe(`${9 * orgs.split(', ').length}${code === 13 ? ', complete' : ''}`);
  expect(Command?.split(' --').sort()).toEqual(`orgctl organizations check ${options} --sandbox`.split(' --').sort());
});

test('a page names the values of a repeated option one by one', async () => {
  const { stdout } = await sandbox('members list --email a@b.co,c@d.co -o html');
  expect(parsePage(stdout).facts['Command']).toBe('orgctl members list --email a@b.co --email c@d.co --sandbox');
});

test.each([
  ['members list --limit 2', '2, a part of the list (--limit 2)'],
  ['members list --page 2 --page-size 4', '2, a part of the list (--page 2)'],
  ['members list --count-by status', '2, complete'],
  ['members list --search nobody', '0, complete'],
])('%s: rows %s', async (line, rows) => {
  expect(parsePage((await sandbox(`${line} -o html`)).stdout).facts['Rows']).toBe(rows);
});

test.each([
  'members list --org globex',
  'members report --org acme,globex',
  'members show olive.owner@example.com',
  'teams list',
  'providers list',
  'organizations list',
  'organizations check',
  'feature-sets list --fields name,cost,is-current',
  'audit-trail list --as audit-token',
  'auth status',
  'doctor',
])('%s has the cells of csv, and words', async (line) => {
  const { stdout } = await sandbox(`${line} -o html`);
  const [, ...rows] = parseCsv((await sandbox(`${line} -o csv`)).stdout);
  const page = parsePage(stdout);
  const cells = page.labels.length > 0 ? [page.rows.flat()] : page.rows;
  expect(cells.map((row) => row.length)).toEqual(rows.map((row) => row.length));
  const words: Record<string, string[]> = {
    true: ['yes', 'true'],
    false: ['no', 'false'],
    '': ['', 'unknown', 'never'],
  };
  const expected = rows.map((row) => row.map((cell) => words[unmarkFormulas(cell)] ?? [unmarkFormulas(cell)]));
  for (const [at, row] of expected.entries())
    for (const [column, texts] of row.entries()) expect(texts).toContain(cells[at]?.[column]);
});

test('a list that could not be read whole prints nothing', async () => {
  const { code, stdout } = await sandbox('members list --org nope -o html');
  expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
});

test.each(['audit-trail follow --once --cursor x --as audit-token -o html', 'members list -o html --query []'])(
  '%s is refused',
  async (line) => expect(await sandbox(line)).toMatchObject({ code: 2, stdout: '' }),
);

test('a page holds no secret', async () => {
  const service = await startService();
  const token = String(service.as('owner')['ORGCTL_TOKEN']);
  const { stdout } = await service.run(['members', 'list', '--search', token, '-o', 'html']);
  expect(stdout).not.toContain(token);
  expect(parsePage(stdout).facts['Command']).toBe('orgctl members list --search [removed]');
});
