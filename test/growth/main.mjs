// `npm run growth -- teams events`: doubles inputs, all or those with such names, and compares processor time.
// Fails if one is quadratic.

import { once } from 'node:events';
import { createServer } from 'node:http';
import process from 'node:process';
import { createViteServer } from 'vitest/node';

/** Twice the input takes about twice the time, or four times if it is quadratic. */
const MAX_RATIO = 3.3;
const FORMATS = ['table', 'tsv', 'csv', 'json', 'ndjson', 'markdown', 'html'];

const range = (count, create) => Array.from({ length: count }, (_, index) => create(index));
const link = (id) => ({ data: Array.isArray(id) ? id.map(identify) : identify(id) });
const identify = (id) => ({ id, type: `${id.split('-')[0]}s`.replace('orgs', 'organizations') });
const email = (index) => `person-${index}@example.com`;

/** `prefix`: of the email; `fields`: how many attributes more. */
function createMember(index, { prefix = '', fields = 0, org = 0 } = {}) {
  const more = Object.fromEntries(range(fields, (at) => [`field-${at}`, 'value']));
  return {
    ...{ id: `ou-${index}`, type: 'organization-memberships' },
    attributes: { status: 'active', email: `${prefix}${email(index)}`, ...more },
    relationships: { organization: link(`org-${org}`), user: link(`user-${index}`), teams: link([`team-${index}`]) },
  };
}

const createTeam = (index) => ({ id: `team-${index}`, type: 'teams', attributes: { name: `team ${index}` } });

function createEvent(index, count) {
  const timestamp = new Date(Date.UTC(2026, 10, 21) - index * 100).toISOString();
  return {
    id: `event-${count - index}`,
    version: '0',
    type: 'Resource',
    timestamp,
    auth: {},
    request: {},
    resource: {},
  };
}

const members = (count, options) => ({ members: range(count, (index) => createMember(index, options)) });
/** Each person is in a team of their own, and nobody else is an owner. */
const teams = (count) => ({ ...members(count), teams: range(count, createTeam) });
const orgs = (count) => ({ ...members(1), mine: range(count, (index) => createMember(index, { org: index })) });
const events = (count) => ({ events: range(count, (index) => createEvent(index, count)) });
const roster = (count) => `email,teams\n${range(count, (at) => `${email(at)},team ${count - 1 - at}\n`).join('')}`;

/** What grows, from where, what the service has, the command, and its standard input. */
const INPUTS = [
  ...FORMATS.flatMap((format) => [
    [`rows, ${format}`, 5_000, members, `members list -o ${format}`],
    [`letters, ${format}`, 2e6, (count) => members(1, { prefix: 'x'.repeat(count) }), `members list -o ${format}`],
    [
      ...[`columns, ${format}`, 1_000, (count) => members(4, { fields: count })],
      (count) => `members list -o ${format} --fields ${range(count, (at) => `field-${at}`)}`,
    ],
  ]),
  ['control sequences', 4e5, (count) => members(1, { prefix: '\u001b]'.repeat(count) }), 'members list -o csv'],
  ['values to count', 10_000, members, 'members list -o csv --count-by email'],
  ['pages', 1_000, members, 'members list -o ndjson --page-size 1'],
  ['organizations', 200, orgs, 'members list -o csv --all-orgs'],
  ['organizations to check', 50, orgs, 'organizations check -o csv --all-orgs'],
  ['people to invite', 3_000, teams, 'members invite --file - --dry-run', roster],
  ['people to put into a team', 3_000, teams, (count) => `teams add team-${count - 1} --file - --dry-run`, roster],
  ['a roster', 3_000, teams, 'members plan --file - --prune-teams', roster],
  ['people to remove', 3_000, teams, 'members plan --file - --prune --allow-owners', () => roster(1)],
  ['a new roster', 3_000, teams, 'members plan --init'],
  ['a report', 3_000, teams, 'members report -o csv'],
  ['names to suggest', 20_000, teams, 'teams members teem77'],
  ['events', 10_000, events, 'audit-trail list -o csv'],
  ['a backlog of events', 5_000, events, 'audit-trail follow --once --cursor cursor.json -o ndjson'],
];
let lists;
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://service');
  const [, kind, name, last] = pathname.split('/');
  const names = { 'organization-memberships': last ? 'members' : 'mine', teams: 'teams', 'audit-trail': 'events' };
  const emails = new Set(searchParams.get('filter[email]')?.split(','));
  const isFound = ({ attributes }) => emails.size === 0 || emails.has(attributes.email);
  const found = lists[names[last ?? name ?? kind]]?.filter(isFound);
  const [page, size] = ['number', 'size'].map((key) => Number(searchParams.get(`page[${key}]`) ?? 1));
  const [end, count] = [page * size, found?.length];
  const pagination = { 'total-count': count, 'next-page': end < count ? page + 1 : null };
  const list = found && { data: found.slice(end - size, end), pagination, meta: { pagination } };
  const one = kind === 'organizations' && !last && { data: { id: name, type: kind } };
  response.writeHead(one || list ? 200 : 404, { 'content-type': 'application/vnd.api+json' });
  response.end(JSON.stringify(one || list || { errors: [{ status: '404', title: 'not found' }] }));
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const env = { ORGCTL_BASE_URL: `http://127.0.0.1:${server.address().port}`, ORGCTL_TOKEN: 'a', ORGCTL_ORG: 'org-0' };
const vite = await createViteServer({ configFile: false, server: { middlewareMode: true, watch: null, ws: false } });
const { run } = await vite.ssrLoadModule('/test/support/run.ts');

async function measureProcessor([name, , create, command, input], count) {
  lists = create(count);
  const argv = typeof command === 'string' ? command : command(count);
  const seconds = [];
  for (let left = 3; left > 0; left -= 1) {
    const before = process.cpuUsage();
    const result = await run(argv.split(' '), { env, stdin: input?.(count) });
    const { user, system } = process.cpuUsage(before);
    seconds.push((user + system) / 1e6);
    if (![0, 10, 13].includes(result.code) && !name.startsWith('names')) throw new Error(`${name}: ${result.stderr}`);
  }
  return Math.min(...seconds);
}

const words = process.argv.length > 2 ? process.argv.slice(2) : [''];
for (const input of INPUTS.filter(([name]) => words.some((word) => name.includes(word)))) {
  const [name, count] = input;
  await measureProcessor(input, count / 5);
  const [once, twice] = [await measureProcessor(input, count), await measureProcessor(input, 2 * count)];
  const isQuadratic = twice / once > MAX_RATIO;
  const figures = `${once.toFixed(2)} s ${twice.toFixed(2)} s × ${(twice / once).toFixed(1)}`;
  process.stdout.write(`${name.padEnd(28)}${figures}${isQuadratic ? ' quadratic' : ''}\n`);
  if (isQuadratic) process.exitCode = 1;
}
process.exit();
