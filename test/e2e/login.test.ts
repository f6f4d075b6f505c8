import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toScreen } from '../support/screen.ts';
import { serve } from '../support/served.ts';
import { orgctl } from '../support/shipped.ts';
import { readStored } from '../support/stored.ts';
import { CONTROL_C, CONTROL_D, ENTER, openTerminal } from '../support/terminal.ts';

const ARROW_DOWN = '\u001b[B';

/** `auth login` at a terminal, when it has asked for the token. */
async function openLogin() {
  const served = await serve();
  const { origin, host } = new URL(served.url);
  const env = { ...served.env, ORGCTL_BASE_URL: served.url };
  const terminal = openTerminal(['auth', 'login'], { env });
  const question = `Token for ${origin} (input is hidden):`;
  await terminal.until(question);
  const folder = join(served.home, '.config', 'orgctl');
  return { served, terminal, question, host, origin, folder };
}

test('a typed token is never shown, and the default organization is chosen', async () => {
  const { terminal, question, host, origin, folder, served } = await openLogin();
  const token = served.tokenOf('owner');
  for (const key of [...token, 'x', '\u007f', ENTER]) terminal.type(key);
  await terminal.until('> acme');
  terminal.type(ARROW_DOWN);
  await terminal.until('> globex');
  terminal.type(ENTER);
  const { code, screen } = await terminal.ended;
  expect(code, screen).toBe(0);
  expect(screen).not.toContain(token);
  const { text, sane } = await toScreen(screen, terminal.columns);
  expect(sane).toBe(true);
  expect(text.split('\n').map((line) => line.replace('█', '').trimEnd())).toEqual([
    question,
    `✓ Logged in to ${host} as olive-owner`,
    'Your organizations: acme, globex and initech',
    'Default organization globex',
    '✓ globex is the default organization',
    '',
  ]);
  expect(readStored(join(folder, 'config.json'))).toEqual({ 'base-url': served.url, org: 'globex' });
  expect(readStored(join(folder, 'credentials.json'))).toEqual({ credentials: { [origin]: { token } } });
});

test.each([
  ['Ctrl-C', CONTROL_C, 130, 'Interrupted.'],
  ['Ctrl-C in the middle of a token', `s3cret${CONTROL_C}`, 130, 'Interrupted.'],
  ['Ctrl-D', CONTROL_D, 3, 'Cancelled.'],
  ['Enter alone', ENTER, 2, 'orgctl: the token is empty'],
  ['a wrong token', `s3cret-nobody${ENTER}`, 4, 'rejected this token'],
])('%s at the prompt stores nothing, and the terminal is as it was', async (_name, keys, expected, message) => {
  const { terminal, folder } = await openLogin();
  terminal.type(keys);
  const { code, screen } = await terminal.ended;
  expect(code, screen).toBe(expected);
  expect(screen).toContain(message);
  expect(screen).not.toContain('s3cret');
  expect((await toScreen(screen, terminal.columns)).sane).toBe(true);
  expect(existsSync(folder)).toBe(false);
});

test('where nobody can be asked and nothing is piped in: exit 2', async () => {
  const { env, url } = await serve();
  const argv = ['auth', 'login', '--base-url', url];
  expect(await orgctl(argv, { env })).toMatchObject({ code: 2, stderr: 'orgctl: stdin is empty\n' });
  const { code, screen } = await openTerminal(argv, { env: { ...env, CI: 'true' } }).ended;
  expect(code).toBe(2);
  expect(screen).toContain('orgctl: there is nobody to ask for a token');
});
