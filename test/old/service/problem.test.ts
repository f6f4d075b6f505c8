import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/old/errors.ts';
import type { Answer } from '../../../src/old/service/http.ts';
import {
  findOperation,
  findOrganization,
  OPERATIONS,
  type Operation,
  type OperationCall,
  type OperationName,
  toRequest,
} from '../../../src/old/service/operations.ts';
import { toServiceError, toUnreadableError } from '../../../src/old/service/problem.ts';

const REQUEST = { method: 'GET', path: '/api/v2/feature-sets', id: 'request-1' };

const answer = (status: number, body: unknown = '', headers: Answer['headers'] = {}): Answer => ({
  status,
  headers,
  text: typeof body === 'string' ? body : JSON.stringify(body),
  origin: 'https://tfe.example.com',
  request: REQUEST,
});

const explain = (given: Answer, operation: OperationName = 'generic') =>
  toServiceError(given, { operation, what: 'do it', path: '/feature-sets' });

/** What a body says, with an operation that adds nothing of its own. */
const said = (body: unknown, headers: Answer['headers'] = {}) => explain(answer(409, body, headers)).reasons;

describe('what the service said', () => {
  it.each<[string, unknown, readonly string[]]>([
    ['title and detail', { errors: [{ status: '422', title: 'invalid', detail: 'Name' }] }, ['invalid: Name']],
    ['a title alone', { errors: [{ status: '404', title: 'not found' }] }, ['not found']],
    ['a detail alone', { errors: [{ detail: 'No.' }] }, ['No.']],
    ['a status alone', { errors: [{ status: '409' }] }, ['status 409']],
    ['a status that is a number', { errors: [{ status: 429, title: 'Too many requests' }] }, ['Too many requests']],
    ['nothing', { errors: [{}] }, ['status unknown']],
    ['what has no text', { errors: [{ status: { toString: 1, valueOf: 1 } }] }, ['status unknown']],
    ['empty texts', { errors: [{ title: '', detail: '' }] }, ['status unknown']],
    ['a pointer', { errors: [{ title: 'a', source: { pointer: '/data/name' } }] }, ['/data/name: a']],
    ['a pointer and a detail', { errors: [{ title: 'a', detail: 'b', source: { pointer: '/c' } }] }, ['/c: b']],
    ['a parameter', { errors: [{ title: 'a', source: { parameter: 'include' } }] }, ['include: a']],
    ['an odd source', { errors: ['b', null].map((source) => ({ title: 'a', source })) }, ['a', 'a']],
    ['an odd pointer', { errors: [{ title: 'a', source: { pointer: 3 } }] }, ['a']],
    ['an odd title', { errors: [{ title: { a: 1 }, detail: 'b' }] }, ['b']],
    ['several', { errors: [{ title: 'a' }, { title: 'b' }] }, ['a', 'b']],
    ['plain strings', { errors: ['one', 'two'] }, ['one', 'two']],
    ['strings beside objects, and what is neither', { errors: ['one', { title: 'two' }, null, 3] }, ['one', 'two']],
    ['no error', { errors: [] }, ['{"errors":[]}']],
    ['errors that are no list', { errors: { name: ['taken'] } }, ['{"errors":{"name":["taken"]}}']],
    ['an error and a message', { error: 'denied', message: 'Ask.' }, ['denied', 'Ask.']],
    ['a message', { message: 'Ask.' }, ['Ask.']],
    ['an OAuth error', { error: 'invalid', error_description: 'Expired.' }, ['invalid', 'Expired.']],
    ['an error that is an object', { error: { code: 1 } }, ['{"error":{"code":1}}']],
    ['a JSON text', '"no"', ['"no"']],
    ['null', 'null', ['null']],
    ['nothing at all', '', []],
    ['blanks', ' \n ', []],
    ['half a document', '{"errors":[{"title":"in', ['{"errors":[{"title":"in']],
    ['plain text', 'no healthy upstream', ['no healthy upstream']],
    ['a long text', 'x'.repeat(10_000), [`${'x'.repeat(200)}…`]],
  ])('%s', (_name, body, reasons) => {
    expect(said(body)).toEqual(reasons);
  });

  it.each([
    ['<html><head><title> 502 Bad\n Gateway </title></head></html>', ' "502 Bad Gateway"'],
    ['<!DOCTYPE html><p>Sign in</p>', ''],
    ['  <HTML><title></title>', ''],
    [`<html><title>${'t'.repeat(999)}`, ` "${'t'.repeat(200)}"`],
  ])('a page: %s', (body, title) => {
    expect(said(body)).toEqual([`web page${title}`]);
  });

  it('a page by its media type alone', () => {
    expect(said('Sign in', { 'content-type': 'text/html; charset=utf-8' })).toEqual(['web page']);
  });

  it('keeps the error objects as they were sent, with whatever they hold', () => {
    const errors = [{ status: 422, title: '\u001b[31mred', meta: { a: 1 } }, 'plain'];
    expect(explain(answer(422, { errors })).errors).toEqual(errors);
  });
});

describe('what it means', () => {
  const BODIES = [
    '',
    '<html><title>502</title></html>',
    '{"errors":[{"status":"500","title":"x"}]}',
    '{"errors":["x"]}',
    '{"errors":',
    'x'.repeat(1_000_000),
  ];

  const REJECTED = [400, 402, 405, 407, 409, 410, 415, 418, 422, 499];
  it.each<readonly [number, string]>([
    ...REJECTED.map((status) => [status, 'rejected'] as const),
    [401, 'not-authenticated'],
    [403, 'forbidden'],
    [404, 'not-found'],
    [429, 'rate-limited'],
    ...[500, 502, 503, 599].map((status) => [status, 'unavailable'] as const),
  ])('%i is %s, whatever its body says', (status, exit) => {
    for (const body of BODIES) {
      const error = explain(answer(status, body));
      expect(error).toBeInstanceOf(ServiceError);
      const page = 'tfe.example.com answered with a web page ("502")';
      const message = body.startsWith('<html>') && status < 500 && status !== 429 ? page : toMessage(status);
      expect(error).toMatchObject({ exit, code: exit, status, message, request: REQUEST });
      // Who can do it says which token to use.
      expect(error.hint ?? error.reasons.at(-1)).toMatch(status === 403 ? /^Who can.*\.$/ : /\.$/);
    }
  });

  const toMessage = (status: number): string =>
    ({
      401: 'tfe.example.com rejected your token',
      403: "you don't have permission to do it",
      404: "can't do it: not found, or no permission",
      429: "can't do it: too many requests",
    })[status] ?? (status < 500 ? 'the service rejected the request' : `can't do it: the service answered ${status}`);

  const BOTH = 'It may not exist, or you may lack permission: the service answers 404 to both.';
  const ALSO = "As far as is known, it can also mean that this service can't list teams.";
  it.each<[operation: OperationName, reasons: readonly string[]]>([
    ['generic', [BOTH]],
    // The document does not say who can.
    ['list-members', [BOTH]],
    ['list-teams', [BOTH, ALSO]],
    ['get-provider', [BOTH]],
    ['delete-provider', [BOTH, 'Who can: owners, the owners team token, people with Manage Private Registry.']],
  ])('a 404 to %s says what it can mean and who may do it, and which of that the document says', (name, reasons) => {
    expect(explain(answer(404, { errors: [{ title: 'not found' }] }), name).reasons).toEqual(['not found', ...reasons]);
  });

  it('a 403 without a documented reason says who may do it', () => {
    expect(explain(answer(403)).reasons).toEqual(["Who can: see the service's documentation of this path."]);
  });

  it('what the document says of another status is said, with its code', () => {
    const { 400: limit, 422: invalid } = OPERATIONS['invite-member'].refusals;
    expect(explain(answer(400), 'invite-member')).toMatchObject({
      exit: 'rejected',
      code: limit.code,
      hint: limit.hint,
    });
    expect(explain(answer(422), 'invite-member')).toMatchObject({
      hint: invalid.hint,
      code: 'rejected',
      reasons: [],
    });
    const itself = OPERATIONS['remove-member'].refusals[403];
    expect(explain(answer(403), 'remove-member')).toMatchObject({
      exit: 'forbidden',
      message: "owners can't remove themselves",
      reasons: [],
      hint: itself.hint,
    });
  });

  it("the error carries the call and the service's own words", () => {
    expect(explain(answer(404, { errors: [{ title: 'not found' }] }), 'list-teams')).toMatchObject({
      asked: { operation: 'list-teams', what: 'do it', path: '/feature-sets', query: [] },
      said: ['not found'],
    });
  });
});

describe("a success that is not the service's", () => {
  it('says what was seen, and leaves open whether a write happened', () => {
    const page = answer(200, '<html><title>Sign in</title>', { 'content-type': 'text/html' });
    expect(toUnreadableError({ ...page, what: 'do it' }, 'it is odd')).toMatchObject({
      exit: 'unavailable',
      code: 'not-the-service',
      failure: 'not-the-service',
      acted: 'maybe',
      message: 'tfe.example.com answered with a web page ("Sign in")',
      request: REQUEST,
    });
    expect(toUnreadableError({ ...answer(201, '{}'), what: 'do it' }, 'it is odd').message).toBe(
      "can't do it: status 201, but it is odd",
    );
  });
});

describe('the table of operations', () => {
  const operations = Object.entries(OPERATIONS) as [OperationName, Operation][];

  it.each(operations)('%s says who can do it, and what else its absence can mean', (_name, operation) => {
    const { assumedAbsence, allowed, assumedAllowed } = operation;
    const said = [assumedAbsence, allowed, assumedAllowed].filter((text) => text !== undefined);
    for (const text of said) expect(text).toMatch(/^[^A-Z].*[^.]$/);
  });

  const curation = "acme doesn't allow public providers";
  const limit = 'acme is full: it has reached its limit of 5 users';
  const self = "owners can't remove themselves, and you own acme";
  const asTheServiceSays = undefined;
  /** The document's table of errors but for 404, which always means: not there, or no permission. */
  const DOCUMENTED: readonly (readonly [OperationName, status: number, meaning: string | undefined])[] = [
    ['invite-member', 400, limit],
    ['invite-member', 422, asTheServiceSays],
    ['remove-member', 403, self],
    ['create-provider', 422, asTheServiceSays],
    ['create-provider', 403, curation],
    ['get-provider', 403, curation],
    ['delete-provider', 403, curation],
  ];
  /** Readings that are explained as the write they come before, and what has no row in the document. */
  const BESIDES: readonly OperationName[] = ['find-invitees', 'find-provider', 'generic'];

  it('says of each status what the document says, and nothing of others', () => {
    const said = operations
      .filter(([name]) => !BESIDES.includes(name))
      .flatMap(([name, { refusals = {} }]) =>
        Object.entries(refusals).map(
          ([status, { toFinding }]) =>
            [name, Number(status), toFinding?.({ organization: 'acme', said: 'It has a limit of 5 users' })] as const,
        ),
      );
    expect(said.toSorted()).toEqual(DOCUMENTED.toSorted());
  });

  it('gives no hint and no code but these to what the document says', () => {
    const hints = operations.flatMap(([, { refusals = {} }]) =>
      Object.values(refusals).map(({ code, hint }) => ({ code, hint })),
    );
    expect(
      [...new Set(hints.map(({ code, hint }) => `${code}: ${hint}`))].sort().join('\n'),
    ).toBe(`organization-limit: Remove members or invitations you no longer need, or change the plan.
undefined: Ask another owner to remove you.
undefined: Ask the operator to enable public provider curation, or add it as a private one.
undefined: Ask the operator to enable public provider curation.
undefined: Fix these values and run the command again.`);
  });

  it('makes a request: path and sentence with the parameters, and what each request has', () => {
    const parameters = { organization: 'a/ß', registryName: 'private', namespace: 'b', name: '$&:name' };
    expect(toRequest({ operation: 'delete-provider', parameters })).toEqual({
      operation: 'delete-provider',
      what: 'delete private/b/$&:name from a/ß',
      method: 'DELETE',
      path: '/organizations/a%2F%C3%9F/registry-providers/private/b/%24%26%3Aname',
      atOrigin: false,
      query: [],
      mediaType: 'application/vnd.api+json',
      answersWithToken: false,
    });
    const shown = toRequest({ operation: 'show-audit-token', parameters: { organization: 'acme' } });
    expect(shown.query).toEqual([['token', 'audit-trails']]);
    expect(toRequest({ operation: 'discover' })).toMatchObject({ atOrigin: true, mediaType: 'application/json' });
    const versions = { operation: 'list-public-versions', parameters: { namespace: 'b', name: 'c' } } as const;
    expect(toRequest({ ...versions, prefix: '/v1' }).path).toBe('/v1/providers/b/c/versions');
    const generic = { method: 'PATCH', path: '/a%20b' } as const;
    expect(toRequest({ operation: 'generic', ...generic })).toMatchObject({ ...generic, what: 'send PATCH /a%20b' });
  });

  it.each([
    ['POST', '/organizations/acme/authentication-token', true],
    ['POST', '/users/user-1/authentication-tokens', true],
    ['PATCH', '/teams/team-1/Authentication%2DToken/', true],
    ['GET', '/organizations/acme/authentication-token', false],
    ['DELETE', '/organizations/acme/authentication-token', false],
    ['POST', '/organizations/authentication-tokens/teams', false],
  ] as const)('knows whether %s %s may be answered with a token: %s', (method, path, expected) => {
    expect(toRequest({ operation: 'generic', method, path }).answersWithToken).toBe(expected);
  });

  it('knows the same of a path as of the operation that has it', () => {
    for (const [name, { request, answersWithToken = false }] of operations) {
      const path = request.path ?? '';
      const asPath = toRequest({ operation: 'generic', method: request.method, path });
      expect([name, asPath.answersWithToken]).toEqual([name, answersWithToken]);
    }
  });

  it('takes the parameters of the operation, and no others: the compiler says so', () => {
    const organization = 'acme';
    const calls: readonly OperationCall[] = [
      { operation: 'list-members', parameters: { organization } },
      // @ts-expect-error A parameter is missing.
      { operation: 'list-members' },
      // @ts-expect-error One of several is missing.
      { operation: 'invite-member', parameters: { organization } },
      // @ts-expect-error There is no such parameter.
      { operation: 'list-members', parameters: { organization, id: 'ou-1' } },
      // @ts-expect-error It has none.
      { operation: 'ping', parameters: { organization } },
      // @ts-expect-error There is no such operation.
      { operation: 'list-nothing' },
    ];
    const row = { request: { method: 'GET', path: '/a' }, what: 'a', readings: [], allowed: 'b' } as const;
    const { request: _request, ...noRequest } = row;
    const { what: _what, ...noWhat } = row;
    const { readings: _readings, ...noReadings } = row;
    const { allowed: _allowed, ...noCallers } = row;
    const rows: readonly Operation[] = [
      row,
      // @ts-expect-error How it is asked for is missing.
      noRequest,
      // @ts-expect-error What it does is missing.
      noWhat,
      // @ts-expect-error The readings are missing.
      noReadings,
      // @ts-expect-error Who may do it is missing.
      noCallers,
    ];
    expect([calls.length, rows.length]).toEqual([6, 5]);
  });

  it('finds an operation by method, path and query, and the organization in it', () => {
    const provider = { registryName: 'public', namespace: 'b', name: 'c' };
    const part = { version: '1.2.0', os: 'linux', arch: 'amd64', platform: 'linux_amd64' };
    const parameters = { ...provider, organization: 'a/ß', id: 'ou-1', email: 'd', person: 'e', ...part };
    // Others ask for the same, and what is elsewhere is not looked for.
    const own = operations.filter(
      ([name, { request }]) => !BESIDES.includes(name) && request.atOrigin !== true && request.path !== undefined,
    );
    for (const [operation, { request }] of own) {
      const { path, query } = toRequest({ operation, parameters } as OperationCall);
      expect(findOperation(request.method, path, query)).toBe(operation);
      expect(findOrganization(path)).toBe(path.startsWith('/organizations/') ? 'a/ß' : undefined);
    }
  });

  const OWNERS = 'owners, the owners team token';
  it.each<[rule: number, allowed: string, names: readonly OperationName[]]>([
    [1, `${OWNERS}, the organization token`, ['generate-audit-token', 'delete-audit-token']],
    [
      2,
      `${OWNERS}, the organization token, people with Team Management`,
      ['invite-member', 'find-invitees', 'remove-member'],
    ],
    [3, `${OWNERS}, people with Manage Private Registry`, ['create-provider', 'find-provider', 'delete-provider']],
  ])('names whom Authentication %i allows, and for nothing else', (_rule, allowed, names) => {
    const named = operations.flatMap(([name, operation]) => (operation.allowed === allowed ? [name] : []));
    expect(named.sort()).toEqual([...names].sort());
  });
});
