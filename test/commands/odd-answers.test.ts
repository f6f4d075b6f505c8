import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { few } from '../support/depth.ts';
import { createFolder } from '../support/files.ts';
import { FORMS } from '../support/forms.ts';
import { findPieces } from '../support/readings.ts';
import { startService, type TestService } from '../support/service.ts';

/** The new secret and the caller's token where no service has any business to put them. */

const SECRET = 'Zx9CvB7nMq2WeR.atlasv1.4tY6uI8oP0aSd1fGh3jKl5ZxCvBnMqWeRtYuIoPaSdFgHjKl2468101214';
const MODES = [[], ['--debug'], ['-o', 'json'], ['--debug', '-o', 'json']];

type Document = Record<string, unknown>;

/** Answers of the request that makes a token; `odd` is a secret in one of its forms, `document` what the service says. */
const PLACES: readonly (readonly [name: string, answer: (odd: string, document: Document) => Response])[] = [
  ['in meta', (odd, document) => json({ ...document, meta: { echo: [odd, { [odd]: odd }] } })],
  ['as id', (odd, { data, ...rest }) => json({ ...rest, data: { ...(data as Document), id: odd } })],
  ['as expiry', (odd, document) => withAttributes(document, { 'expired-at': odd })],
  ['as creation', (odd, document) => withAttributes(document, { 'created-at': odd, description: odd })],
  [
    'as creator',
    (odd, { data, ...rest }) =>
      json({
        ...rest,
        data: { ...(data as Document), relationships: { 'created-by': { data: { id: odd, type: 'users' } } } },
      }),
  ],
  ['as name', (odd, document) => withAttributes(document, { [odd]: odd })],
  [
    'as link',
    (odd, document) => json({ ...document, links: { self: `/api/v2/${odd}` }, included: [{ id: odd, type: odd }] }),
  ],
  ['in a header', (odd, document) => json(document, { 'x-request-id': toHeader(odd), 'tfp-appname': toHeader(odd) })],
  [
    'in another attribute, and nowhere else',
    (odd, document) => withAttributes(document, { token: undefined, value: odd }),
  ],
  ['in a body that is cut off', (odd) => new Response(`{"data":{"attributes":{"value":"${odd}","tok`, { status: 201 })],
  [
    'in a page',
    (odd) =>
      new Response(`<html><title>${odd}</title>${odd}`, { status: 201, headers: { 'content-type': 'text/html' } }),
  ],
  ['in words', (odd) => new Response(`made ${odd}`, { status: 200 })],
  [
    'in an error after all',
    (odd) => json({ errors: [{ status: '500', title: odd, detail: `made ${odd}` }, odd] }, {}, 500),
  ],
  ['in a redirect', (odd) => new Response('', { status: 307, headers: { location: `/${encodeURIComponent(odd)}` } })],
];
/** What a token that is not known can be told by. */
const LOOKS_LIKE_ONE = new Set([
  'as it is',
  'in a header',
  'as JSON',
  'in hexadecimal',
  'in base64',
  'percent-encoded',
]);
const WITHOUT_TOKEN = /nowhere else|cut off|in words|after all|redirect/;

function json(body: unknown, headers: Record<string, string> = {}, status = 201): Response {
  return Response.json(body, { status, headers: { 'content-type': 'application/vnd.api+json', ...headers } });
}

function withAttributes({ data, ...rest }: Document, attributes: Document): Response {
  const { attributes: others } = data as { attributes: Document };
  return json({ ...rest, data: { ...(data as Document), attributes: { ...others, ...attributes } } });
}

function toHeader(text: string): string {
  return text.replaceAll(/[^ -~]/g, '');
}

/** The service, whose new token is SECRET, and whose answer to the request for it is put together by `answer`. */
async function startOddService(answer: (document: Document, token: string) => Response): Promise<TestService> {
  return await startService({
    async alter(response, request) {
      if (request.method !== 'POST' || !response.ok) return response;
      const { data, ...rest } = (await response.json()) as { data: Document & { attributes: Document } };
      const document = { ...rest, data: { ...data, attributes: { ...data.attributes, token: SECRET } } };
      return answer(document, request.headers.get('authorization')?.replace('Bearer ', '') ?? '');
    },
  });
}

/** All that a run leaves below its home but for the secret's place and the file it is kept in until it is there. */
function readAll(folder: string): string {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !/^(?:place|odd.txt|undelivered-token-.*)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

async function search(service: TestService, argv: readonly string[], home: string, isStdoutTheirs: boolean) {
  const { code, stdout, stderr } = await service.run(argv, { home, env: { PATH: process.env['PATH'] } });
  const own = service.sandbox.tokenFor('owner', 'acme') ?? '';
  const shown = [isStdoutTheirs ? '' : stdout, stderr, readAll(home)].join('\n');
  return { code, stderr, found: [...findPieces(shown, SECRET), ...findPieces(shown + stdout, own)] };
}

describe.each(PLACES.map((row, at) => [...row, at] as const))('a new token %s', (place, answer, at) => {
  // Each form in some places, and each place in some forms: what is hidden does not depend on where it stood.
  const forms = FORMS.filter(([form]) => LOOKS_LIKE_ONE.has(form) || !WITHOUT_TOKEN.test(place)).filter(
    ([form], index) =>
      form === 'as it is' || (LOOKS_LIKE_ONE.has(form) ? index % few(6, 3) === at % few(6, 3) : index % 8 === at % 8),
  );
  test.each(forms.map(([form, write], index) => [form, write, index] as const))(
    'is not shown: %s',
    async (_form, write, index) => {
      const service = await startOddService((document, own) => answer(`${write(SECRET)} ${write(own)}`, document));
      const home = createFolder();
      const runs = [
        [['audit-token', 'generate', '--yes'], true],
        [['audit-token', 'rotate', '--expires', '90d', '--to', `file:${home}/place`], false],
        [['api', 'POST', '/organizations/acme/authentication-token?token=audit-trails', '--yes', '--quiet'], true],
      ] as const;
      for (const [at, [argv, isStdoutTheirs]] of runs.entries()) {
        // Each command in each mode, over all forms.
        const mode = MODES[(index + at) % MODES.length] ?? [];
        const { found, stderr } = await search(service, [...argv, ...mode], home, isStdoutTheirs);
        expect(found, stderr).toEqual([]);
      }
    },
  );
});

test("what commands print is shown without the new token and the caller's, in every form", async () => {
  const service = await startOddService((document) => json(document));
  for (const mode of MODES) {
    const home = createFolder();
    const own = service.sandbox.tokenFor('owner', 'acme') ?? '';
    const lines = FORMS.flatMap(([name, write]) => [`${name}: ${write(SECRET)}`, `${name}: ${write(own)}`]);
    writeFileSync(join(home, 'odd.txt'), `${lines.join('\n')}\n`);
    const print = `sh -c 'cat > /dev/null; cat odd.txt; cat odd.txt >&2'`;
    const argv = ['audit-token', 'rotate', '--expires', '90d', '--to', `exec:${print}`, '--verify-command', print];
    const { found, stderr } = await search(service, [...argv, ...mode], home, false);
    expect(found).toEqual([]);
    // Each of them, from both streams of both commands.
    expect(stderr.match(/\[removed\]/g)?.length, stderr).toBeGreaterThanOrEqual(FORMS.length * 2 * 4);
    for (const [name] of FORMS) expect(stderr).toContain(`${name}: `);
  }
});
