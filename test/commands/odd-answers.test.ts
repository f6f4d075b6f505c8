import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../support/files.ts';
import { findPieces } from '../support/readings.ts';
import { startService, type TestService } from '../support/service.ts';

/** The new secret and the caller's token where no service has any business to put them. */

const SECRET = 'Zx9CvB7nMq2WeR.atlasv1.4tY6uI8oP0aSd1fGh3jKl5ZxCvBnMqWeRtYuIoPaSdFgHjKl2468101214';

type Document = Record<string, unknown>;

/** Answers of the request that makes a token; `odd` holds the secrets, `document` what the service says. */
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
    .filter((entry) => entry.isFile() && !/^(?:place|undelivered-token-.*)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

async function search(service: TestService, argv: readonly string[], home: string, isStdoutTheirs: boolean) {
  const { code, stdout, stderr } = await service.run(argv, { home, env: { PATH: process.env['PATH'] } });
  const own = service.sandbox.tokenFor('owner', 'acme') ?? '';
  const shown = [isStdoutTheirs ? '' : stdout, stderr, readAll(home)].join('\n');
  return { code, stderr, found: [...findPieces(shown, SECRET), ...findPieces(shown + stdout, own)] };
}

test.each(PLACES)('a new token %s is not shown', async (_place, answer) => {
  const service = await startOddService((document, own) => answer(`${SECRET} ${own}`, document));
  const home = createFolder();
  const runs = [
    [['audit-token', 'generate', '--yes'], true],
    [['audit-token', 'rotate', '--expires', '90d', '--to', `file:${home}/place`], false],
    [['api', 'POST', '/organizations/acme/authentication-token?token=audit-trails', '--yes', '--quiet'], true],
  ] as const;
  for (const [argv, isStdoutTheirs] of runs) {
    for (const mode of [[], ['--debug', '-o', 'json']]) {
      const { found, stderr } = await search(service, [...argv, ...mode], home, isStdoutTheirs);
      expect(found, stderr).toEqual([]);
    }
  }
});
