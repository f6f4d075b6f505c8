/** Inputs that broke a law once, each as small as it could be made, by the target that found them. */

export interface Regression {
  readonly target: string;
  readonly what: string;
  readonly input: unknown;
}

const DEEP = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
const LIST = { format: 'json', columns: undefined };
const ANSWER = { request: 0, status: 200, headers: [], cut: false };

export const REGRESSIONS: readonly Regression[] = [
  {
    target: 'list-answer',
    what: 'attributes that are a text',
    input: { ...LIST, body: '{"data":[{"id":"ou-1","type":"","attributes":"id"}]}' },
  },
  {
    target: 'list-answer',
    what: 'nested beyond the stack',
    input: { ...LIST, body: `{"data":[{"id":"1","type":"x","attributes":{"a":${DEEP}}}]}` },
  },
  {
    target: 'list-answer',
    what: 'a team that is null',
    input: { ...LIST, body: '{"data":[{"id":"ou-1","type":"x","relationships":{"teams":{"data":[null]}}}]}' },
  },
  {
    target: 'resource-answer',
    what: 'nested beyond the stack',
    input: { ...LIST, format: 'jsonapi', body: `{"data":{"id":"ou-1","type":"x","meta":${DEEP}}}` },
  },
  {
    target: 'error-body',
    what: 'a status that has no text',
    input: {
      body: '{"errors":[{"status":{"toString":1,"valueOf":1}}]}',
      status: 409,
      type: 'application/json',
      operation: 'list-teams',
    },
  },
  {
    target: 'pages',
    what: 'one page without ids, again and again',
    input: { pages: [{ ids: [null], meta: null }], size: 1, limit: null, partial: false, stream: false, again: true },
  },
  {
    target: 'pages',
    what: 'one page without ids, of very many',
    input: {
      pages: [{ ids: [null], meta: { 'total-pages': 1e9 } }],
      size: null,
      limit: null,
      partial: false,
      stream: true,
      again: true,
    },
  },
  { target: 'journal', what: 'nested beyond the stack', input: { text: `{"version":1,"newer":${DEEP}}` } },
  {
    target: 'command-answers',
    what: 'a name that has no text',
    input: {
      command: 7,
      hostile: [{ ...ANSWER, body: '{"data":[{"id":"team-1","type":"teams","attributes":{"name":{"toString":1}}}]}' }],
      format: 'json',
      tty: false,
      debug: false,
    },
  },
  {
    target: 'command-answers',
    what: 'an account without attributes',
    input: {
      command: 30,
      hostile: [{ ...ANSWER, body: '{"data":{"id":"user-1","type":"users","attributes":null}}' }],
      format: 'json',
      tty: false,
      debug: false,
    },
  },
  {
    target: 'command-answers',
    what: 'a secret that a terminal would obey',
    input: {
      command: 21,
      hostile: [0, 1, 2, 3].map((request) => ({
        ...ANSWER,
        request,
        status: 201,
        body: '{"data":{"id":"at-1","type":"authentication-tokens","attributes":{"token":"a\\u001b]0;title\\u0007b"}}}',
      })),
      format: null,
      tty: true,
      debug: false,
    },
  },
  {
    target: 'command-arguments',
    what: 'a name that no file can have',
    input: { verb: 11, more: [['--file', 'a\0b']], format: 'json', stdin: '' },
  },
  {
    target: 'roster',
    what: 'a key that is a list, of which YAML warns by itself',
    input: { name: 'roster.yaml', text: 'members:\n  - email: ana@example.com\n    ? [platform]\n    : x\n' },
  },
  {
    target: 'env-file',
    what: 'half of a line break at the end',
    input: { text: "T\r\nOKEN='a\nb'\r", value: 'a.atlasv1.b' },
  },
];
