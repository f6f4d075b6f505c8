import { describe, expect, it } from 'vitest';
import { foldEmail } from '../../../src/old/email.ts';
import { collect } from '../../../src/old/reading.ts';
import { NO_INCLUDE, USUAL_INCLUDE } from '../../../src/old/service/include.ts';
import { openService } from '../../support/direct.ts';
import { answer, type SeenRequest, startScripted, type Turn } from '../../support/scripted.ts';

/** A service whose answer depends on the request. */
async function open(respond: (request: SeenRequest, query: URLSearchParams) => Turn) {
  const server = await startScripted((socket, request) => {
    respond(request, new URL(request.target, 'http://127.0.0.1').searchParams)(socket, request);
  });
  return {
    server,
    ...openService(`${server.origin}/api/v2`),
    targets: () => server.requests.map(({ target }) => target),
  };
}

const list = (data: readonly object[], included: readonly object[] = []): Turn =>
  answer(200, {
    data,
    included,
    meta: { pagination: { 'current-page': 1, 'next-page': null, 'total-pages': 1, 'total-count': data.length } },
  });

const refuse = (detail: string): Turn => answer(400, { errors: [{ status: '400', title: 'bad request', detail }] });
const badRequest = refuse('Invalid include parameter');
const otherRequest = refuse('filter[status] must be one of: active');
type Include = typeof USUAL_INCLUDE;

const member = (id: string, email: string | null, user?: string) => ({
  id,
  type: 'organization-memberships',
  attributes: { status: 'active', email },
  ...(user === undefined ? {} : { relationships: { user: { data: { id: user, type: 'users' } } } }),
});

describe('which routes are asked, and how', () => {
  it('a name that no path can carry is refused before anything is sent', async () => {
    const { service, server } = await open(() => list([]));
    for (const name of ['..', '', 'a\u0000']) {
      expect(() => service.listFeatureSets(name, {})).toThrow(expect.objectContaining({ exit: 'usage' }));
      await expect(service.memberships.show(name, NO_INCLUDE)).rejects.toMatchObject({ exit: 'usage' });
      await expect(service.auditTokens.generate(name, null)).rejects.toMatchObject({ exit: 'usage' });
    }
    expect(server.connections()).toBe(0);
  });
});

describe('related resources', () => {
  it('that orgctl asks for by itself are left out where the service refuses them, on every page alike', async () => {
    const all = Array.from({ length: 250 }, (_, index) => member(`ou-${index}`, `p${index}@x.com`));
    const { service, targets } = await open((_request, query) => {
      if (query.has('include')) return badRequest;
      const number = Number(query.get('page[number]') ?? 1);
      return answer(200, {
        data: all.slice((number - 1) * 100, number * 100),
        meta: { pagination: { 'current-page': number, 'total-pages': 3, 'total-count': 250 } },
      });
    });
    const pages = await collect(service.memberships.list('acme', {}, USUAL_INCLUDE, {}), (page) => page);
    expect(pages.flatMap((page) => page.items)).toHaveLength(250);
    expect(targets().filter((target) => target.includes('include'))).toHaveLength(2);
    expect(targets()).toHaveLength(5);
  });

  const FULL = '?include=user%2Cteams';
  const LESS = '?include=user';
  it.each<[string, boolean, Include, string, Turn, readonly string[]]>([
    ['that orgctl asks for by itself are left out', true, USUAL_INCLUDE, 'include=', badRequest, [FULL, LESS, '']],
    ['are left out one by one', true, USUAL_INCLUDE, 'teams', badRequest, [FULL, LESS]],
    ['that a person asked for stay asked for', false, { asked: ['user'], own: [] }, '', badRequest, [LESS]],
    ['are not what a 400 was about when it stays without them', false, USUAL_INCLUDE, '', badRequest, [FULL, LESS, '']],
    ['are not left out after a 400 that names something else', false, USUAL_INCLUDE, '', otherRequest, [FULL]],
  ])('%s', async (_name, ends, include, refused, refusal, asked) => {
    const { service, targets } = await open(({ target }) =>
      target.includes(refused) ? refusal : answer(200, { data: member('ou-1', 'a@x.com') }),
    );
    const reading = service.memberships.show('ou-1', include);
    if (ends) expect(await reading).toMatchObject({ data: { id: 'ou-1' } });
    else await expect(reading).rejects.toMatchObject({ status: 400 });
    expect(targets()).toEqual(asked.map((query) => `/api/v2/organization-memberships/ou-1${query}`));
  });

  it.each([401, 403, 404, 422])('are not left out after a %i', async (status) => {
    const { service, targets } = await open(() => answer(status));
    await expect(service.memberships.show('ou-1', USUAL_INCLUDE)).rejects.toMatchObject({ status });
    expect(targets()).toHaveLength(1);
  });
});

describe('finding people by email', () => {
  const USERS = [{ id: 'user-2', type: 'users', attributes: { username: 'ben', email: 'Ben@X.com' } }];
  const PEOPLE = [member('ou-1', 'Ana@x.com'), member('ou-2', null, 'user-2'), member('ou-3', null)];

  it('compares without case, and takes the address of the user where the membership has none', async () => {
    const { service } = await open(() => list(PEOPLE, USERS));
    const found = await service.memberships.findByEmail('acme', ['ana@x.com', 'ben@x.com', 'cleo@x.com']);
    expect([...found].map(([email, [first]]) => [email, first?.membership.id])).toEqual([
      ['ana@x.com', 'ou-1'],
      ['ben@x.com', 'ou-2'],
    ]);
    expect(found.get('ben@x.com')?.[0]?.included).toEqual(USERS);
  });

  it('gives every membership of an address', async () => {
    const { service } = await open(() => list([member('ou-1', 'a@x.com'), member('ou-2', 'A@x.com')]));
    const found = await service.memberships.findByEmail('acme', ['a@x.com']);
    expect(found.get('a@x.com')?.map(({ membership }) => membership.id)).toEqual(['ou-1', 'ou-2']);
  });

  it('searches where a filter may mind case, and counts no one twice', async () => {
    const { service, targets } = await open((_request, query) =>
      query.has('q') ? list([member('ou-1', 'ana@x.com')]) : list([]),
    );
    const found = await service.memberships.findByEmail('acme', ['Ana@X.com', ' ana@x.com']);
    expect(found.get('ana@x.com')?.map(({ membership }) => membership.id)).toEqual(['ou-1']);
    expect(targets()).toHaveLength(2);
  });

  it('does not search for an address that is in small letters, or was found', async () => {
    const { service, targets } = await open(() => list(PEOPLE, USERS));
    await service.memberships.findByEmail('acme', ['Ana@x.com', 'nobody@x.com']);
    expect(targets()).toHaveLength(1);
  });

  it('asks for fifty addresses at a time, and for none when there is none', async () => {
    const { service, server } = await open(() => list([]));
    expect((await service.memberships.findByEmail('acme', [])).size).toBe(0);
    const emails = Array.from({ length: 101 }, (_, index) => `p${index}@x.com`);
    await service.memberships.findByEmail('acme', emails);
    const asked = server.requests.map(
      ({ target }) => new URL(target, 'http://x').searchParams.get('filter[email]')?.split(',').length,
    );
    expect(asked).toEqual([50, 50, 1]);
  });

  it('folds addresses', () => {
    expect([' Ana@X.com ', 'ana@x.com'].map(foldEmail)).toEqual(['ana@x.com', 'ana@x.com']);
  });
});

describe('things that may be missing', () => {
  it('are undefined for find, and an error otherwise', async () => {
    const address = { registryName: 'private', namespace: 'acme', name: 'x' } as const;
    const { service } = await open(() => answer(404));
    expect(await service.providers.find('acme', address)).toBe(undefined);
    expect(await service.auditTokens.find('acme')).toBe(undefined);
    await expect(service.providers.get('acme', address)).rejects.toMatchObject({ exit: 'not-found' });
    await expect(service.auditTokens.show('acme')).rejects.toMatchObject({ exit: 'not-found' });
  });

  it('do not hide other failures', async () => {
    const { service } = await open(() => answer(403));
    await expect(service.auditTokens.find('acme')).rejects.toMatchObject({ exit: 'forbidden' });
  });
});

describe('the audit trail', () => {
  const event = (id: string) => ({ id, type: 'Resource' });

  it('is plain JSON, with pagination in snake case', async () => {
    const { service, server } = await open((_request, query) => {
      const number = Number(query.get('page[number]') ?? 1);
      return answer(200, {
        data: [event(`e${number}`)],
        pagination: { current_page: number, next_page: number < 3 ? number + 1 : null, total_pages: 3, total_count: 3 },
      });
    });
    const pages = await collect(service.auditTrail.list({ since: Date.UTC(2026, 0, 1) }, {}), (page) => page);
    expect(pages.flatMap((page) => page.items)).toEqual([event('e1'), event('e2'), event('e3')]);
    const base = '/api/v2/organization/audit-trail?since=2026-01-01T00%3A00%3A00.000Z';
    const pagesOf = ['', '&page%5Bnumber%5D=2', '&page%5Bnumber%5D=3'];
    expect(server.requests.map(({ target }) => target)).toEqual(pagesOf.map((page) => `${base}${page}`));
    expect(server.requests[0]?.headers.get('accept')).toBe('application/json');
  });

  it.each<[string, object]>([
    ['zeros', { current_page: 0, page_size: 0, prev_page: 0, next_page: 0, total_pages: 0, total_count: 0 }],
    ['zeros and nulls', { current_page: 0, prev_page: null, next_page: null, total_pages: 0, total_count: 0 }],
    ['nulls', { current_page: null, next_page: null, total_pages: null, total_count: null }],
    ['nothing', {}],
  ])('may be empty with pagination of %s', async (_name, pagination) => {
    const { service, targets, warnings } = await open(() => answer(200, { data: [], pagination }));
    expect(await collect(service.auditTrail.list({}, {}), (page) => page)).toMatchObject([{ items: [] }]);
    expect(targets()).toEqual(['/api/v2/organization/audit-trail']);
    expect(warnings).toEqual([]);
  });

  it.each([undefined, null, 'odd'])('may come with pagination that is %j', async (pagination) => {
    const { service } = await open(() => answer(200, { data: [event('e1')], pagination }));
    expect(await collect(service.auditTrail.list({}, {}), (page) => page)).toMatchObject([{ items: [event('e1')] }]);
  });

  it.each([{ data: {} }, { data: [null] }, { data: ['x'] }, [], '<html>'])(
    "is not the service's when it is %j",
    async (body) => {
      const { service } = await open(() => answer(200, body));
      await expect(collect(service.auditTrail.list({}, {}), (page) => page)).rejects.toMatchObject({
        code: 'not-the-service',
      });
    },
  );
});
