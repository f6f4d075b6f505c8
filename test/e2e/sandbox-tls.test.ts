import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { expect, test } from 'vitest';
import { serve } from '../support/served.ts';
import { orgctl } from '../support/shipped.ts';

test('sandbox serve --tls is asked over TLS by what it prints, and not by those who do not trust it', async () => {
  const served = await serve(['--tls']);
  const trusting = { env: served.as('owner') };
  expect(served.url).toMatch(/^https:/);
  const members = await orgctl(['members', 'list', '--limit', '1', '--fields', 'status', '-o', 'tsv'], trusting);
  expect(members).toEqual({ code: 0, stdout: 'active\n', stderr: '' });
  const { ORGCTL_CA_FILE: _, ...distrusting } = trusting.env;
  const refused = await orgctl(['members', 'list', '--max-retries', '0'], { env: distrusting });
  expect(refused).toMatchObject({ code: 9, stdout: '', stderr: expect.stringContaining('self-signed') });
  const names = ['localhost', '127.0.0.1'];
  const ca = readFileSync(served.authorityFile ?? '');
  const statuses = names.map((name) => statusOf(served.url.replace('127.0.0.1', name), ca));
  expect(await Promise.all(statuses)).toEqual([204, 204]);
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
