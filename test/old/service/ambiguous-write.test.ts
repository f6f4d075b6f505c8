import { describe, expect, it, onTestFinished } from 'vitest';
import type { Service } from '../../../src/old/service/service.ts';
import { openService } from '../../support/direct.ts';
import {
  type After,
  answer,
  reset,
  type SeenRequest,
  silence,
  startScripted,
  type Turn,
} from '../../support/scripted.ts';

/** Writes without a clear answer: what the service holds afterwards decides, and is found out by reading. */

const MEMBERSHIP = {
  id: 'ou-1',
  type: 'organization-memberships',
  attributes: { status: 'invited', email: 'Ana@example.com' },
};
const PROVIDER = {
  id: 'prov-1',
  type: 'registry-providers',
  attributes: { name: 'null', namespace: 'acme', 'registry-name': 'private' },
};
const ADDRESS = { registryName: 'private', namespace: 'acme', name: 'null' } as const;

interface Kind {
  readonly name: string;
  readonly act: (service: Service) => Promise<unknown>;
  /** Whether the thing is there once the write was acted on. */
  readonly there: boolean;
  readonly success: Turn;
  /** What a read answers while the thing is there, and while it is not. */
  readonly found: Turn;
  readonly missing: Turn;
  readonly done: unknown;
}

const TOKEN = { id: 'at-1', type: 'authentication-tokens', attributes: {} };
const list = (...data: readonly object[]): Turn =>
  answer(200, { data, meta: { pagination: { 'total-count': data.length } } });
const notFound = answer(404, { errors: [{ status: '404', title: 'not found' }] });

const resource = (data: object): Pick<Kind, 'found' | 'missing'> => ({
  found: answer(200, { data }),
  missing: notFound,
});
const created = (data: object) => ({ there: true, success: answer(201, { data }), done: { data } });
const GONE = { there: false, success: answer(204), done: true };

const INVITATION: Kind = {
  name: 'an invitation',
  act: (service) =>
    service.memberships.invite('acme', { email: 'ana@example.com', teamIds: ['team-1'], effect: 'invite ana' }),
  ...created(MEMBERSHIP),
  found: list(MEMBERSHIP),
  missing: list(),
};
const DELETION: Kind = {
  name: 'deleting a token by its id',
  act: (service) => service.tokens.delete({ kind: 'id', id: 'at-1' }, 'at-1'),
  ...GONE,
  ...resource(TOKEN),
};
const KINDS: readonly Kind[] = [
  INVITATION,
  {
    name: 'a new provider',
    act: (service) => service.providers.create('acme', ADDRESS),
    ...created(PROVIDER),
    ...resource(PROVIDER),
  },
  {
    name: 'removing a member',
    act: (service) =>
      service.memberships.remove({ id: 'ou-1', person: 'ana@example.com', organization: 'acme', effect: 'remove ana' }),
    ...GONE,
    ...resource(MEMBERSHIP),
  },
  {
    name: 'deleting a provider',
    act: (service) => service.providers.delete('acme', ADDRESS),
    ...GONE,
    ...resource(PROVIDER),
  },
  DELETION,
];

const isRead = ({ method }: SeenRequest): boolean => method === 'GET';

/** A service whose writes and reads go as given, each in turn, the last one again and again. */
async function run(
  kind: Kind,
  writes: readonly Turn[],
  reads: readonly Turn[],
  { maxRetries = 3, timeout = 10_000 }: { readonly maxRetries?: number; readonly timeout?: number } = {},
  after: After = onTestFinished,
) {
  let [written, read] = [0, 0];
  const server = await startScripted(
    (socket, request) => {
      const turn = isRead(request)
        ? reads[Math.min(read++, reads.length - 1)]
        : writes[Math.min(written++, writes.length - 1)];
      turn?.(socket, request);
    },
    { after },
  );
  const { service, waits } = openService(`${server.origin}/api/v2`, { maxRetries, timeout }, after);
  const result = await kind.act(service).catch((error: unknown) => error);
  return { result, waits, methods: server.requests.map((request) => (isRead(request) ? 'read' : 'write')).join(' ') };
}

const acted = (kind: Kind): Turn => (kind.there ? kind.found : kind.missing);
const notActed = (kind: Kind): Turn => (kind.there ? kind.missing : kind.found);

describe.each(KINDS)('$name', (kind) => {
  it('with a clear answer is one request', async () => {
    const { result, methods } = await run(kind, [kind.success], [reset]);
    expect(result).toMatchObject(kind.done as object);
    expect(methods).toBe('write');
  });

  it.each<[string, Turn]>([
    ['a reset', reset],
    ['a 500', answer(500)],
    ['a 504', answer(504, '<html>')],
    ["somebody else's page", answer(200, '<html><title>Sign in</title></html>', { 'content-type': 'text/html' })],
    ['an answer cut short', answer(200, '{"data":')],
  ])('after %s: acted on, and not sent again', async (_name, turn) => {
    const { result, methods } = await run(kind, [turn], [acted(kind)]);
    expect(result).toMatchObject(kind.done as object);
    expect(methods).toBe('write read');
  });

  it('not acted on: sent again', async () => {
    const { result, methods } = await run(kind, [reset, kind.success], [notActed(kind)]);
    expect(result).toMatchObject(kind.done as object);
    expect(methods).toBe('write read write');
  });

  it('not acted on, again and again: given up with what is known', async () => {
    const { result, methods } = await run(kind, [answer(503)], [notActed(kind)]);
    expect(result).toMatchObject({ exit: 'unavailable', status: 503 });
    expect(methods).toBe('write read write read write read write read');
  });

  it('not acted on, and no retries wanted', async () => {
    const { result, methods } = await run(kind, [reset], [notActed(kind)], { maxRetries: 0 });
    expect(result).toMatchObject({ exit: 'unavailable', code: 'reset' });
    expect(methods).toBe('write read');
  });

  it.each<[string, Turn]>([
    ['no answer comes', reset],
    ['the service has a fault', answer(500)],
    ['the token has gone', answer(401)],
    ['it is forbidden', answer(403)],
    ['something else answers', answer(200, '<html>')],
  ])('stays unknown when %s', async (_name, unreadable) => {
    const { result, methods } = await run(kind, [reset, kind.success], [unreadable]);
    expect(result).toMatchObject({
      exit: 'outcome-unknown',
      message: expect.stringMatching(/^unknown whether this happened: /),
      hint: 'Check before you run it again.',
    });
    expect(methods).toMatch(/^write( read)+$/);
  });

  it('is not sent again behind a reading that was tried again', async () => {
    const { result, methods } = await run(kind, [reset], [reset, answer(500), acted(kind)]);
    expect(result).toMatchObject(kind.done as object);
    expect(methods).toBe('write read read read');
  });

  it('acted on late: the refusal of the second is read as what it is', async () => {
    const refusal = kind.there ? answer(422, { errors: [{ title: 'taken' }] }) : notFound;
    const { result, methods } = await run(kind, [reset, refusal], [notActed(kind), acted(kind)]);
    expect(result).toMatchObject(kind.done as object);
    expect(methods).toBe('write read write read');
  });

  it('refused the second time for a reason of its own', async () => {
    const { result, methods } = await run(kind, [reset, answer(403)], [notActed(kind)]);
    expect(result).toMatchObject({ status: 403 });
    // Who manages a member is read before the refusal is explained.
    expect(methods).toBe(kind.name === 'removing a member' ? 'write read write read read' : 'write read write read');
  });

  it('refused the first time is refused', async () => {
    const { result, methods } = await run(kind, [notFound], [acted(kind)]);
    expect(result).toMatchObject({ status: 404 });
    expect(methods).toBe('write');
  });
});

// They wait for the limit side by side: it is long enough for a busy machine to answer the reads within it.
describe.concurrent.each(KINDS)('$name', (kind) => {
  const unknown = { exit: 'outcome-unknown', reasons: [expect.stringMatching(/ within 3 s\. The request was /)] };
  it.for<[string, readonly Turn[], unknown, string, readonly number[]]>([
    ['not found twice: it may still happen', [notActed(kind)], unknown, 'write read read', [3_000]],
    ['acted on before the first look', [acted(kind)], kind.done, 'write read', []],
    ['acted on before the second look', [notActed(kind), acted(kind)], kind.done, 'write read read', [3_000]],
    ['the second look fails', [notActed(kind), answer(403)], { exit: 'outcome-unknown' }, 'write read read', [3_000]],
  ])(
    'no answer in time, and %s: not sent again',
    async ([, reads, end, requests, waited], { onTestFinished: after }) => {
      const { result, methods, waits } = await run(kind, [silence, kind.success], reads, { timeout: 3_000 }, after);
      expect(result).toMatchObject(end as object);
      expect(methods).toBe(requests);
      expect(waits).toEqual(waited);
    },
  );
});

it('an invitation stays unknown where the list contradicts itself', async () => {
  const odd = answer(200, { data: [], meta: { pagination: { 'total-count': 1 } } });
  const { result, methods } = await run(INVITATION, [reset, INVITATION.success], [odd]);
  expect(result).toMatchObject({ exit: 'outcome-unknown' });
  expect(methods).toBe('write read read read read');
});

it('deleting a token that was never seen stays unknown without a reading', async () => {
  const unseen: Kind = { ...DELETION, act: (service) => service.auditTokens.delete('acme', undefined) };
  const { result, methods } = await run(unseen, [reset], [notFound]);
  expect(result).toMatchObject({ exit: 'outcome-unknown' });
  expect(methods).toBe('write');
});
