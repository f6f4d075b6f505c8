import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { expect, test } from 'vitest';
import { serve } from '../support/served.ts';
import { orgctl, shell } from '../support/shipped.ts';

test('sandbox serve --tls is asked over TLS by what it prints, and not by those who do not trust it', async () => {
  const served = await serve(['--tls']);
  const trusting = { env: served.as('owner') };
  expect(served.url).toMatch(/^https:/);
  const members = await orgctl(['members', 'list', '--limit', '1', '--fields', 'status', '-o', 'tsv'], trusting);
  expect(members).toEqual({ code: 0, stdout: 'active\n', stderr: '' });
  const { ORGCTL_CA_FILE: _, ...distrusting } = trusting.env;
  const refused = await orgctl(['members', 'list', '--max-retries', '0'], { env: distrusting });
  expect(refused).toMatchObject({ code: 9, stdout: '', stderr: expect.stringContaining('unknown authority') });
  const names = ['localhost', '127.0.0.1'];
  const ca = readFileSync(served.authorityFile ?? '');
  const statuses = names.map((name) => statusOf(served.url.replace('127.0.0.1', name), ca));
  expect(await Promise.all(statuses)).toEqual([204, 204]);
});

test('a login with --ca-file says how it is stored, and then no command needs it', async () => {
  const served = await serve(['--tls']);
  const { env } = served;
  const file = served.authorityFile ?? '';
  const login = `printenv TOKEN | orgctl auth login --base-url ${served.url} --org acme --ca-file ${file}`;
  const loggingIn = { env: { ...env, TOKEN: served.tokenOf('owner') } };
  const said = `To keep this authority for every command:\n  $ orgctl settings set ca-file ${file}\n`;
  for (const more of ['', ' --profile work']) {
    const ended = await shell(login + more, loggingIn);
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining(said) });
  }
  expect(await orgctl(['members', 'list'], { env })).toMatchObject({ code: 9 });
  expect(await orgctl(['settings', 'set', 'ca-file', file], { env })).toMatchObject({ code: 0 });
  expect(await orgctl(['members', 'list'], { env })).toMatchObject({ code: 0 });
  const again = await shell(login, loggingIn);
  expect(again.stderr).not.toContain(said);
});

function statusOf(url: string, ca: Buffer): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/ping`, { ca }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end();
  });
}
