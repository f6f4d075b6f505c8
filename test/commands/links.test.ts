import { expect, test } from 'vitest';
import type { RunOptions } from '../support/run.ts';
import { startService } from '../support/service.ts';

const BILLING = 'https://tfe.example/app/acme/settings/billing';
const LINK = `\u001b]8;;${BILLING}\u001b\\${BILLING}\u001b]8;;\u001b\\`;

/** A list that is refused by a service that says where to go. */
async function beRefused(argv: readonly string[], options: RunOptions = {}): Promise<string> {
  const service = await startService({
    alter: () =>
      Response.json(
        { errors: [{ status: '403', title: 'forbidden', detail: `Upgrade at ${BILLING}.` }] },
        { status: 403, headers: { 'content-type': 'application/vnd.api+json' } },
      ),
  });
  const { code, stderr } = await service.run(['members', 'list', '-q', ...argv], {
    tty: { stderr: true },
    ...options,
    env: { TERM: 'xterm-kitty', ...options.env },
  });
  expect(code).toBe(6);
  return stderr;
}

test('an address in what the service says is a link at a terminal that takes links', async () => {
  const stderr = await beRefused([]);
  expect(stderr.replace(/\n +/g, ' ')).toContain(`Upgrade at ${LINK}.`);
  const text = stderr.replaceAll(/\u001b\]8;;.*?\u001b\\/g, '');
  expect(text).toBe(await beRefused([], { env: { FORCE_HYPERLINK: '0' } }));
});

test.each<[string, readonly string[], RunOptions]>([
  ['in a pipe', [], { tty: {} }],
  ['in a pipe, even when forced', [], { tty: {}, env: { FORCE_HYPERLINK: '1' } }],
  ['at an unknown terminal', [], { env: { TERM: 'xterm' } }],
  ['in CI', [], { env: { CI: 'true' } }],
  ['for screen readers', ['--accessible'], {}],
  ['in json', ['-o', 'json'], { tty: {} }],
])('it is text %s', async (_name, argv, options) => {
  const stderr = await beRefused(argv, options);
  expect(stderr.replace(/\n +/g, ' ')).toContain(`Upgrade at ${BILLING}.`);
  expect(stderr).not.toContain('\u001b]8');
});

test('a token in an address is hidden before it becomes a link', async () => {
  const service = await startService({
    alter: (_answer, request) =>
      Response.json(
        {
          errors: [
            { status: '403', detail: `see https://tfe.example/${request.headers.get('authorization')?.slice(7)}/x` },
          ],
        },
        { status: 403, headers: { 'content-type': 'application/vnd.api+json' } },
      ),
  });
  const { stderr } = await service.run(['members', 'list', '-q'], {
    tty: { stderr: true },
    env: { TERM: 'xterm-kitty' },
  });
  expect(stderr).toContain('see ');
  expect(stderr).not.toContain(service.sandbox.tokenFor('owner', 'acme'));
});
