import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { joinLines, type RunOptions } from '../support/run.ts';
import { openTestSandbox, startService } from '../support/service.ts';

const PEOPLE = Array.from({ length: 1_000 }, (_, at) => `member-${String(at + 1).padStart(6, '0')}@example.com`);

interface Listed {
  id: string;
  attributes: { email: string };
  relationships: Record<string, { data: { id: string }[] }>;
}

interface Situation {
  /** How many people; default 300, which is three requests. */
  count?: number;
  faults?: string[];
  /** The service does people one by one, up to the first whom it refuses. */
  isOneByOne?: boolean;
  /** What is answered to the nth change of that method, in place of the service. */
  answer?: (method: string, nth: number, emails: string[]) => Response | Promise<Response> | undefined;
  /** Who leaves the organization after everybody was found. */
  gone?: string;
  /** Nobody can read the team once it was changed. */
  isHidden?: boolean;
}

const refuse = (status: number) => Response.json({ errors: [{ status: `${status}` }] }, { status });
const page = (status: number) => new Response('<html></html>', { status, headers: { 'content-type': 'text/html' } });

/** People, and the teams `new` and `old` with nobody in them. */
async function open({ count = 300, faults = [], isOneByOne, answer, gone, isHidden }: Situation) {
  const people = PEOPLE.slice(0, count);
  const sandbox = openTestSandbox({ seed: `members=${count}` });
  const sent: Record<string, number> = {};
  const done: string[] = [];
  let isWatched = false;
  const handle: typeof sandbox.handle = async (request, connection) => {
    const { method, url } = request;
    if (!isWatched || !url.includes('/teams')) return sandbox.handle(request, connection);
    if (method === 'GET') {
      const isFirst = Object.keys(sent).length === 0;
      if (isHidden && !isFirst) return refuse(403);
      if (gone !== undefined && isFirst) await service.ask('DELETE', `/organization-memberships/${idOf.get(gone)}`);
      return sandbox.handle(request, connection);
    }
    const { data } = (await request.clone().json()) as { data: Listed[] };
    const nth = (sent[method] ?? 0) + 1;
    sent[method] = nth;
    let reply = refuse(400);
    for (const people of isOneByOne ? data.map((one) => [one]) : [data]) {
      const emails = people.map(({ id }) => emailOf.get(id) ?? id);
      const part = new Request(url, { method, headers: request.headers, body: JSON.stringify({ data: people }) });
      reply = (await answer?.(method, nth, emails)) ?? (await sandbox.handle(part, connection));
      if (!reply.ok) break;
      done.push(...emails.map((email) => `${method} ${url} ${email}`));
    }
    return reply;
  };
  const service = await startService({ sandbox: { ...sandbox, handle }, faults });
  const ask = async <T>(method: string, path: string, body?: object) =>
    ((await service.ask(method, path, 'owner', body)).body as { data: T } | undefined)?.data;
  const create = async (name: string) =>
    (await ask<Listed>('POST', '/organizations/acme/teams', { data: { type: 'teams', attributes: { name } } }))?.id;
  const teams = { new: await create('new'), old: await create('old') };
  const listed: Listed[] = [];
  for (let number = 1; number <= count / 100 + 1; number += 1) {
    const path = `/organizations/acme/organization-memberships?page[size]=100&page[number]=${number}`;
    listed.push(...((await ask<Listed[]>('GET', path)) ?? []));
  }
  const emailOf = new Map(listed.map(({ id, attributes }) => [id, attributes.email]));
  const idOf = new Map(listed.map(({ id, attributes }) => [attributes.email, id]));

  async function put(team: keyof typeof teams): Promise<void> {
    const data = people.map((email) => ({ type: 'organization-memberships', id: idOf.get(email) }));
    await ask('POST', `/teams/${teams[team]}/relationships/organization-memberships`, { data });
  }
  async function read(team: keyof typeof teams): Promise<Set<string>> {
    const found = await ask<Listed>('GET', `/teams/${teams[team]}?include=organization-memberships`);
    return new Set(found?.relationships['organization-memberships']?.data.map(({ id }) => emailOf.get(id) ?? id));
  }
  const readBoth = async () => ({ new: await read('new'), old: await read('old') });

  /** Whatever happens: a row for each person, each row true, nobody done twice, and nobody without a team that they had. */
  async function run(argv: string, options: RunOptions = {}) {
    const before = await readBoth();
    const first = service.requests.length;
    isWatched = true;
    const more = ['--yes', '--fields', 'email,result,changed,error.code'];
    const { code, stdout, stderr } = await service.run([...argv.split(' '), ...more], {
      stdin: joinLines('email', ...people),
      ...options,
    });
    isWatched = false;
    const after = await readBoth();
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((row) => row.split('\t'));
    const results: Record<string, number> = {};
    for (const [, result, , error] of rows) {
      const name = [result, error].filter(Boolean).join(' ');
      results[name] = (results[name] ?? 0) + 1;
    }
    const isIn = (teams: typeof before, email = '') => [teams.new.has(email), teams.old.has(email)].join();
    const known = rows.filter(([email, result]) => result !== 'unknown' && email !== gone);
    expect(known.filter(([email, , changed]) => `${isIn(before, email) !== isIn(after, email)}` !== changed)).toEqual(
      [],
    );
    expect(rows.map(([email]) => email)).toEqual(people);
    expect(done.length).toBe(new Set(done).size);
    if (argv.includes('--from')) {
      const lost = [...before.old].filter((email) => email !== gone && isIn(after, email) === 'false,false');
      expect(lost).toEqual([]);
    }
    const requests = service.requests.slice(first);
    const reads = requests.filter(({ method }) => method === 'GET').length;
    return { code, results, writes: requests.length - reads, reads, stderr, after };
  }
  return { put, run, teams };
}

const ADD = 'teams add new --file -';
const REMOVE = 'teams remove new --file -';
const MOVE = 'teams add new --from old --file -';

test('a thousand people, named by email, take ten requests, and few readings', async () => {
  const { run } = await open({ count: 1_000 });
  const added = await run(ADD);
  expect(added).toMatchObject({ code: 0, results: { added: 1_000 }, writes: 10 });
  expect(added.reads).toBeLessThanOrEqual(25);
  expect(await run(ADD)).toMatchObject({ code: 0, results: { unchanged: 1_000 }, writes: 0 });
  expect(await run(REMOVE)).toMatchObject({ code: 0, results: { removed: 1_000 }, writes: 10 });
});

const WRONG = { added: 999, 'failed rejected': 1 };

test.each<[method: string, kind: string, at: number, code: number, results: Record<string, number>]>([
  ['POST', 'the service refuses the whole', 450, 10, WRONG],
  ['POST', 'the service refuses the whole', 1_000, 10, WRONG],
  ['POST', 'the people before are done', 1, 10, WRONG],
  ['POST', 'the people before are done', 437, 10, WRONG],
  // Whoever is gone is done.
  ['DELETE', 'the service refuses the whole', 450, 0, { removed: 1_000 }],
  ['DELETE', 'the people before are done', 437, 0, { removed: 1_000 }],
])(
  '%s of a thousand with a wrong one, and %s (%i): the others are changed',
  async (method, kind, at, code, results) => {
    const isOneByOne = kind.includes('before');
    const { run, put } = await open({ count: 1_000, isOneByOne, gone: PEOPLE[at - 1] ?? '' });
    if (method === 'DELETE') await put('new');
    const { writes, reads, ...ended } = await run(method === 'POST' ? ADD : REMOVE);
    expect(ended).toMatchObject({ code, results });
    expect(writes).toBeLessThanOrEqual(10 + 16);
    expect(reads).toBeLessThanOrEqual(14 + 16);
  },
);

const LOST = { faults: ['POST relationships: nth=2 reset-after-commit'] };
const SOME_UNKNOWN = { added: 200, 'unknown outcome-unknown': 100 };

/** Refuses the second request of a method, which has the second hundred. */
const refuseSecond =
  (status: number, which = 'POST') =>
  (method: string, nth: number) =>
    method === which && nth === 2 ? refuse(status) : undefined;
const refuseMany = (answer: () => Response) => (_method: string, _nth: number, emails: string[]) =>
  emails.length > 30 ? answer() : undefined;
const refuseOne = (_method: string, _nth: number, emails: string[]) =>
  emails.includes(PEOPLE[149] ?? '') ? refuse(403) : undefined;

test.each<[name: string, situation: Situation, code: number, results: Record<string, number>, writes: number]>([
  ['a 500', { answer: refuseSecond(500) }, 10, { added: 200, 'failed unavailable': 100 }, 3],
  ['a lost answer', LOST, 0, { added: 300 }, 3],
  ['a lost answer, and a team that nobody can read', { ...LOST, isHidden: true }, 10, SOME_UNKNOWN, 3],
  ['a 400, and a team that nobody can read', { answer: refuseSecond(400), isHidden: true }, 10, SOME_UNKNOWN, 3],
  ['a 422', { answer: refuseSecond(422) }, 0, { added: 300 }, 5],
  ['a 413 of the service', { answer: refuseMany(() => refuse(413)) }, 0, { added: 300 }, 21],
  ['a 413 of a proxy', { answer: refuseMany(() => page(413)) }, 0, { added: 300 }, 21],
  ['a 403', { answer: refuseSecond(403) }, 0, { added: 300 }, 5],
  ['a 403 for one person', { answer: refuseOne }, 10, { added: 299, 'failed forbidden': 1 }, 15],
  ['a 403 for everybody', { answer: () => refuse(403) }, 6, { 'failed forbidden': 300 }, 9],
  ['a 404', { answer: refuseSecond(404) }, 10, { added: 200, 'failed not-found': 100 }, 3],
  [
    'a 401',
    { answer: refuseSecond(401) },
    10,
    { added: 100, 'failed not-authenticated': 100, 'not-attempted': 100 },
    2,
  ],
])('%s among several requests', async (_name, situation, code, results, writes) => {
  const { run } = await open(situation);
  expect(await run(ADD)).toMatchObject({ code, results, writes });
});

test('a 500 after a part was done: each row says what the team shows', async () => {
  const answer = (_method: string, _nth: number, [email]: string[]) =>
    email === PEOPLE[137] ? refuse(500) : undefined;
  const { run } = await open({ isOneByOne: true, answer });
  const ended = await run(ADD);
  expect(ended).toMatchObject({ code: 10, results: { added: 237, 'failed unavailable': 63 }, writes: 3 });
  expect(ended.stderr).toContain(`${PEOPLE[137]}: this did not happen: add ${PEOPLE[137]} to new`);
});

test('a 403 after some were removed: they are removed, and not by somebody else', async () => {
  const answer = (_method: string, _nth: number, emails: string[]) =>
    emails.includes(PEOPLE[1] ?? '') ? refuse(403) : undefined;
  const { run, put } = await open({ count: 2, isOneByOne: true, answer });
  await put('new');
  expect(await run(REMOVE)).toMatchObject({ code: 10, results: { removed: 1, 'failed forbidden': 1 }, writes: 3 });
});

test('SIGINT in the middle: what was under way is unknown, and the same command does the rest', async () => {
  const signals = new EventEmitter();
  const answer = (_method: string, nth: number) =>
    nth === 2 ? new Promise<Response>(() => signals.emit('SIGINT')) : undefined;
  const { run } = await open({ answer });
  const stopped = await run(ADD, { signals });
  const results = { added: 100, 'unknown interrupted': 100, 'not-attempted': 100 };
  expect(stopped).toMatchObject({ code: 130, results, writes: 2 });
  expect(stopped.stderr).toContain('unknown whether this happened: add 100 people to new.');
  expect(await run(ADD)).toMatchObject({ code: 0, results: { unchanged: 100, added: 200 }, writes: 2 });
});

test.each<[name: string, situation: Situation, code: number, results: Record<string, number>, inOld: number]>([
  ['nothing is wrong', {}, 0, { moved: 300 }, 0],
  ['some can not join', { answer: refuseSecond(404) }, 10, { moved: 200, 'failed not-found': 100 }, 100],
  ['one can not join', { gone: PEOPLE[149] ?? '' }, 10, { moved: 299, 'failed rejected': 1 }, 0],
  [
    'it is unknown who joined',
    { answer: refuseSecond(500), isHidden: true },
    10,
    { moved: 200, 'unknown outcome-unknown': 100 },
    100,
  ],
  ['some can not leave', { answer: refuseSecond(404, 'DELETE') }, 10, { moved: 200, 'failed not-found': 100 }, 100],
  [
    'the token ends before anybody leaves',
    { answer: (method) => (method === 'DELETE' ? refuse(401) : undefined) },
    10,
    { 'failed not-authenticated': 300 },
    300,
  ],
])('a move of many people, and %s: nobody is without a team', async (_name, situation, code, results, inOld) => {
  const { run, put } = await open(situation);
  await put('old');
  const { after, ...ended } = await run(MOVE);
  expect(ended).toMatchObject({ code, results });
  expect(after.old.size).toBe(inOld);
});

test('a roster shares requests too, and reads those who leave a team again in one list', async () => {
  const { run, put } = await open({});
  await put('old');
  const stdin = joinLines('email,teams', ...PEOPLE.slice(0, 300).map((email) => `${email},new;security`));
  const argv = 'members apply --prune-teams --max-removals 1000 -q --file -';
  const { reads, writes, ...ended } = await run(argv, { stdin });
  expect(ended).toMatchObject({ code: 0, results: { changed: 300 } });
  expect(writes).toBeLessThanOrEqual(20);
  expect(reads).toBeLessThanOrEqual(16);
});

test('a 401 ends its organization alone', async () => {
  const service = await startService({ faults: ['POST relationships: nth=1 401'] });
  const people = ['milo-member', 'tara-team-manager', 'olive-owner'];
  const more = ['--org', 'acme,globex', '--fields', 'organization.id,result'];
  const { code, stdout } = await service.run(['teams', 'add', 'platform', ...people, ...more]);
  const rows = ['acme\tfailed', 'acme\tfailed', 'acme\tfailed', 'globex\tadded', 'globex\tadded', 'globex\tadded'];
  expect({ code, stdout }).toEqual({ code: 10, stdout: joinLines(...rows) });
});

test('a row that names a team twice is one change', async () => {
  const service = await startService();
  const stdin = 'email,teams\nada.auditor@example.com,audit;platform;PLATFORM\n';
  const argv = 'members apply -q --file - --fields result,email'.split(' ');
  expect(await service.run(argv, { stdin })).toMatchObject({ code: 0, stdout: 'changed\tada.auditor@example.com\n' });
});
