/** Inputs that broke a law once, each as small as it could be made, by the target that found them. */

type Regression = readonly [target: string, what: string, input: object];

const DEEP = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
const LIST = { format: 'json', columns: undefined };
const ANSWER = { request: 0, status: 200, headers: [], cut: false };
const COMMAND = { format: 'json', tty: false, debug: false };
const PAGES = { limit: null, partial: false, again: true };
const STEERING =
  '{"data":{"id":"at-1","type":"authentication-tokens","attributes":{"token":"a\\u001b]0;title\\u0007b"}}}';
const NAMELESS = '{"data":[{"id":"team-1","type":"teams","attributes":{"name":{"toString":1}}}]}';

const toList = (resource: string): string => `{"data":[{"id":"ou-1","type":"x",${resource}}]}`;

export const REGRESSIONS: readonly Regression[] = [
  ['list-answer', 'attributes that are a text', { ...LIST, body: toList('"attributes":"id"') }],
  ['list-answer', 'nested beyond the stack', { ...LIST, body: toList(`"attributes":{"a":${DEEP}}`) }],
  ['list-answer', 'a team that is null', { ...LIST, body: toList('"relationships":{"teams":{"data":[null]}}') }],
  [
    'resource-answer',
    'nested beyond the stack',
    { ...LIST, format: 'jsonapi', body: `{"data":{"id":"ou-1","type":"x","meta":${DEEP}}}` },
  ],
  [
    'error-body',
    'a status that has no text',
    {
      body: '{"errors":[{"status":{"toString":1,"valueOf":1}}]}',
      status: 409,
      type: 'application/json',
      operation: 'list-teams',
    },
  ],
  [
    'pages',
    'one page without ids, again and again',
    { ...PAGES, pages: [{ ids: [null], meta: null }], size: 1, stream: false },
  ],
  [
    'pages',
    'one page without ids, of very many',
    { ...PAGES, pages: [{ ids: [null], meta: { 'total-pages': 1e9 } }], size: null, stream: true },
  ],
  ['journal', 'nested beyond the stack', { text: `{"version":1,"newer":${DEEP}}` }],
  ['command-answers', 'a name that has no text', { ...COMMAND, command: 7, hostile: [{ ...ANSWER, body: NAMELESS }] }],
  [
    'command-answers',
    'an account without attributes',
    {
      ...COMMAND,
      command: 30,
      hostile: [{ ...ANSWER, body: '{"data":{"id":"user-1","type":"users","attributes":null}}' }],
    },
  ],
  [
    'command-answers',
    'a secret that a terminal would obey',
    {
      command: 21,
      hostile: [0, 1, 2, 3].map((request) => ({ ...ANSWER, request, status: 201, body: STEERING })),
      format: null,
      tty: true,
      debug: false,
    },
  ],
  [
    'command-arguments',
    'a name that no file can have',
    { verb: 11, more: [['--file', 'a\0b']], format: 'json', stdin: '' },
  ],
  [
    'roster',
    'a key that is a list, of which YAML warns by itself',
    { name: 'roster.yaml', text: 'members:\n  - email: ana@example.com\n    ? [platform]\n    : x\n' },
  ],
  ['env-file', 'half of a line break at the end', { text: "T\r\nOKEN='a\nb'\r", value: 'a.atlasv1.b' }],
];
