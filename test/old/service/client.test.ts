import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { collect, stream } from '../../../src/old/reading.ts';
import type { ServiceOptions } from '../../../src/old/service/service.ts';
import { openService, TOKEN } from '../../support/direct.ts';
import { answer, bytes, bytesThenReset, reset, startScripted, type Turn, toHead } from '../../support/scripted.ts';

const LIST = answer(200, { data: [] });
const HTML = answer(200, '<html><title>Sign in</title></html>', { 'content-type': 'text/html' });

const outcome = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

/** A service that does this, in turn. */
async function open(turns: readonly [Turn, ...Turn[]] | Turn, overrides: Partial<ServiceOptions> = {}) {
  const server = await startScripted(turns);
  const opened = openService(`${server.origin}/api/v2`, overrides);
  return {
    server,
    ...opened,
    list: () => outcome(collect(opened.service.listFeatureSets(undefined, {}), (page) => page)),
  };
}

describe('a read', () => {
  const passing: readonly [string, Turn, number][] = [
    ['a reset', reset, 125],
    ['a close', bytes(''), 125],
    ['half an answer', bytesThenReset(`${toHead(200, [['Content-Length', '99']])}{`), 125],
    ['a 500', answer(500, { errors: [] }), 125],
    ['a 503 that asks for a pause', answer(503, '', { 'retry-after': '2' }), 2_000],
    ['a page of a proxy in trouble', answer(502, '<html>'), 125],
    ['a 429', answer(429, { errors: [{ status: 429, title: 'Too many requests' }] }), 1_125],
    ['a 429 that asks for a pause', answer(429, '', { 'x-ratelimit-reset': '0.5' }), 625],
  ];

  it.each(passing)('is tried again after %s, and ends when that comes every time', async (_name, turn, wait) => {
    const { server, waits, list } = await open([turn, LIST]);
    expect(await list()).toMatchObject([{ items: [] }]);
    expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
    expect(waits).toEqual([wait]);
    const always = await open(turn);
    expect(await always.list()).toMatchObject({ exit: expect.stringMatching(/^(unavailable|rate-limited)$/) });
    expect(always.server.requests).toHaveLength(4);
  });

  it('is not tried again after a signal to stop', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const { server, list } = await open(reset, {
      signal: stop.signal,
      async sleep(_milliseconds, signal) {
        stop.abort(reason);
        signal.throwIfAborted();
      },
    });
    expect(await list()).toBe(reason);
    expect(server.requests).toHaveLength(1);
  });

  it.each<[string, Turn, object]>([
    ['a refusal', answer(422, { errors: ['no'] }), { status: 422 }],
    ['a page instead of the service', HTML, { code: 'not-the-service', exit: 'unavailable' }],
    ['text', answer(200, 'hello'), { code: 'not-the-service' }],
    ['half a document', answer(200, '{"data":['), { code: 'not-the-service' }],
    ['nothing', answer(200), { code: 'not-the-service' }],
    ['one resource for a list', answer(200, { data: { id: '1', type: 'x' } }), { code: 'not-the-service' }],
    ['a list of nothing', answer(200, { data: [null] }), { code: 'not-the-service' }],
    ['included things that are none', answer(200, { data: [], included: { id: '1' } }), { code: 'not-the-service' }],
    ['garbage', bytes('220 smtp.example.com\r\n\r\n'), { code: 'breaks-http' }],
    ['a pause beyond patience', answer(429, '', { 'retry-after': '3600' }), { exit: 'rate-limited' }],
  ])('is final after %s', async (_name, turn, expected) => {
    const { server, list, waits } = await open(turn);
    expect(await list()).toMatchObject(expected);
    expect(server.requests).toHaveLength(1);
    expect(waits).toEqual([]);
  });

  it('takes members that are null for absent', async () => {
    const { list } = await open(answer(200, { data: [], included: null, meta: null }));
    expect(await list()).toMatchObject([{ items: [], included: [], pagination: undefined }]);
  });
});

describe('making a token', () => {
  const toCreated = (attributes?: object): Turn =>
    answer(201, { data: { id: 'at-1', type: 'authentication-tokens', attributes } });
  const CREATED = toCreated({ token: 's3cret' });
  const generate = (turns: readonly [Turn, ...Turn[]] | Turn, overrides: Partial<ServiceOptions> = {}) =>
    open(turns, overrides).then(async (opened) => ({
      ...opened,
      result: await outcome(opened.service.auditTokens.generate('acme', undefined)),
    }));

  it('is one request, and gives the secret', async () => {
    const { server, result, exchanges } = await generate(CREATED);
    expect(result).toMatchObject({ secret: 's3cret', document: { data: { id: 'at-1' } } });
    const target = '/api/v2/organizations/acme/authentication-token?token=audit-trails';
    expect(server.requests).toMatchObject([{ method: 'POST', target }]);
    expect(exchanges).toHaveLength(1);
  });

  it.each([
    ['2027-01-01T00:00:00Z', '{"expired-at":"2027-01-01T00:00:00Z"}'],
    [null, '{"expired-at":null}'],
    [undefined, '{}'],
  ])('with the expiry %s sends %s', async (expiredAt, attributes) => {
    const { server, service } = await open(CREATED);
    await service.auditTokens.generate('acme', expiredAt);
    expect(server.requests[0]?.body).toBe(`{"data":{"type":"authentication-token","attributes":${attributes}}}`);
  });

  it.each<[string, Turn]>([
    ['a page', HTML],
    ['an answer without a secret', toCreated({})],
    ['an answer with an empty secret', toCreated({ token: '' })],
    ['an answer with a secret that no header can carry', toCreated({ token: 'a\u001b[2Jb' })],
    ['an answer without attributes', toCreated()],
    ['half a document', answer(201, '{"data":{"id":"at-1","attributes":{"token":"s3cr')],
    ['nothing', answer(204)],
    ['garbage', bytes('220 smtp.example.com\r\n\r\n')],
  ])('is never sent twice: after %s its outcome is unknown', async (_name, turn) => {
    const { server, result, waits } = await generate([turn, CREATED]);
    expect(result).toMatchObject({ exit: 'outcome-unknown' });
    expect(JSON.stringify(result)).not.toContain('s3cr');
    expect(server.requests).toHaveLength(1);
    expect(waits).toEqual([]);
  });

  it.each([401, 403, 404, 422])('a %i is final, and plain', async (status) => {
    const { server, result } = await generate(answer(status));
    expect(result).toMatchObject({ status });
    expect(server.requests).toHaveLength(1);
  });

  it('on a connection the service has just given up is not sent twice either', async () => {
    const { server, service, list } = await open([LIST, reset, CREATED]);
    await list();
    expect(await outcome(service.auditTokens.generate('acme', null))).toMatchObject({ exit: 'outcome-unknown' });
    expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
  });
});

describe('which service this is', () => {
  it('is known by the headers of any answer, a refusal too', async () => {
    const [appName, enterpriseVersion, apiVersion] = ['Terraform Enterprise', 'v202601-1', '2.6'] as const;
    const headers = { 'TFP-AppName': appName, 'X-TFE-Version': enterpriseVersion, 'TFP-API-Version': apiVersion };
    const { service, server } = await open(answer(404, '', headers));
    expect(await service.identify()).toBe(true);
    expect(service.identity).toEqual({ appName, enterpriseVersion, apiVersion });
    expect(server.requests.map(({ target }) => target)).toEqual(['/api/v2/ping']);
  });

  it('is known by one header as well', async () => {
    for (const [header, isNamed] of [
      ['TFP-AppName', true],
      ['X-TFE-Version', true],
      // Both editions have an API version.
      ['TFP-API-Version', false],
    ] as const) {
      const { service } = await open(answer(204, undefined, { [header]: 'x' }));
      expect(await service.identify()).toBe(isNamed);
    }
  });

  it('is known by any other answer too', async () => {
    const { service, list } = await open(answer(200, { data: [] }, { 'X-TFE-Version': 'v1' }));
    await list();
    expect(service.identity).toEqual({ appName: undefined, enterpriseVersion: 'v1' });
  });

  it('stays open without a header, or without an answer, and is asked once', async () => {
    const silent = { appName: undefined, enterpriseVersion: undefined };
    for (const turn of [answer(204), answer(404), answer(503), answer(429), reset]) {
      const { service, server, waits } = await open(turn);
      expect(await service.identify()).toBe(false);
      expect(service.identity).toEqual(silent);
      expect(server.requests).toHaveLength(1);
      expect(waits).toEqual([]);
    }
  });
});

describe('closing', () => {
  it('ends what is no longer waited for, and nothing is sent afterwards', async () => {
    const all = Array.from({ length: 100 }, (_, index) => ({ id: `ou-${index}`, type: 'organization-memberships' }));
    const first = answer(200, {
      data: all,
      meta: { pagination: { 'current-page': 1, 'next-page': 2, 'total-pages': 9, 'total-count': 900 } },
    });
    const requests = new EventEmitter();
    const arrived = once(requests, 'second');
    const server = await startScripted([first, () => void requests.emit('second')]);
    const { service, exchanges, waits } = openService(`${server.origin}/api/v2`);
    const pages = stream(service.memberships.list('acme', {}, { asked: [], own: [] }, {}))[Symbol.asyncIterator]();
    expect((await pages.next()).value?.items).toHaveLength(100);
    const second = outcome(pages.next());
    await arrived;
    await service.close();
    expect(await second).toMatchObject({ name: 'AbortError' });
    const ended = exchanges.length;
    await new Promise(setImmediate);
    expect(exchanges).toHaveLength(ended);
    expect(exchanges.filter(({ result }) => 'status' in result)).toHaveLength(1);
    expect(waits).toEqual([]);
  });

  it('is done with at once where nothing was ever sent', async () => {
    const { service, server } = await open(LIST);
    await service.close();
    await service.close();
    expect(server.connections()).toBe(0);
  });
});

it('no error and no trace holds the token', async () => {
  const { service, exchanges } = await open([answer(401), answer(500), reset, HTML]);
  const errors = [
    await outcome(collect(service.listFeatureSets(undefined, {}), (page) => page)),
    await outcome(collect(service.listFeatureSets(undefined, {}), (page) => page)),
  ];
  expect(JSON.stringify([errors, exchanges])).not.toContain(TOKEN);
});
