import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { CallerKind } from '../../src/sandbox/sandbox.ts';
import type { Fault } from '../support/faults.ts';
import { pass, refuse, replaceAnswer, resetAfter, resetBefore, silenceAfter, times } from '../support/faults.ts';
import { createFolder } from '../support/files.ts';
import { startFront } from '../support/front.ts';
import type { RunOptions } from '../support/run.ts';
import { hide, type ServiceOptions, startService, type TestService } from '../support/service.ts';

/** What once changed what it must not, or lost a token: judged by requests and exit codes alone. */

const JSON_API = { 'content-type': 'application/vnd.api+json' };
const AUDIT_TRAIL = '/organizations/acme/authentication-token?token=audit-trails';

interface Token {
  readonly id: string;
  readonly attributes: { readonly description: string | null };
  readonly relationships: { readonly team?: { readonly data: { readonly id: string } } };
}

/** A service with a token of that name, alone in its place. */
async function startWith(token: string, options?: ServiceOptions) {
  const service = await startService(options);
  const place = await findPlace(service, token);
  const body = { data: { type: 'authentication-token' } };
  const replace = async () => (await ask<Token>(service, 'POST', place, body)).id;
  const find = async () => (await ask<Token | undefined>(service, 'GET', place))?.id;
  return { service, replace, find, first: await replace() };
}

async function ask<Data>(service: TestService, method: string, path: string, body?: unknown): Promise<Data> {
  return ((await service.ask(method, path, 'owner', body)).body as { data: Data }).data;
}

async function findPlace(service: TestService, token: string): Promise<string> {
  if (token === 'audit-trail') return AUDIT_TRAIL;
  if (token === 'organization') return '/organizations/acme/authentication-token';
  return `/teams/${await findTeam(service, token.replace('team:', ''))}/authentication-token`;
}

async function findTeam(service: TestService, name: string): Promise<string> {
  const [team] = await ask<[Token]>(service, 'GET', `/organizations/acme/teams?filter%5Bnames%5D=${name}`);
  return team.id;
}

function listWrites({ requests }: Pick<TestService, 'requests'>): readonly string[] {
  return requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
}

const DELETIONS = [
  ['tokens delete audit-trail', 'audit-trail'],
  ['tokens delete organization', 'organization'],
  ['tokens delete team:audit', 'team:audit'],
  ['audit-token delete', 'audit-trail'],
] as const;

describe.each(DELETIONS)('%s: a deletion by place is never sent twice', (argv, token) => {
  const badGateway = replaceAnswer({ status: 502, headers: {}, body: '' });
  async function deleteThrough(fault: Fault, thenAnother = false) {
    const { service, replace, find, first } = await startWith(token);
    let made: string | undefined;
    const front = await startFront(service.sandbox, async (passing, self) => {
      if (passing.method !== 'DELETE') return await pass(passing, self);
      const act = async () => {
        const reply = await passing.act();
        if (thenAnother) made = await replace();
        return reply;
      };
      await fault({ ...passing, act }, self);
    });
    const env = { ORGCTL_BASE_URL: front.url };
    const { code, stdout } = await service.run([...argv.split(' '), '--yes', '--timeout', '1s', '-o', 'json'], { env });
    const sent = front.requests.filter(({ method }) => method === 'DELETE').length;
    return { code, sent, isFirst: (await find()) === first, left: await find(), made, names: stdout.includes(first) };
  }

  test.each([
    ['the connection breaks', resetAfter],
    ['a gateway answers', badGateway],
    ['it takes too long', silenceAfter],
  ])('the answer is lost (%s), and someone has created another one, which stays', async (_how, fault) => {
    const { made, ...done } = await deleteThrough(fault, true);
    expect(made).toBeDefined();
    expect(done).toEqual({ code: 0, sent: 1, isFirst: false, left: made, names: true });
  });

  test('the answer is lost, and none is left: it is done', async () => {
    expect(await deleteThrough(resetAfter)).toMatchObject({ code: 0, sent: 1, left: undefined });
  });

  test.each([
    ['the connection breaks', resetBefore],
    ['a gateway answers', refuse(502)],
  ])('no clear answer (%s), and the same one is there: 11', async (_how, fault) => {
    expect(await deleteThrough(fault)).toMatchObject({ code: 11, sent: 1, isFirst: true });
  });

  test('it was limited, so it was not acted on: it is sent again', async () => {
    expect(await deleteThrough(times(1, refuse(429)))).toMatchObject({ code: 0, sent: 2, left: undefined });
  });

  test('another one is there by the time of the answer to the question: 14, nothing deleted', async () => {
    const { service, replace, find } = await startWith(token);
    let made: string | undefined;
    const type = async function* () {
      made = await replace();
      yield 'y\n';
    };
    const { code } = await service.run(argv.split(' '), {
      tty: { stdin: true, stderr: true },
      host: { stdin: Object.assign(Readable.from(type()), { isTTY: true }) },
    });
    expect({ code, writes: listWrites(service), left: await find() }).toEqual({ code: 14, writes: [], left: made });
    expect(made).toBeDefined();
  });
});

describe('a file for several organizations names one in every row: else 2, before anything is changed', () => {
  const ADA = 'ada.auditor@example.com';
  const FILES: readonly (readonly [string, string])[] = [
    ['an empty cell', `email,organization\nmilo.member@example.com,acme\n${ADA},\n`],
    ['no such column', `email\n${ADA}\n`],
    ['a column of another name', `email,Organisation\n${ADA},acme\n`],
    ['addresses alone', `${ADA}\n`],
    ['JSON', JSON.stringify([{ email: 'milo.member@example.com', organization: 'acme' }, { email: ADA }])],
    ['JSON with null', JSON.stringify([{ email: ADA, organization: null }])],
  ];
  const COMMANDS = ['members remove', 'members resend', 'teams remove audit'];
  const PLACES = ['--all-orgs', '--org acme,globex'];
  const run = (service: TestService, command: string, place: string, stdin: string) =>
    service.run(`${command} --file - ${place} --yes`.split(' '), { stdin });

  test.each(COMMANDS.flatMap((command) => PLACES.map((place) => [command, place] as const)))(
    '%s %s',
    async (command, place) => {
      const service = await startService();
      for (const [, text] of FILES) {
        const { code, stdout } = await run(service, command, place, text.replaceAll(ADA, toPerson(command)));
        expect([text, code, stdout]).toEqual([text, 2, '']);
      }
      expect(listWrites(service)).toEqual([]);
      const { code } = await run(service, command, place, `email,organization\n${toPerson(command)},acme\n`);
      expect([code, listWrites(service).length > 0]).toEqual([0, true]);
      expect(service.requests.filter(({ method, path }) => method !== 'GET' && path.includes('globex'))).toEqual([]);
    },
  );

  /** Someone who is in more than one of them. */
  function toPerson(command: string): string {
    return command === 'members resend' ? 'ivan.invitee@example.com' : 'milo.member@example.com';
  }
});

describe('where it can not be read who asks', () => {
  const TOKENS = ['organization', 'team:platform', 'team:platform/ci'];

  test.each(TOKENS.flatMap((token) => [404, 403].map((status) => [token, status] as const)))(
    'tokens delete %s is refused (%i): 2, and done with --allow-self',
    async (token, status) => {
      const hidden = Response.json({ errors: [{ status: `${status}`, title: 'no' }] }, { status, headers: JSON_API });
      const { service } = await startWith(token === 'organization' ? token : 'team:platform', {
        alter: (answer, request) => (request.url.endsWith('/account/details') ? hidden.clone() : answer),
      });
      const options: RunOptions & { as: CallerKind } = {
        home: createFolder(),
        as: token === 'organization' ? 'org-token' : 'owner',
      };
      const words = ['tokens', 'delete', token, '--yes'];
      const { code } = await service.run(words, options);
      expect({ code, writes: listWrites(service) }).toEqual({ code: 2, writes: [] });
      expect((await service.run([...words, '--allow-self'], options)).code).toBe(0);
    },
  );

  test('the audit trail token needs no such option', async () => {
    const service = await startService({ alter: hide(/account\/details/) });
    expect((await service.run('tokens delete audit-trail --yes'.split(' '))).code).toBe(0);
  });
});
