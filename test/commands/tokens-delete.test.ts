import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { withLock } from '../../src/lib/lock.ts';
import type { CallerKind } from '../../src/sandbox/callers.ts';
import { createFolder } from '../support/files.ts';
import {
  type Fault,
  pass,
  refuse,
  resetAfter,
  resetBefore,
  silenceAfter,
  startFront,
  times,
} from '../support/front.ts';
import { AT_TERMINAL } from '../support/run.ts';
import { hide, startService, type TestService } from '../support/service.ts';
import { addTeamToken, findTeam, listDescribed } from '../support/team-tokens.ts';
import { transcript } from '../support/transcript.ts';

const ORGANIZATION = '/organizations/acme/authentication-token';
const AUDIT_TRAIL = `${ORGANIZATION}?token=audit-trails`;
const BODY = { data: { type: 'authentication-token' } };
/** Tokens that are deleted by their place. */
const PLACED = ['audit-trail', 'organization', 'team:audit'];

/** A service with a new token of that name. */
async function startWith(token: string) {
  const service = await startService();
  const ofTeam = `/teams/${await findTeam(service, 'audit')}/authentication-token`;
  const place = token === 'audit-trail' ? AUDIT_TRAIL : token === 'organization' ? ORGANIZATION : ofTeam;
  const ask = async (method: string, body?: object) =>
    ((await service.ask(method, place, 'owner', body)).body as { data?: { id: string } }).data?.id;
  const replace = async () => await ask('POST', BODY);
  return { service, replace, find: async () => await ask('GET'), first: await replace() };
}

const listDeletions = ({ requests }: Pick<TestService, 'requests'>) =>
  requests.filter(({ method }) => method === 'DELETE');

describe('tokens delete', () => {
  test('says what was deleted', async () => {
    await transcript({ reads: true })`
      $ tokens delete team:platform/ci --yes
      deleted\tteam:platform/ci\tat-1\t\t
      > GET /organizations/acme/teams?page%5Bsize%5D=100
      > GET /organizations/acme/team-tokens?page%5Bsize%5D=100
      > GET /account/details
      > DELETE /authentication-tokens/at-1
      $ tokens rm organization --yes -q
      deleted\torganization\tat-2\t\t
      > GET /organizations/acme/authentication-token
      > GET /account/details
      > GET /organizations/acme/authentication-token
      > DELETE /organizations/acme/authentication-token
    `;
    await transcript({ ...AT_TERMINAL, columns: 100 })`
      $ tokens delete organization team:platform/ci --dry-run
      ! Would delete acme's organization token (never used)
      ! Would delete token "ci" of team platform (last used today)
      ! 2 tokens: 2 planned
      $ tokens delete 'team:platform/laptop of rex' --yes
      ! ✓ Deleted token "laptop of rex" of team platform
      > DELETE /authentication-tokens/at-1
      $ tokens delete organization team:platform/ci --yes
      ! ✓ Deleted acme's organization token
      ! ✓ Deleted token "ci" of team platform
      ! 2 tokens: 2 deleted
      > DELETE /organizations/acme/authentication-token
      > DELETE /authentication-tokens/at-2
    `;
  });

  test('finds a token by its id, or by its description without what a rotation added', async () => {
    const service = await startService();
    await addTeamToken(service, 'audit', 'bot 2026-11-20-0123456789abcdef');
    await addTeamToken(service, 'platform', 'ci 2026-11-20-0123456789abcdef');
    const { id } = await addTeamToken(service, 'audit', '');
    const team = await findTeam(service, 'audit');
    await service.ask('POST', `/teams/${team}/authentication-token`, 'owner', BODY);
    await transcript({ service })`
      $ tokens delete team:platform/ci --yes
      ! orgctl: 2 tokens of team platform are called "ci"
      !   at-1: ci
      !   at-2: ci 2026-11-20-0123456789abcdef
      !   → Name one by its id (at-…).
      = 2
      $ tokens delete team:audit/bot team:audit/ team:audit ${id} --yes
      deleted\tteam:audit/bot 2026-11-20-0123456789abcdef\tat-4\t\t
      deleted\tteam:audit/\tat-3\t\t
      deleted\tteam:audit\tat-5\t\t
      > DELETE /authentication-tokens/at-4
      > DELETE /authentication-tokens/at-3
      > DELETE /teams/team-audit/authentication-token
    `;
  });

  test('deletes nothing if one is not found', async () => {
    const service = await startService();
    const { ci = '' } = await listDescribed(service);
    await transcript({ service })`
      $ tokens delete organization team:platform/none --yes
      ! orgctl: team platform has no token "none" that you can see
      !   → orgctl tokens list --team platform shows them.
      = 5
      $ tokens delete organization team:platform --yes
      ! orgctl: can't show the token of team platform: not found (you are an owner of acme)
      = 5
      $ tokens delete organization at-nope --yes
      ! orgctl: can't show token at-nope: not found, or you don't have permission
      = 5
      $ tokens delete ${ci} --org globex --yes
      ! orgctl: globex has no team 'team-platform'
      !   → Teams: owners, platform, security, audit, network, data.
      = 2
    `;
  });

  test("leaves the caller's token, and what may be it", async () => {
    const service = await startService();
    const { secret } = await addTeamToken(service, 'owners', 'ci');
    await transcript({ service })`
      $ ORGCTL_TOKEN=${secret} tokens delete team:owners/ci --yes
      ! orgctl: token "ci" of team owners is the token you are using
      !   → Use --allow-self.
      = 2
      $ ORGCTL_TOKEN=${secret} tokens delete 'team:platform/laptop of rex' --yes
      deleted\tteam:platform/laptop of rex\tat-1\t\t
      > DELETE /authentication-tokens/at-1
      $ ORGCTL_TOKEN=${secret} tokens delete team:owners/ci --yes --allow-self
      deleted\tteam:owners/ci\tat-2\t\t
      > DELETE /authentication-tokens/at-2
    `;
  });

  test.each([
    ['audit-token delete', 'audit-trail'],
    ['tokens delete organization', 'organization'],
  ])('%s: not while a rotation runs: 14', async (argv, folder) => {
    const service = await startService();
    const home = createFolder();
    expect((await service.run([...argv.split(' '), '--yes'], { home })).code).toBe(0);
    await service.ask('POST', folder === 'organization' ? ORGANIZATION : AUDIT_TRAIL, 'owner', BODY);
    const path = `${home}/state/${new URL(service.url).host.replace(':', '_')}/acme/${folder}/rotation.lock`;
    const options = { what: '', hint: '', wait: 0, runtime: { now: Date.now, sleep: async () => undefined } };
    await withLock(path, { ...options, signal: new AbortController().signal }, async () => {
      const { code, stderr } = await service.run([...argv.split(' '), '--yes'], { home });
      expect([code, stderr]).toEqual([14, expect.stringContaining(`orgctl: another command that changes acme's `)]);
    });
    expect(listDeletions(service)).toHaveLength(1);
  });
});

test.each([
  [404, 5],
  [500, 11],
])(
  'tokens delete of a token that is still listed: a DELETE that answers %i and a reading that answers 404 prove nothing',
  async (status, code) => {
    const service = await startService({
      faults: [`DELETE authentication-tokens: ${status}`],
      alter: hide(/authentication-tokens\/at-/),
    });
    expect(await service.run(['tokens', 'delete', 'team:platform/ci', '--yes'])).toMatchObject({ code });
    expect(await listDescribed(service)).toHaveProperty('ci');
  },
);

describe.each(PLACED)('tokens delete %s', (token) => {
  /** What it ends with, how often it was sent, and whether the old, another or no token is left. */
  async function deleteThrough(fault: Fault, isReplaced: boolean) {
    const { service, replace, find, first } = await startWith(token);
    const front = await startFront(service.sandbox, async (passing) => {
      if (passing.method !== 'DELETE') return await pass(passing);
      const act = async () => {
        const reply = await passing.act();
        if (isReplaced) await replace();
        return reply;
      };
      await fault({ ...passing, act });
    });
    const env = { ORGCTL_BASE_URL: front.url };
    const { code } = await service.run(['tokens', 'delete', token, '--yes', '--timeout', '1s'], { env });
    const left = await find();
    const sent = front.requests.filter(({ method }) => method === 'DELETE').length;
    return [code, sent, left === undefined ? 'none' : left === first ? 'the old' : 'another'];
  }

  test.each<[fault: Fault, isReplaced: boolean, code: number, sent: number, left: string]>([
    [resetAfter, false, 0, 1, 'none'],
    [resetAfter, true, 0, 1, 'another'],
    [silenceAfter, true, 0, 1, 'another'],
    [resetBefore, false, 11, 1, 'the old'],
    [refuse(502), false, 11, 1, 'the old'],
    [times(1, refuse(429)), false, 0, 2, 'none'],
  ])('is not sent twice blindly: %o, another is created: %s, exit %i', async (fault, isReplaced, ...expected) => {
    expect(await deleteThrough(fault, isReplaced)).toEqual(expected);
  });

  test('deletes nothing if the token was replaced before the answer: 14', async () => {
    const { service, replace, find, first } = await startWith(token);
    const type = async function* () {
      await replace();
      yield 'y\n';
    };
    const { code } = await service.run(['tokens', 'delete', token], {
      tty: { stdin: true, stderr: true },
      host: { stdin: Object.assign(Readable.from(type()), { isTTY: true }) },
    });
    expect([code, listDeletions(service)]).toEqual([14, []]);
    expect([undefined, first]).not.toContain(await find());
  });
});

test.each<[token: string, as: CallerKind]>([
  ['organization', 'org-token'],
  ['team:owners', 'owner'],
  ['team:platform/ci', 'owner'],
])('tokens delete %s needs --allow-self where it can not be read who asks', async (token, as) => {
  const service = await startService({ alter: hide(/account\/details/) });
  const words = ['tokens', 'delete', token, '--yes'];
  const { code } = await service.run(words, { as });
  expect([code, listDeletions(service)]).toEqual([2, []]);
  expect(await service.run([...words, '--allow-self'], { as })).toMatchObject({ code: 0 });
  // The audit trail's can't be the one that asks.
  expect(await service.run(['tokens', 'delete', 'audit-trail', '--yes'], { as: 'owner' })).toMatchObject({ code: 0 });
});
