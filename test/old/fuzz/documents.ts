import fc from 'fast-check';
import { listWords } from '../../support/text.ts';
import { mutatedOf } from './bytes.ts';
import { listOf, mostly, objectOf, textOf } from './json.ts';
import { weighted } from './words.ts';

/** Bodies as services, proxies and attackers send them. */

const IDS = ['ou-1', 'ou-2', 'ou-3', 'user-1', 'team-1', 'prov-1', 'fs-1', 'at-1', 'acme'];
const TYPES = listWords(
  'organization-memberships users teams registry-providers feature-sets authentication-tokens organizations',
);
const DATES = listWords(
  '2026-11-21T09:00:00.000Z 2026-02-30T00:00:00Z 0000-00-00T00:00:00Z 2026-11-21 +275760-09-13T00:00:00Z',
);

/** An object of members by these names, each made in the same way. */
const allOf = (names: string, value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  mostly(objectOf(Object.fromEntries(listWords(names).map((name) => [name, value]))));

const id = mostly(textOf(...IDS), 30);
const type = mostly(textOf(...TYPES), 30);
const identifier = mostly(objectOf({ id, type }));
const linkage = mostly(fc.oneof(identifier, listOf(identifier, 3), fc.constant('null')));
const relationship = mostly(objectOf({ data: linkage }));
const date = mostly(textOf(...DATES));

const attributes = mostly(
  objectOf({
    name: mostly(textOf('aws', 'platform', 'owners')),
    email: mostly(textOf('ana@example.com', 'olive.owner@example.com')),
    status: mostly(textOf('active', 'invited')),
    namespace: mostly(textOf('hashicorp', 'acme')),
    'registry-name': mostly(textOf('public', 'private')),
    username: mostly(textOf('ana')),
    token: mostly(textOf('a-secret-of-some-length')),
    'created-at': date,
    'expired-at': date,
  }),
);

const relationships = allOf('user teams organization created-by', relationship);
const resource = mostly(objectOf({ id, type, attributes, relationships }), 30);

const count = mostly(fc.constantFrom('0', '1', '2', '3', '100', '1000000000', 'null', '-1', '1.5', '1e308'), 6);
const pagination = mostly(
  fc.oneof(
    allOf('current-page next-page total-pages total-count page-size', count),
    // As for a single page.
    fc.constant('{"current-page":1,"next-page":null,"total-pages":1}'),
  ),
);
const meta = mostly(objectOf({ pagination }));

export const listDocument = objectOf({
  data: mostly(listOf(resource, 5), 20),
  included: mostly(listOf(resource, 3)),
  meta: weighted([1, meta], [2, fc.constant('{}')]),
});
export const resourceDocument = objectOf({ data: resource, included: mostly(listOf(resource, 3)) });

const errorEntry = mostly(
  fc.oneof(
    textOf('not found'),
    objectOf({
      status: mostly(fc.oneof(textOf('404', '422'), fc.constantFrom('404', '429'))),
      title: mostly(textOf('invalid attribute')),
      detail: mostly(textOf('Email has already been taken')),
      source: mostly(
        objectOf({ pointer: mostly(textOf('/data/attributes/email')), parameter: mostly(textOf('page[size]')) }),
      ),
    }),
  ),
);
const errorDocument = objectOf({ errors: mostly(listOf(errorEntry)) });
const plainError = objectOf({
  error: mostly(textOf('invalid_token')),
  message: mostly(textOf('no')),
  error_description: mostly(textOf('no')),
});

const WEB_PAGE = '<!DOCTYPE html><html><head><title>Sign in</title></head><body>proxy</body></html>';

export const errorBody = mutatedOf(
  weighted(
    [6, errorDocument],
    [2, plainError],
    [1, fc.constantFrom('', WEB_PAGE, 'upstream connect error', '{"errors":', 'null', '[]')],
  ),
  ['<title', '<title>', '</title>', '<!doctype', '<html', '\r\n'],
);

/** As bytes: nearly always JSON, sometimes cut, damaged or a web page. */
export function body(proper: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return weighted(
    [8, proper.map((text) => Buffer.from(text).toString('latin1'))],
    [3, mutatedOf(proper, ['"', '{', '}', '[', ']', ',', ':', 'null', '\\u0000', '\\ud800', '"__proto__":'])],
    [1, fc.constantFrom('', WEB_PAGE, 'null', '[]', '{}', '{"data":[]}', '{"data":null}')],
  );
}
