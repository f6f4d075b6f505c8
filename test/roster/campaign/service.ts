import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { invite, join, leave, type Person, Refusal, remove, type Team, type World } from './world.ts';

/** A service with one organization in memory, made from what is known of the real one alone: it shares no line with ours. */

export interface Seen {
  /** From 1. */
  readonly number: number;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** What happens to a request instead of an answer. `done`: after it took effect. */
export type Trouble =
  | { readonly kind: 'status'; readonly status: number; readonly done?: boolean; readonly detail?: string }
  /** The connection breaks. */
  | { readonly kind: 'reset'; readonly done: boolean }
  /** The answer ends in its middle. */
  | { readonly kind: 'cut' }
  /** There never is an answer. */
  | { readonly kind: 'silence'; readonly done: boolean };

export interface Hooks {
  /** Called once a request has arrived whole, before it takes effect. */
  onRequest?(seen: Seen): Trouble | undefined;
  /** Called after it took effect, before its answer leaves. */
  onDone?(seen: Seen): void;
}

export type TrialService = Awaited<ReturnType<typeof startTrialService>>;

const MEDIA_TYPE = 'application/vnd.api+json';
const MOST = 100;
const REASONS: Readonly<Record<number, string>> = {
  400: 'bad request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not found',
  415: 'unsupported media type',
  422: 'invalid attribute',
  429: 'Too many requests',
  502: 'bad gateway',
};

interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

export async function startTrialService() {
  let world: World | undefined;
  let hooks: Hooks = {};
  const seen: Seen[] = [];
  const sockets = new Set<Socket>();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const url = new URL(request.url ?? '/', 'http://localhost');
    const text = Buffer.concat(pieces).toString('utf8');
    const one: Seen = {
      number: seen.length + 1,
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      body: text === '' ? undefined : JSON.parse(text),
    };
    seen.push(one);
    const trouble = hooks.onRequest?.(one);
    const isDone = trouble === undefined || trouble.kind === 'cut' || trouble.done === true;
    const result = isDone ? carryOut(world, one, request) : undefined;
    if (isDone) hooks.onDone?.(one);
    if (trouble === undefined) return send(response, result ?? refuse(404));
    switch (trouble.kind) {
      case 'status':
        return send(response, refuse(trouble.status, trouble.detail));
      case 'silence':
        return;
      case 'reset':
        return void request.socket.resetAndDestroy();
      case 'cut':
        response.writeHead(result?.status ?? 200, { 'content-type': MEDIA_TYPE, 'content-length': '4096' });
        response.write('{"data":');
        setImmediate(() => request.socket.destroy());
    }
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // Broken connections are meant.
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/api/v2`,
    /** Requests since the last `play`, in turn. */
    seen: seen as readonly Seen[],
    play(next: World, more: Hooks = {}): void {
      world = next;
      hooks = more;
      seen.length = 0;
    },
    async stop(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  const headers = { 'x-ratelimit-limit': '100000', 'x-ratelimit-reset': '0.0', 'tfp-appname': 'HCP Terraform' };
  if (body === undefined) return void response.writeHead(status, headers).end();
  response.writeHead(status, { ...headers, 'content-type': MEDIA_TYPE }).end(JSON.stringify(body));
}

function refuse(status: number, detail?: string): Answer {
  const title = REASONS[status] ?? 'error';
  // The service writes this one as a number.
  const said = status === 429 ? 429 : String(status);
  return { status, body: { errors: [{ status: said, title, ...(detail === undefined ? {} : { detail }) }] } };
}

function carryOut(world: World | undefined, seen: Seen, request: IncomingMessage): Answer {
  if (world === undefined) return refuse(404);
  if (request.headers.authorization !== 'Bearer trial') return refuse(401);
  const isWrite = seen.method !== 'GET';
  if (isWrite && request.headers['content-type']?.startsWith(MEDIA_TYPE) !== true) return refuse(415);
  try {
    return route(world, seen);
  } catch (error) {
    if (error instanceof Refusal) return refuse(error.status, error.message);
    throw error;
  }
}

function route(world: World, seen: Seen): Answer {
  const { method, path, query, body } = seen;
  const own = `/api/v2/organizations/${world.organization}`;
  const isOutside = world.manners.documentOnly;
  if (path === `${own}/organization-memberships`) {
    if (method === 'GET') return listMembers(world, filterPeople(world, query), query);
    if (method === 'POST') return inviteOne(world, body);
  }
  if (path === '/api/v2/organization-memberships' && method === 'GET') return listOwn(world);
  const [, membership] = /^\/api\/v2\/organization-memberships\/([^/]+)$/.exec(path) ?? [];
  if (membership !== undefined) {
    if (method === 'GET') return showOne(world, membership, query);
    if (method === 'DELETE') {
      remove(world, membership, 'orgctl');
      return { status: 204 };
    }
  }
  if (isOutside) return refuse(404);
  if (path === own && method === 'GET') return showOrganization(world);
  if (path === `${own}/teams` && method === 'GET') return listTeams(world, query);
  if (path === '/api/v2/account/details' && method === 'GET') return showAccount(world);
  if (path === '/api/v2/ping') return { status: 204 };
  const [, team, of] = /^\/api\/v2\/teams\/([^/]+)(\/relationships\/organization-memberships)?$/.exec(path) ?? [];
  if (team === undefined || !world.teams.has(team)) return refuse(404);
  if (of === undefined) return method === 'GET' ? showTeam(world, team, query) : refuse(404);
  if (method === 'GET') {
    const there = [...world.people.values()].filter(({ teams, status, serviceAccount }) => {
      const [status_, service] = [query.get('filter[status]'), query.get('filter[is_service_account]')];
      return (
        teams.has(team) &&
        (status_ === null || status === status_) &&
        (service === null || String(serviceAccount) === service)
      );
    });
    return listMembers(world, there, query);
  }
  const ids = readIdentifiers(body);
  if (world.manners.unified) throw new Refusal(403, 'This organization is managed by HCP');
  if (method === 'POST') join(world, team, ids, 'orgctl');
  else if (method === 'DELETE') leave(world, team, ids, 'orgctl');
  else return refuse(404);
  return { status: 204 };
}

function readIdentifiers(body: unknown): readonly string[] {
  const { data } = (body ?? {}) as { readonly data?: unknown };
  if (!Array.isArray(data) || data.length === 0) throw new Refusal(400, 'data must be a list');
  return data.map(({ type, id }: { readonly type?: unknown; readonly id?: unknown }) => {
    if (type !== 'organization-memberships') throw new Refusal(400, 'wrong type');
    if (typeof id !== 'string' || id === '') throw new Refusal(400, 'blank id');
    return id;
  });
}

function inviteOne(world: World, body: unknown): Answer {
  const { data } = body as {
    readonly data: {
      readonly type?: unknown;
      readonly attributes?: { readonly email?: unknown };
      readonly relationships?: { readonly teams?: { readonly data?: readonly { readonly id: string }[] } };
    };
  };
  const email = data.attributes?.email;
  if (data.type !== 'organization-memberships' || typeof email !== 'string' || !/^[^@\s]+@[^@\s]+$/.test(email)) {
    throw new Refusal(422, 'Email is invalid');
  }
  const teams = (data.relationships?.teams?.data ?? []).map(({ id }) => id);
  const person = invite(world, email, teams, 'orgctl');
  return { status: 201, body: { data: toMembership(world, person), included: [toUser(world, person)] } };
}

function filterPeople(world: World, query: URLSearchParams): readonly Person[] {
  const [q, status, emails] = [query.get('q'), query.get('filter[status]'), query.get('filter[email]')];
  if (status !== null && !['active', 'invited', 'inactive'].includes(status)) throw new Refusal(400, 'invalid filter');
  const wanted = emails === null ? undefined : new Set(emails.split(','));
  return [...world.people.values()].filter(
    (person) =>
      (status === null || person.status === status) &&
      (wanted === undefined || wanted.has(person.email)) &&
      (q === null ||
        [person.email, person.username ?? ''].some((text) => text.toLowerCase().includes(q.toLowerCase()))),
  );
}

function listMembers(world: World, people: readonly Person[], query: URLSearchParams): Answer {
  const include = readInclude(query, ['user', 'teams', ...(world.manners.scimInclude ? ['scim-identity'] : [])]);
  const { some, pagination } = toPage(people, query);
  const everyone = [...world.people.values()];
  const count = (status: string): number => everyone.filter((person) => person.status === status).length;
  return {
    status: 200,
    body: {
      data: some.map((person) => toMembership(world, person)),
      included: toIncluded(world, some, include),
      meta: {
        'status-counts': { total: everyone.length, active: count('active'), invited: count('invited') },
        pagination,
      },
    },
  };
}

function showOne(world: World, id: string, query: URLSearchParams): Answer {
  const include = readInclude(query, ['user', 'teams']);
  const person = world.people.get(id);
  if (person === undefined) return refuse(404);
  return {
    status: 200,
    body: { data: toMembership(world, person), included: toIncluded(world, [person], include) },
  };
}

/** An organization's token is nobody's. */
function listOwn(world: World): Answer {
  const person = world.caller === undefined ? undefined : world.people.get(world.caller);
  if (person === undefined) return refuse(404);
  return { status: 200, body: { data: [toMembership(world, person)] } };
}

function listTeams(world: World, query: URLSearchParams): Answer {
  readInclude(query, ['users', 'organization-memberships']);
  const [q, names] = [query.get('q'), query.get('filter[names]')];
  const wanted = names === null ? undefined : new Set(names.split(','));
  const found = [...world.teams.values()].filter(
    ({ name }) =>
      (wanted === undefined || wanted.has(name)) && (q === null || name.toLowerCase().includes(q.toLowerCase())),
  );
  const { some, pagination } = toPage(found, query);
  return { status: 200, body: { data: some.map((team) => toTeam(world, team)), meta: { pagination } } };
}

function showTeam(world: World, id: string, query: URLSearchParams): Answer {
  const include = readInclude(query, ['users', 'organization-memberships']);
  const team = world.teams.get(id) as Team;
  const there = [...world.people.values()].filter(({ teams }) => teams.has(id));
  const members = include.has('organization-memberships') ? there.map((person) => toMembership(world, person)) : [];
  const users = include.has('users') ? there.map((person) => toUser(world, person)) : [];
  return { status: 200, body: { data: toTeam(world, team), included: [...users, ...members] } };
}

function showOrganization({ organization, manners }: World): Answer {
  return {
    status: 200,
    body: {
      data: {
        id: organization,
        type: 'organizations',
        attributes: { name: organization, 'is-unified': manners.unified, permissions: { 'can-manage-users': true } },
      },
    },
  };
}

function showAccount(world: World): Answer {
  const person = world.caller === undefined ? undefined : world.people.get(world.caller);
  if (person !== undefined) return { status: 200, body: { data: toUser(world, person) } };
  const owner = { data: { id: world.organization, type: 'organizations' } };
  return {
    status: 200,
    body: {
      data: {
        id: 'user-ofthetoken000000',
        type: 'users',
        attributes: { username: `api-org_${world.organization}`, 'is-service-account': true },
        relationships: { 'authenticated-resource': owner },
      },
    },
  };
}

function toMembership(world: World, person: Person) {
  const scim = person.scim === null ? null : { id: person.scim, type: 'scim-identities' };
  return {
    id: person.id,
    type: 'organization-memberships',
    attributes: {
      status: person.status,
      ...(person.hidden ? {} : { email: person.email }),
      'created-at': '2026-01-01T00:00:00.000Z',
    },
    relationships: {
      user: { data: { id: person.user, type: 'users' } },
      teams: { data: [...person.teams].map((id) => ({ id, type: 'teams' })) },
      organization: { data: { id: world.organization, type: 'organizations' } },
      ...(world.manners.scimShown === 'relationship' ? { 'scim-identity': { data: scim } } : {}),
    },
  };
}

function toUser({ manners }: World, person: Person) {
  return {
    id: person.user,
    type: 'users',
    attributes: {
      username: person.username,
      'is-service-account': person.serviceAccount,
      'auth-method': 'tfc',
      'two-factor': { enabled: false, verified: false },
      ...(person.hidden ? {} : { email: person.email }),
      ...(manners.scimShown === 'users' ? { 'is-scim-managed': person.scim !== null } : {}),
    },
  };
}

function toTeam(world: World, team: Team) {
  const there = [...world.people.values()].filter(({ teams }) => teams.has(team.id));
  return {
    id: team.id,
    type: 'teams',
    attributes: {
      name: team.name,
      'users-count': there.filter(({ status }) => status === 'active').length,
      visibility: 'organization',
      'sso-team-id': team.ssoTeamId,
      'scim-linked': team.scimLinked,
    },
    relationships: { organization: { data: { id: world.organization, type: 'organizations' } } },
  };
}

function toIncluded(world: World, people: readonly Person[], include: ReadonlySet<string>): readonly object[] {
  const teams = new Set(people.flatMap((person) => [...person.teams]));
  return [
    ...(include.has('user') ? people.map((person) => toUser(world, person)) : []),
    ...(include.has('teams') ? [...teams].map((id) => toTeam(world, world.teams.get(id) as Team)) : []),
    ...(include.has('scim-identity')
      ? people.flatMap(({ scim }) =>
          scim === null ? [] : [{ id: scim, type: 'scim-identities', attributes: { status: 'claimed' } }],
        )
      : []),
  ];
}

function readInclude(query: URLSearchParams, known: readonly string[]): ReadonlySet<string> {
  const asked = (query.get('include') ?? '').split(',').filter((name) => name !== '');
  if (asked.some((name) => !known.includes(name))) throw new Refusal(400, 'Invalid include parameter');
  return new Set(asked);
}

function toPage<T>(all: readonly T[], query: URLSearchParams) {
  const size = Number(query.get('page[size]') ?? 20);
  const number = Number(query.get('page[number]') ?? 1);
  if (!(size >= 1 && size <= MOST)) throw new Refusal(422, 'page[size] must be between 1 and 100');
  const pages = Math.ceil(all.length / size);
  return {
    some: all.slice((number - 1) * size, number * size),
    pagination: {
      'current-page': number,
      'page-size': size,
      'prev-page': number > 1 ? number - 1 : null,
      'next-page': number < pages ? number + 1 : null,
      'total-pages': pages,
      'total-count': all.length,
    },
  };
}
