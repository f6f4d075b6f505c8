import { expect, test } from 'vitest';
import { listNames, readState, type State, startRotations, writeState } from '../support/rotations.ts';
import { AT_TERMINAL, NOW } from '../support/run.ts';
import { hide, type ServiceOptions } from '../support/service.ts';
import { addTeamToken, listDescribed } from '../support/team-tokens.ts';

const CI = 'team:platform/ci';
const NOT_DUE = `${CI} --if-expires-within 1d`;
const DAY = 86_400_000;
const LOST = 'ci 2026-11-20-0123456789abcdef';

const listOurs = async (service: Parameters<typeof listDescribed>[0]) =>
  Object.keys(await listDescribed(service)).filter((name) => name.startsWith('ci'));

/** The list of tokens lacks what this matches. */
const hideListed = (isHidden: (text: string) => boolean): NonNullable<ServiceOptions['alter']> => {
  return async (given, { url }) => {
    if (!url.includes('/team-tokens')) return given;
    const { data, ...rest } = (await given.json()) as { data: object[] };
    return Response.json({
      ...{ ...rest, data: data.filter((one) => !isHidden(JSON.stringify(one))), meta: undefined },
    });
  };
};

test.each<[string, status: number, ServiceOptions['alter']?]>([
  ['404, and it is still listed', 404],
  ['404, and no list shows the new one', 404, hideListed((text) => / 2026-/.test(text))],
  ['500', 500],
  ['500, and a reading answers 404', 500, hide(/authentication-tokens\/at-/)],
  ['403', 403],
])('an old token whose DELETE answers %s stays named: 13', async (_name, status, alter) => {
  const faults = [`DELETE authentication-token: nth=1 ${status}`];
  const { rotate, service, home, held } = await startRotations({ faults, ...(alter && { alter }) });
  const { code, stdout } = await rotate(`${CI} -o json`);
  expect([code, JSON.parse(stdout)]).toEqual([13, expect.objectContaining({ result: 'rotated', changed: true })]);
  expect([await listOurs(service), listNames(readState(home))]).toEqual([
    expect.arrayContaining(['ci']),
    'delivered retiring',
  ]);
  expect(held()).toMatch(/^sandbox/);
});

test('an old token that is gone although the DELETE answers 404 is done', async () => {
  const { rotate, service, home } = await startRotations({
    alter: (given, { method }) => (method === 'DELETE' ? new Response('{"errors":[]}', { status: 404 }) : given),
  });
  expect(await rotate(CI)).toMatchObject({ code: 0, deleted: 1 });
  expect([await listOurs(service), listNames(readState(home))]).toEqual([
    [expect.stringMatching(/^ci 2026/)],
    'delivered',
  ]);
});

test('a token that a list shows late is lost by its description, and deleted once a list shows it', async () => {
  let isLate = true;
  const { rotate, service, home } = await startRotations({
    alter: (given, request, body) => (isLate ? hideListed((text) => text.includes(LOST))(given, request, body) : given),
  });
  await rotate(`${CI} --to file:/`);
  await addTeamToken(service, 'platform', LOST);
  writeState(home, { sent: { at: new Date(NOW).toISOString(), description: LOST } });
  expect(await rotate(NOT_DUE)).toMatchObject({ code: 13, created: 2 });
  expect(readState(home)).toMatchObject({ retiring: [{ description: LOST }] });
  isLate = false;
  expect(await rotate(NOT_DUE)).toMatchObject({ code: 0, created: 0, deleted: 1 });
  expect([await listOurs(service), listNames(readState(home))]).toEqual([
    [expect.stringMatching(/^ci 2026-11-21/)],
    'delivered',
  ]);
});

test.each([
  [0, 422, 7],
  [1, 403, 6],
])('a POST that is refused changes nothing after %i whose description was taken: %i', async (taken, status, code) => {
  const { rotate, service, home } = await startRotations({
    faults: [`POST authentication-tokens: nth=${taken + 1} ${status}`],
    alter: hideListed((text) => text.includes(LOST)),
  });
  await rotate(`${CI} --to file:/`);
  if (taken) await addTeamToken(service, 'platform', LOST);
  const state: State = taken ? { sent: { at: new Date(NOW).toISOString(), description: LOST } } : {};
  writeState(home, { shown: true, ...state });
  expect(await rotate(CI)).toMatchObject({ code, created: taken });
  expect(readState(home)).toEqual({ version: 1, shown: true, ...state });
});

/** What the service says to the saved secret. */
test.each<[string, ServiceOptions['alter'] | undefined, string, object, string]>([
  ['its id', undefined, '', { code: 0, created: 0, deleted: 1 }, 'delivered'],
  ['no such route', hide(/account/), '', { code: 13, created: 0, deleted: 0 }, 'pending retiring'],
  ['no such route', hide(/account/), ' --verify-command /bin/true', { code: 0, created: 0, deleted: 1 }, 'delivered'],
  ['500', () => new Response('', { status: 500 }), '', { code: 11, created: 0, deleted: 0 }, 'pending retiring'],
])('a saved secret says by itself what becomes of it: %s%s', async (_name, answer, more, expected, left) => {
  const { rotate, service, home } = await startRotations({
    alter: (given, request, body) =>
      answer && request.url.endsWith('/account/details') && !request.headers.get('authorization')?.endsWith(owner())
        ? answer(given, request, body)
        : given,
  });
  const owner = () => service.sandbox.tokenFor('owner', 'acme') ?? '';
  await rotate(`${CI} --to file:/`);
  const { ci = '' } = await listDescribed(service);
  writeState(home, { pending: await addTeamToken(service, 'platform', LOST), retiring: [{ id: ci }] });
  expect(await rotate(`${NOT_DUE} --max-retries 0${more}`)).toMatchObject(expected);
  expect(listNames(readState(home))).toBe(left);
});

test('a token that asks is delivered by the run that finishes a killed one; the old one stays, 13', async () => {
  const { rotate, service, held, home } = await startRotations();
  const { id, secret } = await addTeamToken(service, 'owners', 'bot');
  const env = { ORGCTL_TOKEN: secret };
  const saved = await addTeamToken(service, 'owners', 'bot 2026-11-20-0123456789abcdef');
  await rotate('team:owners/bot --to file:/', { env });
  writeState(home, { pending: saved, retiring: [{ id }] });
  const { code, stdout } = await rotate('team:owners/bot -o json', { env });
  expect([code, JSON.parse(stdout)]).toEqual([13, expect.objectContaining({ result: 'delivered', changed: true })]);
  expect([held(), listNames(readState(home))]).toEqual([saved.secret, 'delivered retiring']);
  const words = 'team:owners/bot --if-expires-within 1d';
  expect(await rotate(words, { env })).toMatchObject({ code: 13, created: 0, deleted: 0 });
  expect(await rotate(`${words} --allow-self`, { env })).toMatchObject({ code: 0, created: 0, deleted: 1 });
});

test('a run that creates none asks before it deletes, and says that it has changed something', async () => {
  const { rotate, service, home, place } = await startRotations();
  await rotate(`${CI} --keep-old 1d`);
  const { ci: id } = await listDescribed(service);
  const argv = ['tokens', 'rotate', ...NOT_DUE.split(' '), '--expires', '90d', '--to', `file:${place}`];
  const run = (more: string[], options: object) =>
    service.run([...argv, ...more], { home, now: NOW + 2 * DAY, columns: 200, ...options });
  const question = `Delete the old token "ci" of team platform in acme (${id})? [y/N] `;
  const declined = await run([], { ...AT_TERMINAL, stdin: 'n\n' });
  expect([declined.code, declined.stderr]).toEqual([3, expect.stringContaining(question)]);
  expect(await run([], {})).toMatchObject({ code: 2 });
  expect(await listOurs(service)).toHaveLength(2);
  const { code, stdout } = await run(['--yes', '-o', 'json'], {});
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ changed: true, deleted: [id] })]);
});
