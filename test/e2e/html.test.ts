import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import which from 'which';
import type { JsonObject } from '../../src/lib/json.ts';
import type { Columns } from '../../src/output/columns.ts';
import { createHtml } from '../../src/output/formats/html.ts';
import type { Facts } from '../../src/output/renderer.ts';
import { createFolder } from '../support/files.ts';
import { startService } from '../support/service.ts';

const executablePath = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) => which.sync(name, { nothrow: true }))
  .find((path) => path !== null);
if (executablePath === undefined)
  process.stderr.write('\n*** chromium IS NOT INSTALLED: NO TEST OPENS THE PAGE OF -o html ***\n\n');

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const HOSTILE = [
  '<script>document.title="ran"</script>',
  '</td></table></main><script>document.title="ran"</script>',
  '"><img src=x onerror=document.title="ran">',
  "' onmouseover='document.title=1' x='",
  '<a href="https://example.com">here</a>',
  'https://example.com/?q=1&amp;b=2',
  'javascript:document.title="ran"',
  '{{constructor.constructor("document.title=1")()}}',
  '</style><style>*{background:url(//example.com/x)}</style>',
  '<base href="//example.com/"><link rel=stylesheet href=x>',
  '<meta http-equiv=refresh content="0;url=//example.com">',
  '<svg/onload=document.title="ran">',
  '&lt;b&gt;',
  '=HYPERLINK("//example.com")',
];

describe.skipIf(executablePath === undefined)('the page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: String(executablePath), chromiumSandbox: false });
  });
  afterAll(() => browser.close());

  async function open(html: string, options: BrowserContextOptions = {}) {
    const file = join(createFolder(), 'page.html');
    writeFileSync(file, html);
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const seen: string[] = [];
    page.on('request', (request) => seen.push(request.url()));
    page.on('console', (message) => seen.push(message.text()));
    page.on('pageerror', (error) => seen.push(error.message));
    page.on('dialog', (dialog) => seen.push(dialog.message()));
    const { href } = pathToFileURL(file);
    await page.goto(href);
    /** The shown cells of a column, as a browser shows them. */
    const column = (at: number): Promise<string[]> =>
      page.evaluate(
        `[...document.querySelectorAll('tbody tr:not([hidden]) td:nth-child(${at})')].map((td) => td.innerText)`,
      );
    /** What was requested, logged or opened besides the page itself. */
    return { page, column, listSeen: () => seen.filter((url) => url !== href) };
  }

  test('runs and requests nothing that the service said', async () => {
    const service = await startService({
      async alter(answer, { url }) {
        if (!url.includes('organization-memberships')) return answer;
        const body = (await answer.json()) as { data: { attributes: object }[] };
        const data = HOSTILE.map((email, at) => ({
          ...body.data[0],
          id: `ou-${at}`,
          attributes: { status: email, email },
        }));
        return Response.json({ data });
      },
    });
    const { stdout } = await service.run(['members', 'list', '-o', 'html']);
    const { page, column, listSeen } = await open(stdout);
    expect(await column(1)).toEqual(HOSTILE);
    for (const cell of await page.locator('td:first-child').all()) await cell.hover();
    await page.locator('th button').first().click();
    await page.locator('input').fill('<script>');
    expect(await page.title()).toBe('Members list · acme');
    expect(await page.locator('main :is(a, img, script, style, svg, base, link, meta, iframe)').count()).toBe(0);
    expect(listSeen()).toEqual([]);
    // Even markup that slipped through would load and run nothing.
    const before = service.requests.length;
    const leak = `<main><img src="${service.url}"><script>document.title = 'ran'</script>`;
    const { page: other } = await open(stdout.replace('<main>', leak));
    expect(await other.title()).toBe('Members list · acme');
    expect(service.requests).toHaveLength(before);
  });

  const PEOPLE = Array.from({ length: 5_000 }, (_, at) => ({
    email: `person${at}@example.com`,
    status: ['active', 'invited', 'failed'][at % 3],
    teams:
      at === 7
        ? []
        : [
            { id: 't', type: 'teams', name: `team ${at % 11}` },
            { id: 'u', type: 'teams', name: 'all' },
          ],
    count: (at * 7) % 5_000,
    flag: at % 2 === 0 ? true : null,
  }));
  const COLUMNS: Columns = {
    table: [
      { header: 'EMAIL', field: 'email' },
      { header: 'STATUS', field: 'status', isState: true },
      { header: 'TEAMS', field: 'teams.name' },
      { header: 'COUNT', field: 'count', align: 'right' },
      { header: 'FLAG', field: 'flag', format: 'flag' },
    ],
  };

  /** The page of these people. */
  function format(records: JsonObject[], problems: Facts['problems'] = []): string {
    const html = createHtml();
    const { add, end } = html.rows(COLUMNS, true);
    for (const record of records) add(record);
    end();
    const facts = { title: 'Members report', command: 'orgctl members report', service: 'sandbox', orgs: ['acme'] };
    return html.end?.({ ...facts, now: 0, version: 'orgctl 1', part: '', more: {}, isOfWrite: false, problems }) ?? '';
  }

  const HTML = format(PEOPLE, [{ item: 'globex', text: "you don't have permission" }, { text: 'owner of ana' }]);

  test('sorts 5,000 rows by mouse and keyboard: numbers as numbers, what is missing last', async () => {
    const { page, column, listSeen } = await open(HTML);
    const header = (name: string) => page.getByRole('columnheader', { name });
    await header('Count').getByRole('button').click();
    expect((await column(4)).slice(0, 3)).toEqual(['0', '1', '2']);
    await page.keyboard.press('Enter');
    expect((await column(4))[0]).toBe('4999');
    expect(await header('Count').getAttribute('aria-sort')).toBe('descending');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Space');
    expect((await column(3)).at(-1)).toBe('');
    await header('Email').getByRole('button').click();
    expect((await column(1)).slice(9, 12)).toEqual([
      'person9@example.com',
      'person10@example.com',
      'person11@example.com',
    ]);
    expect(await page.locator('[aria-sort]').count()).toBe(1);
    expect(listSeen()).toEqual([]);
  });

  test('filters by words in any cell, and says how many rows are left', async () => {
    const { page, column } = await open(HTML);
    await page.getByLabel('Filter').fill('INVITED person49 yes');
    expect(await column(1)).toEqual(
      PEOPLE.filter((one, at) => /n49/.test(one.email) && at % 6 === 4).map(({ email }) => email),
    );
    expect(await page.getByRole('status').textContent()).toMatch(/^\d+ of 5,000 rows$/);
    await page.getByLabel('Filter').fill('');
    expect(await column(1)).toHaveLength(5_000);
    expect(await page.getByRole('status').textContent()).toBe('');
  });

  test('has everything without JavaScript, and no button that does nothing', async () => {
    const { page } = await open(HTML, { javaScriptEnabled: false });
    expect(await page.locator('tbody tr').count()).toBe(5_000);
    expect(await page.locator('button:visible, input:visible').count()).toBe(0);
  });

  test('is printed whole, with the header on each sheet', async () => {
    const { page } = await open(format(PEOPLE.slice(0, 200)));
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    const sheets = pdf.match(/\/Type \/Page\b/g)?.length ?? 0;
    expect(sheets).toBeGreaterThan(3);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.filter').isVisible()).toBe(false);
    const box = await page.locator('.table').evaluate((node) => [node.clientHeight, node.scrollHeight]);
    expect(box[0]).toBe(box[1]);
  });

  test('fits a narrow screen', async () => {
    const { page } = await open(HTML, { viewport: { width: 375, height: 700 } });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
  });

  test.each(['light', 'dark'] as const)('can be read by everybody in the %s', async (colorScheme) => {
    const colors = new Set<string>();
    for (const html of [format(PEOPLE.slice(0, 30), [{ item: 'globex', text: 'no' }]), format([])]) {
      const { page } = await open(html, { colorScheme });
      await page.evaluate(AXE);
      const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
      expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
      colors.add(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'));
    }
    expect([...colors]).toEqual([colorScheme === 'dark' ? 'rgb(22, 25, 29)' : 'rgb(255, 255, 255)']);
  });
});
