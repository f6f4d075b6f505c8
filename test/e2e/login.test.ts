import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findFreePort } from '../support/ports.ts';
import { isWrite, startRecorder } from '../support/recorder.ts';
import { type Served, serve } from '../support/served.ts';
import { createPlace, orgctl, type Place, start } from '../support/shipped.ts';
import { readStored } from '../support/stored.ts';
import { CONTROL_C, CONTROL_D, ENTER, openTerminal, withoutStyle } from '../support/terminal.ts';

const BACKSPACE = '\u007f';
const PASTE = { start: '\u001b[200~', end: '\u001b[201~' };

const configOf = ({ home }: Place): string => join(home, '.config', 'orgctl', 'config.json');
const credentialsOf = ({ home }: Place): string => join(home, '.config', 'orgctl', 'credentials.json');

describe('the prompt of auth login', () => {
  test.each<[how: string, toKeys: (token: string) => readonly string[]]>([
    ['typed key by key', (token) => [...token, ENTER]],
    ['pasted with its newline', (token) => [`${token}${ENTER}`]],
    ['pasted with blanks around it', (token) => [`  ${token} ${ENTER}`]],
    ['pasted by a terminal that marks it', (token) => [`${PASTE.start}${token}${PASTE.end}`, ENTER]],
    ['typed with a slip', (token) => [`${token}xy${BACKSPACE}${BACKSPACE}`, ENTER]],
  ])('never shows a token that is %s', async (_how, toKeys) => {
    const { served, terminal, prompt } = await openLogin();
    const token = served.tokenOf('owner');
    for (const keys of toKeys(token)) terminal.type(keys);
    await terminal.until('Default organization [acme]: ');
    terminal.type(ENTER);
    const { code, screen } = await terminal.ended;
    expect(code, screen).toBe(0);
    // From the question to the result nothing is put on the screen but the end of the line.
    expect(withoutStyle(screen.slice(screen.indexOf(prompt)))).toMatch(
      /^Token \(input is hidden\): \r\n✓ Logged in to \S+ as olive-owner\r\nYour organizations: acme, globex, initech\r\n.*Default organization \[acme\]: .*✓ acme is the default\./s,
    );
    expect(readStored(credentialsOf(served))).toEqual({
      credentials: { [new URL(served.url).origin]: { token } },
    });
    expect(statSync(credentialsOf(served)).mode & 0o777).toBe(0o600);
  });

  test('takes a token longer than a line of a terminal may be', async () => {
    const { terminal } = await openLogin();
    const token = `s3cret${'x'.repeat(4090)}`;
    terminal.type(`${token}${ENTER}`);
    const { code, screen } = await terminal.ended;
    // It is whole, and the service does not know it.
    expect(code, screen).toBe(4);
    expect(screen).not.toContain('xx');
  });

  const INTERRUPTED = '\r\nInterrupted.\r\n  Nothing was stored.\r\n';
  const NOTHING = '\r\nNo token entered. Nothing was changed.\r\n';
  test.each([
    ['Ctrl-C', CONTROL_C, 130, INTERRUPTED],
    ['Ctrl-C in the middle of a token', `s3cret${CONTROL_C}`, 130, INTERRUPTED],
    ['Ctrl-D', CONTROL_D, 3, NOTHING],
    ['Enter alone', ENTER, 3, NOTHING],
    [
      'two words',
      `s3cret s3cret${ENTER}`,
      2,
      "orgctl: what was typed contains a character that tokens don't have, such as a blank",
    ],
  ])('ended by %s: the terminal is as it was', async (_name, keys, code, told) => {
    const { served, terminal, recorder } = await openLogin({ keepsState: true });
    terminal.type(keys);
    const ended = await terminal.ended;
    expect(ended.code, ended.screen).toBe(code);
    expect(ended.screen).toContain(told);
    expect(ended.screen).not.toContain('s3cret');
    expect(recorder.requests).toEqual([{ method: 'GET', path: '/api/v2/ping', authorization: undefined }]);
    expect(existsSync(credentialsOf(served))).toBe(false);
    expectRestored(served);
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('ended by %s exits with %i, and the terminal is as it was', async (signal, code) => {
    const { served, terminal } = await openLogin({ keepsState: true });
    terminal.type('s3cret');
    process.kill(Number(readFileSync(join(served.home, 'pid'), 'utf8')), signal);
    const ended = await terminal.ended;
    expect(ended.code, ended.screen).toBe(code);
    // Keys may come later than the signal: the terminal shows them again by then.
    const [shown] = ended.screen.split('Interrupted');
    expect(shown).not.toContain('s3cret');
    expectRestored(served);
  });

  test.each(['stty cols 0', 'TERM=dumb && export TERM'])('is there on a terminal with %s too', async (prepare) => {
    const { served, terminal } = await openLogin({ prepare });
    const token = served.tokenOf('owner');
    terminal.type(`${token}${ENTER}`);
    await terminal.until('Default organization [acme]: ');
    // At its end no one answers, and the login stands.
    terminal.type(CONTROL_D);
    const { code, screen } = await terminal.ended;
    expect(code, screen).toBe(0);
    expect(screen).not.toContain(token);
  });

  test('says where tokens are created', async () => {
    const { env, url, authorityFile } = await serve(['--tls']);
    const trusting = { ...env, ORGCTL_CA_FILE: authorityFile ?? '' };
    const terminal = openTerminal(['auth', 'login', '--base-url', url], { env: trusting });
    await terminal.until('(input is hidden): ');
    expect(withoutStyle(terminal.screen())).toBe(
      `Create a token at ${new URL(url).origin}/app/settings/tokens, then paste it here.\r\nToken (input is hidden): `,
    );
    terminal.type(CONTROL_C);
    expect((await terminal.ended).code).toBe(130);
  });

  test('is not there where CI is set', async () => {
    const served = await serve();
    const env = { ...served.env, ORGCTL_BASE_URL: served.url, CI: 'true' };
    const { code, screen } = await openTerminal(['auth', 'login'], { env }).ended;
    expect(code).toBe(2);
    expect(screen).toContain('orgctl: a token is needed, and prompts are off (CI is set)');
    expect(screen).not.toContain('input is hidden');
  });

  test('is followed by a question for the default organization, whose answer is checked', async () => {
    const { served, terminal } = await openLogin();
    terminal.type(`${served.tokenOf('owner')}${ENTER}`);
    await terminal.until('Default organization [acme]: ');
    terminal.type(`nope${ENTER}`);
    await terminal.until('nope is not one of your organizations. They are acme, globex, initech.');
    terminal.type(`GLOBEX${ENTER}`);
    const { code, screen } = await terminal.ended;
    expect(code, screen).toBe(0);
    expect(screen).toContain('✓ globex is the default. Another one for one command: --org acme');
    expect(readStored(configOf(served))).toEqual({ org: 'globex' });
  });

  test('ended by Ctrl-C at that question, it says what is stored, and how the default is chosen', async () => {
    const { served, terminal } = await openLogin();
    terminal.type(`${served.tokenOf('owner')}${ENTER}`);
    await terminal.until('Default organization [acme]: ');
    terminal.type(CONTROL_C);
    const { code, screen } = await terminal.ended;
    expect(code).toBe(130);
    expect(screen).toMatch(
      /\r\nInterrupted\.\r\n {2}The token is stored\. No default organization was chosen\.\r\n.*\$ orgctl settings set org acme\r\n$/s,
    );
    expect([existsSync(credentialsOf(served)), existsSync(configOf(served))]).toEqual([true, false]);
  });

  test('the terminal is as it was after Ctrl-C at a confirmation too', async () => {
    const served = await serve();
    const recorder = await startRecorder({ behind: served.url });
    const env = { ...served.as('owner'), ORGCTL_BASE_URL: recorder.url };
    const terminal = openTerminal(['audit-token', 'delete'], { env, prepare: keepState(served) });
    await terminal.until("Delete acme's audit trail token? [y/N] ");
    terminal.type(CONTROL_C);
    expect((await terminal.ended).code).toBe(130);
    expect(recorder.requests.filter(isWrite)).toEqual([]);
    expectRestored(served);
  });
});

describe('before a token is asked for', () => {
  test.each<[what: string, code: number, said: string, toUrl: (served: Served) => string | Promise<string>]>([
    [
      'a port that nothing listens on',
      9,
      'refused the connection',
      async () => `http://127.0.0.1:${await findFreePort()}`,
    ],
    ['a certificate of an unknown authority', 9, 'is signed by an unknown authority', ({ url }) => url],
    ['no TLS', 9, "doesn't use TLS", async () => (await startRecorder()).url.replace('http:', 'https:')],
    ['a path without the API', 5, "doesn't answer like HCP Terraform", async () => (await startRecorder()).url],
  ])('%s is said', async (_what, code, said, toUrl) => {
    const served = await serve(['--tls']);
    const ended = await openTerminal(['auth', 'login', '--base-url', await toUrl(served)], served).ended;
    expect(ended.code, ended.screen).toBe(code);
    expect(ended.screen).toContain(said);
    expect(ended.screen).not.toContain('input is hidden');
  });

  test('another path of the service leads to its API', async () => {
    const { env, url } = await serve();
    const ended = await openTerminal(['auth', 'login', '--base-url', `${new URL(url).origin}/wrong`], { env }).ended;
    expect(ended).toMatchObject({
      code: 5,
      screen: expect.stringContaining(`$ orgctl auth login --base-url ${url}\r\n`),
    });
  });

  test.each([401, 403, 429, 503])('an answer of %i does not stop it', async (status) => {
    const { url } = await startRecorder({ refusal: { errors: [{ status: String(status) }] } });
    const terminal = openTerminal(['auth', 'login', '--base-url', url], createPlace());
    await terminal.until('(input is hidden): ');
    terminal.type(CONTROL_C);
    expect((await terminal.ended).code).toBe(130);
  });
});

test('the authority of --ca-file is stored for every command', async () => {
  const served = await serve(['--tls']);
  const file = served.authorityFile ?? '';
  const argv = ['auth', 'login', '--base-url', served.url, '--ca-file', file, '--org', 'acme'];
  const terminal = openTerminal(argv, { env: served.env, columns: 200 });
  await terminal.until('(input is hidden): ');
  terminal.type(`${served.tokenOf('owner')}${ENTER}`);
  const { code, screen } = await terminal.ended;
  expect(code, screen).toBe(0);
  expect(withoutStyle(screen)).toMatch(/\r\nNext:\r\n {2}\$ orgctl members list\r\n/);
  expect(readStored(configOf(served))).toMatchObject({ org: 'acme', 'ca-file': file });
  expect(await orgctl(['members', 'list'], served)).toMatchObject({ code: 0 });
});

describe('a token from a pipe', () => {
  test('is waited for, and the waiting ends with a signal', async () => {
    const served = await serve();
    const [fifo, pidFile] = [join(served.home, 'fifo'), join(served.home, 'pid')];
    // Opened for both, the pipe has a writer that never writes and never ends.
    const line = `mkfifo '${fifo}' && exec 3<>'${fifo}' && orgctl auth login --debug <&3`;
    const env = { ...served.env, ORGCTL_BASE_URL: served.url, PID_FILE: pidFile };
    const running = start('sh', ['-c', `${line} & until [ -s '${pidFile}' ]; do :; done; echo started; wait $!`], {
      env,
    });
    await running.untilStdout((text) => text.includes('started'));
    process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGTERM');
    const ended = await running.ended;
    expect(ended.code, ended.stderr).toBe(143);
    expect(existsSync(credentialsOf(served))).toBe(false);
  });
});

/** `auth login` at a terminal, when it has asked. */
async function openLogin(options: { readonly prepare?: string; readonly keepsState?: boolean } = {}) {
  const served = await serve();
  const recorder = await startRecorder({ behind: served.url });
  const url = options.keepsState === true ? recorder.url : served.url;
  const env = { ...served.env, ORGCTL_BASE_URL: url, PID_FILE: join(served.home, 'pid') };
  const prepare = options.keepsState === true ? keepState(served) : options.prepare;
  const terminal = openTerminal(['auth', 'login'], { env, columns: 200, ...(prepare && { prepare }) });
  const prompt = 'Token (input is hidden): ';
  await terminal.until(prompt);
  return { served, terminal, recorder, prompt };
}

/** For a terminal: writes down how it is set before the command and after it, and calls orgctl by its name. */
function keepState({ home }: Place): string {
  const [before, after] = [join(home, 'before'), join(home, 'after')];
  // The first two words are Node and the file, for which `orgctl` stands.
  return `shift 2; set -- sh -c 'trap : HUP INT QUIT TERM; stty -a > "${before}"; orgctl "$@"; code=$?; stty -a > "${after}"; exit $code' sh "$@"`;
}

function expectRestored({ home }: Place): void {
  const [before, after] = ['before', 'after'].map((name) => readFileSync(join(home, name), 'utf8'));
  expect(before).toMatch(/ echo /);
  expect(after).toBe(before);
}
