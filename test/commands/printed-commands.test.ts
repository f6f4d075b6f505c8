import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NOW, type RunResult, run } from '../support/run.ts';
import { type SentRequest, startService, type TestService } from '../support/service.ts';
import { createHomeOf } from '../support/stored.ts';

/** Commands that orgctl prints to be pasted: run as printed, each asks the service that the command before it asked. */

const IVAN = 'ivan.invitee@example.com';
const ROSTER = join('a folder', "it's a roster.yaml");
const PRINTED = /^ {2}\$ (orgctl .*)$/gm;

interface Situation {
  readonly argv: readonly string[];
  /** What the printed command begins with after its options. */
  readonly leadsTo: string;
}

const SITUATIONS: readonly Situation[] = [
  { argv: ['members', 'plan', '--file', ROSTER, '--prune'], leadsTo: 'members apply' },
  { argv: ['members', 'remove', 'ghost@example.com', '--yes'], leadsTo: 'members list' },
  { argv: ['members', 'remove', 'a@example.com', 'b@example.com', '--yes'], leadsTo: 'members list' },
  { argv: ['members', 'resend', IVAN, '--yes'], leadsTo: 'members invite' },
  { argv: ['audit-token', 'generate', '--yes'], leadsTo: 'audit-token show' },
];

/** Takes invitations back and makes no other, and loses the answer to a new token. */
function spoil(answer: Response, request: Request): Response {
  if (request.method !== 'POST') return answer;
  return request.url.includes('authentication-token')
    ? new Response('', { status: 502 })
    : Response.json({ errors: [{ status: '422', title: 'refused' }] }, { status: 422 });
}

/** The words of a line as a shell reads them. */
function toWords(line: string): readonly string[] {
  return execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
}

function findPrinted({ stderr }: RunResult): readonly string[] {
  return [...stderr.matchAll(PRINTED)].map(([, line = '']) => line);
}

/** As whom, and of which organization; all that follows from where a command acts. */
function toTargets(requests: readonly SentRequest[]): readonly string[] {
  const targets = requests.map(
    ({ headers, path }) => `${headers.get('authorization')} ${/\/organizations\/([^/?]+)/.exec(path)?.[1] ?? '-'}`,
  );
  return [...new Set(targets)].filter((target) => !target.endsWith(' -')).sort();
}

async function startTwo(): Promise<{ here: TestService; there: TestService; home: string; token: string }> {
  const here = await startService();
  const there = await startService({ alter: spoil });
  const token = there.sandbox.tokenFor('org-token', 'acme') ?? '';
  const home = createHomeOf({
    config: { 'base-url': here.url, org: 'acme', profiles: { work: { 'base-url': there.url, org: 'acme' } } },
    credentials: {
      credentials: { [new URL(here.url).origin]: { token: here.sandbox.tokenFor('owner', 'acme') } },
      profiles: { work: { origin: new URL(there.url).origin, token } },
    },
  });
  mkdirSync(join(home, 'a folder'));
  writeFileSync(join(home, ROSTER), 'members:\n  - email: ana@example.com\n    teams: [platform]\n');
  return { here, there, home, token };
}

describe('a command that is printed acts where the command before it did', () => {
  test.each<[named: string, env: (token: string) => Record<string, string>, options: (there: TestService) => string[]]>(
    [
      ['a profile', () => ({}), () => ['--profile', 'work']],
      ['a base URL', (token) => ({ ORGCTL_TOKEN: token }), ({ url }) => ['--base-url', url]],
      ['a default profile and an organization', () => ({ ORGCTL_PROFILE: 'work' }), () => ['--org', 'acme']],
    ],
  )('%s', async (_named, toEnv, toOptions) => {
    for (const { argv, leadsTo } of SITUATIONS) {
      const { here, there, home, token } = await startTwo();
      const [env, options] = [toEnv(token), toOptions(there)];
      const first = await run([...options, ...argv], { home, env });
      const printed = [...new Set(findPrinted(first))];
      expect(printed, `${argv.join(' ')}: ${first.stderr}`).toEqual([expect.stringContaining(` ${leadsTo}`)]);
      const asked = toTargets(there.requests);
      const before = there.requests.length;
      for (const line of printed) await run(toWords(line).slice(1), { home, env });
      const again = toTargets(there.requests.slice(before));
      expect(again.length, argv.join(' ')).toBeGreaterThan(0);
      if (asked.length > 0) expect(again, argv.join(' ')).toEqual(asked);
      expect(here.requests, argv.join(' ')).toEqual([]);
    }
  });

  test('the sandbox, as the same caller', async () => {
    const { here, there, home } = await startTwo();
    const options = ['--sandbox', '--as', 'org-token', '--org', 'acme'];
    const first = await run([...options, 'members', 'plan', '--file', ROSTER], { home });
    const [line = ''] = findPrinted(first);
    const second = await run(toWords(line).slice(1), { home });
    expect(second.stderr).toContain('(sandbox, as org-token)\n');
    expect(second.stderr).toContain('this needs confirmation');
    expect([...here.requests, ...there.requests]).toEqual([]);
  });

  test('a service that there is no token for', async () => {
    const { here, there, home } = await startTwo();
    const other = await startService();
    const first = await run(['--base-url', other.url, 'members', 'list'], { home });
    const [line = ''] = findPrinted(first);
    const stdin = other.sandbox.tokenFor('org-token', 'acme') ?? '';
    expect(await run(toWords(line).slice(1), { home, stdin })).toMatchObject({ code: 0 });
    expect(other.requests.length).toBeGreaterThan(0);
    expect([...here.requests, ...there.requests]).toEqual([]);
  });

  test('everything that names the service is carried, each option once', async () => {
    const home = createHomeOf({});
    const options = '--host h.example --ca-file ca.pem --allow-http a --allow-http b --insecure-skip-tls-verify';
    const { stderr } = await run([...options.split(' '), 'teams', 'list', '--org', 'acme'], { home });
    expect(stderr).toContain(`  $ orgctl ${options} auth login\n`);
  });
});

test('a command over several organizations prints one over the same', async () => {
  const home = createHomeOf({});
  const service = await startService();
  const earlier = await service.run(['members', 'report', '--all-orgs', '-o', 'csv']);
  writeFileSync(join(home, 'jan.csv'), earlier.stdout.split('\n').slice(0, -2).join('\n'));
  const result = await service.run(['members', 'report', '--all-orgs', '--against', 'jan.csv'], { home });
  expect(findPrinted(result)).toEqual(['orgctl members report --all-orgs -o csv']);
});

test.skipIf(process.platform === 'win32')('a path with blanks is one word of the command', async () => {
  const home = createHomeOf({ credentials: { credentials: {} } });
  const config = join(home, 'Application Support');
  mkdirSync(config);
  const path = join(config, 'credentials.json');
  writeFileSync(path, '{}');
  chmodSync(path, 0o644);
  const env = { ORGCTL_CONFIG_DIR: config, ORGCTL_STATE_DIR: join(home, 'state') };
  const { stderr } = await run(['teams', 'list', '--org', 'acme'], { home, env });
  expect(stderr).toContain(`\n  $ chmod 600 '${path}'\n`);
  const doctor = await run(['doctor', '--org', 'acme', '-o', 'json', '--base-url', 'http://127.0.0.1:9'], {
    home,
    env,
  });
  expect(doctor.stdout).toContain(`chmod 600 '${path}'`);
});

test('what is read from stdin is not there for another command', async () => {
  const service = await startService();
  const stdin = 'email,teams\nana@example.com,platform\n';
  const { code, stderr } = await service.run(['members', 'plan', '--file', '-'], { stdin, now: NOW });
  expect(code).toBe(13);
  expect(stderr).not.toContain('  $ ');
});
