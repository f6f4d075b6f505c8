import {
  type Answer,
  type Decide,
  type Routes,
  readPage,
  route,
  type Seen,
  startServer,
  toPagination,
} from '../../campaign/service.ts';
import { invite, join, leave, type Person, Refusal, remove, type Team, type World } from './world.ts';

/** A service with one organization in memory, made from what is known of the real one alone: it shares no line with ours. */

export type TrialService = Awaited<ReturnType<typeof startTrialService>>;

const OWN = '/api/v2/organizations/acme';
const MEMBERSHIP = '/api/v2/organization-memberships/*';
const TEAM = '/api/v2/teams/*';
const TEAM_MEMBERS = `${TEAM}/relationships/organization-memberships`;
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

export async function startTrialService() {
  let world: World;
  const done: Answer = { status: 204 };
  const document: Routes<Answer> = {
    [`GET ${OWN}/organization-memberships`]: ({ query }) => listMembers(world, filterPeople(world, query), query),
    [`POST ${OWN}/organization-memberships`]: ({ body }) => inviteOne(world, JSON.parse(body)),
    'GET /api/v2/organization-memberships': () => listOwn(world),
    [`GET ${MEMBERSHIP}`]: ({ query }, id = '') => showOne(world, id, query),
    [`DELETE ${MEMBERSHIP}`]: (_seen, id = '') => {
      remove(world, id, 'orgctl');
      return done;
    },
  };
  const outside: Routes<Answer> = {
    [`GET ${OWN}`]: () => showOrganization(world),
    [`GET ${OWN}/teams`]: ({ query }) => listTeams(world, query),
    'GET /api/v2/account/details': () => showAccount(world),
    'GET /api/v2/ping': () => done,
    [`GET ${TEAM}`]: ({ query }, team = '') => showTeam(world, team, query),
    [`GET ${TEAM_MEMBERS}`]: ({ query }, team = '') => listMembers(world, filterTeam(world, team, query), query),
    [`POST ${TEAM_MEMBERS}`]: (seen, team = '') => {
      join(world, team, readIdentifiers(world, seen), 'orgctl');
      return done;
    },
    [`DELETE ${TEAM_MEMBERS}`]: (seen, team = '') => {
      leave(world, team, readIdentifiers(world, seen), 'orgctl');
      return done;
    },
  };

  function carryOut(seen: Seen): Answer {
    if (seen.headers.authorization !== 'Bearer trial') return refuse(401);
    const isWrite = seen.method !== 'GET';
    if (isWrite && seen.headers['content-type']?.startsWith(MEDIA_TYPE) !== true) return refuse(415);
    try {
      const found = route(document, seen) ?? (world.manners.documentOnly ? undefined : route(outside, seen));
      return found ?? refuse(404);
    } catch (error) {
      if (error instanceof Refusal) return refuse(error.status, error.message);
      throw error;
    }
  }

  const server = await startServer(carryOut, {
    headers: () => ({ 'x-ratelimit-limit': '100000', 'x-ratelimit-reset': '0.0', 'tfp-appname': 'HCP Terraform' }),
  });
  return {
    url: server.url,
    /** Requests since the last `play`, in turn. */
    seen: server.requests,
    play(next: World, decide: Decide = () => undefined): void {
      world = next;
      server.setFaults(decide);
    },
    stop: () => server.close(),
  };
}

export function refuse(status: number, detail?: string): Answer {
  const title = REASONS[status] ?? 'error';
  // The service writes this one as a number.
  const said = status === 429 ? 429 : String(status);
  return { status, body: { errors: [{ status: said, title, ...(detail === undefined ? {} : { detail }) }] } };
}

function filterTeam(world: World, team: string, query: URLSearchParams): readonly Person[] {
  if (!world.teams.has(team)) throw new Refusal(404, 'not found');
  const [status, service] = [query.get('filter[status]'), query.get('filter[is_service_account]')];
  return [...world.people.values()].filter(
    (person) =>
      person.teams.has(team) &&
      (status === null || person.status === status) &&
      (service === null || String(person.serviceAccount) === service),
  );
}

function readIdentifiers(world: World, { body }: Seen): readonly string[] {
  const { data } = (body === '' ? {} : JSON.parse(body)) as { readonly data?: unknown };
  if (!Array.isArray(data) || data.length === 0) throw new Refusal(400, 'data must be a list');
  const ids = data.map(({ type, id }: { readonly type?: unknown; readonly id?: unknown }) => {
    if (type !== 'organization-memberships') throw new Refusal(400, 'wrong type');
    if (typeof id !== 'string' || id === '') throw new Refusal(400, 'blank id');
    return id;
  });
  if (world.manners.unified) throw new Refusal(403, 'This organization is managed by HCP');
  return ids;
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
  const team = world.teams.get(id);
  if (team === undefined) return refuse(404);
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
  const { number, size } = readPage(query);
  if (!(size >= 1 && size <= MOST)) throw new Refusal(422, 'page[size] must be between 1 and 100');
  return {
    some: all.slice((number - 1) * size, number * size),
    pagination: toPagination({ number, size }, all.length),
  };
}
