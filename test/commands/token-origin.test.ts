import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { AUTHORITY, GOOD, KEY } from '../support/certificates.ts';
import { type RunResult, run } from '../support/run.ts';
import { answer, type ScriptedServer, startScripted, type Turn } from '../support/scripted.ts';
import { createHomeOf, type Stored } from '../support/stored.ts';

/** Two services of the same host name, on two ports: a token of one must never reach the other. */
let mine: ScriptedServer;
let other: ScriptedServer;

beforeEach(async () => {
  [mine, other] = [await startTls(), await startTls()];
});

const TOKEN = 'token-of-mine';
const ELSEWHERE = 'token-of-other';

interface Source {
  readonly name: string;
  readonly argv?: readonly string[];
  env?(origin: string): Readonly<Record<string, string>>;
  stored?(origin: string, token: string): Stored;
}

const toHost = (origin: string): string => new URL(origin).host;

/** Every way to have a token that says where it belongs. */
const SOURCES: readonly Source[] = [
  { name: 'TFE_TOKEN beside TFE_ADDRESS', env: (origin) => ({ TFE_TOKEN: TOKEN, TFE_ADDRESS: origin }) },
  { name: 'TFE_TOKEN beside TFE_HOSTNAME', env: (origin) => ({ TFE_TOKEN: TOKEN, TFE_HOSTNAME: toHost(origin) }) },
  { name: 'a stored token', stored: (origin, token) => ({ credentials: { credentials: { [origin]: { token } } } }) },
  {
    name: 'a profile named by --profile',
    argv: ['--profile', 'work'],
    stored: (origin, token) => toProfile(origin, token),
  },
  {
    name: 'a profile named by ORGCTL_PROFILE',
    env: () => ({ ORGCTL_PROFILE: 'work' }),
    stored: (origin, token) => toProfile(origin, token),
  },
  {
    name: 'terraform login',
    stored: (origin, token) => ({ terraform: { credentials: { [toHost(origin)]: { token } } } }),
  },
];

/** The base URL is another one than the profile's: what an option or a later edit of the file may bring about. */
function toProfile(origin: string, token: string): Stored {
  return {
    config: { profiles: { work: { org: 'acme' } } },
    credentials: { profiles: { work: { origin, token } } },
  };
}

describe.each(SOURCES)('the token of $name', (source) => {
  test('is sent to its own service', async () => {
    const { code, stderr } = await ask(source, mine);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(sentTo(mine)).toEqual([`Bearer ${TOKEN}`]);
    expect(other.requests).toEqual([]);
  });

  test('is never sent to another', async () => {
    const { code, stdout, stderr } = await ask(source, other);
    expect({ code, stdout }, stderr).toEqual({ code: 4, stdout: '' });
    const ofProfile = source.name.startsWith('a profile') ? ' in profile work' : '';
    expect(stderr).toContain(
      `no token for ${toHost(other.origin)}${ofProfile} (you have one for ${toHost(mine.origin)})\n`,
    );
    expect(other.connections() + mine.connections()).toBe(0);
    expect(stderr).not.toContain(TOKEN);
  });

  test('is passed over for the one that belongs there', async () => {
    const { code, stderr } = await ask(source, other, { ORGCTL_TOKEN: ELSEWHERE });
    expect(code, stderr).toBe(0);
    // Named by its option, a profile comes before the environment, but not with a token of another service.
    expect(sentTo(other)).toEqual([`Bearer ${ELSEWHERE}`]);
  });

  test('does not follow a redirect', async () => {
    const away = await startTls(
      answer(307, undefined, { location: `${other.origin}/api/v2/organization-memberships` }),
    );
    const { code } = await ask(source, away, {}, away);
    expect(code).toBe(9);
    expect(sentTo(away)).toEqual([`Bearer ${TOKEN}`]);
    expect(other.connections()).toBe(0);
  });
});

test('TF_TOKEN_<host> is for the port of https alone', async () => {
  const { code, stderr } = await ask({ name: '', env: () => ({ TF_TOKEN_127_0_0_1: TOKEN }) }, other);
  expect(code).toBe(4);
  expect(stderr).toContain(
    `no token for ${toHost(other.origin)} (you have one for 127.0.0.1)\n  The token in TF_TOKEN_127_0_0_1 is for https://127.0.0.1.\n`,
  );
  expect(other.connections()).toBe(0);
});

test('with every source at once each service gets its own token', async () => {
  const env = { TFE_TOKEN: TOKEN, TFE_ADDRESS: mine.origin };
  const stored: Stored = {
    config: { profiles: { work: { org: 'acme' } } },
    credentials: {
      credentials: { [mine.origin]: { token: TOKEN }, [other.origin]: { token: ELSEWHERE } },
      profiles: { work: { origin: mine.origin, token: TOKEN } },
    },
    terraform: { credentials: { [toHost(mine.origin)]: { token: TOKEN } } },
  };
  const all: Source = { name: '', env: () => env, stored: () => stored };
  expect(await ask(all, mine)).toMatchObject({ code: 0 });
  expect(await ask(all, other)).toMatchObject({ code: 0 });
  expect(sentTo(mine)).toEqual([`Bearer ${TOKEN}`]);
  expect(sentTo(other)).toEqual([`Bearer ${ELSEWHERE}`]);
});

test('auth status asks each service with its own token', async () => {
  const home = prepare({
    config: { 'base-url': `${other.origin}/api/v2`, profiles: { work: { 'base-url': `${mine.origin}/api/v2` } } },
    credentials: {
      credentials: { [other.origin]: { token: ELSEWHERE } },
      profiles: { work: { origin: mine.origin, token: TOKEN } },
    },
  });
  const { code, stderr } = await run(['auth', 'status', '--ca-file', join(home, 'ca.pem')], { home });
  expect(code, stderr).toBe(0);
  expect(new Set(sentTo(mine))).toEqual(new Set([`Bearer ${TOKEN}`]));
  expect(new Set(sentTo(other))).toEqual(new Set([`Bearer ${ELSEWHERE}`]));
});

test('auth login shows the token to the service in force alone, and stores it for that one', async () => {
  const home = prepare({});
  const argv = ['--base-url', `${mine.origin}/api/v2`, '--ca-file', join(home, 'ca.pem')];
  expect(await run(['auth', 'login', ...argv], { home, stdin: TOKEN })).toMatchObject({ code: 0 });
  expect(new Set(sentTo(mine))).toEqual(new Set([`Bearer ${TOKEN}`]));
  const elsewhere = ['--base-url', `${other.origin}/api/v2`, '--ca-file', join(home, 'ca.pem')];
  expect(await run(['members', 'mine', ...elsewhere], { home })).toMatchObject({ code: 4 });
  expect(other.connections()).toBe(0);
});

/** Asks `asked` for something, with a token of `owner`. */
async function ask(
  source: Source,
  asked: ScriptedServer,
  more: Readonly<Record<string, string>> = {},
  owner: ScriptedServer = mine,
): Promise<RunResult> {
  const home = prepare(source.stored?.(owner.origin, TOKEN) ?? {});
  const argv = ['--base-url', `${asked.origin}/api/v2`, '--ca-file', join(home, 'ca.pem'), ...(source.argv ?? [])];
  return await run(['feature-sets', 'list', ...argv], { home, env: { ...source.env?.(owner.origin), ...more } });
}

function prepare(stored: Stored): string {
  const home = createHomeOf(stored);
  writeFileSync(join(home, 'ca.pem'), AUTHORITY);
  return home;
}

async function startTls(turn: Turn = answerAll): Promise<ScriptedServer> {
  return await startScripted(turn, { tls: { cert: GOOD, key: KEY } });
}

/** An account where one is asked for, and an empty list of anything else. */
const answerAll: Turn = (socket, request) => {
  const isAccount = request.target.endsWith('/account/details');
  answer(200, { data: isAccount ? { id: 'user-1', type: 'users', attributes: {} } : [] })(socket, request);
};

function sentTo({ requests }: ScriptedServer): readonly (string | undefined)[] {
  return requests.map(({ headers }) => headers.get('authorization'));
}
