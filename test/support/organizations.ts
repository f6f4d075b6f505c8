import { answer, type SeenRequest, startScripted, type Turn } from './scripted.ts';

/** A scripted service with organizations whose members are data. */

export interface Person {
  readonly id: string;
  readonly email: string | null;
  readonly status: string;
  readonly teams: readonly string[];
  /** Null where the service does not say. */
  readonly secondFactor: boolean | null;
}

/** `changing`: a list whose total is another with each answer. */
type Members = readonly Person[] | { readonly status: number } | { readonly changing: readonly Person[] };

export type Organizations = Readonly<Record<string, Members>>;

const PAGE = 100;

export async function startOrganizations(organizations: Organizations) {
  const server = await startScripted(toTurn(organizations));
  return {
    requests: server.requests,
    env: { ORGCTL_BASE_URL: `${server.origin}/api/v2`, ORGCTL_TOKEN: 'token', ORGCTL_ORG: 'acme' },
  };
}

function toTurn(organizations: Organizations): Turn {
  let changes = 0;
  return (socket, request) => {
    changes += 1;
    toAnswer(organizations, request, changes)(socket, request);
  };
}

const NOT_FOUND = { errors: [{ status: '404', title: 'not found' }] };

function toAnswer(organizations: Organizations, { target }: SeenRequest, changes: number): Turn {
  const { pathname, searchParams } = new URL(target, 'http://localhost');
  if (pathname === '/api/v2/organization-memberships') {
    const own = Object.keys(organizations).map((name) => ({
      id: `ou-own-${name}`,
      type: 'organization-memberships',
      attributes: { status: 'active', email: 'me@example.com' },
      relationships: { organization: { data: { id: name, type: 'organizations' } } },
    }));
    return answer(200, { data: own });
  }
  const [, name = ''] = /^\/api\/v2\/organizations\/([^/]+)\/organization-memberships$/.exec(pathname) ?? [];
  const members = organizations[decodeURIComponent(name)];
  if (members === undefined) return answer(404, NOT_FOUND);
  if ('status' in members) return answer(members.status, { errors: [{ status: String(members.status) }] });
  const [people, more] = 'changing' in members ? [members.changing, changes] : [members, 0];
  const number = Number(searchParams.get('page[number]') ?? 1);
  const page = people.slice((number - 1) * PAGE, number * PAGE);
  const pages = Math.max(1, Math.ceil(people.length / PAGE));
  return answer(200, {
    data: page.map((person) => toMembership(person, name)),
    included: [
      ...page.map(toUser),
      ...[...new Set(page.flatMap(({ teams }) => teams))].map((team) => ({
        id: `team-${team}`,
        type: 'teams',
        attributes: { name: team },
      })),
    ],
    meta: { pagination: { 'current-page': number, 'total-pages': pages, 'total-count': people.length + more } },
  });
}

function toMembership({ id, email, status, teams }: Person, organization: string): object {
  return {
    id,
    type: 'organization-memberships',
    attributes: { status, email, 'created-at': '2026-01-05T10:00:00.000Z' },
    relationships: {
      user: { data: { id: `user-${id}`, type: 'users' } },
      teams: { data: teams.map((team) => ({ id: `team-${team}`, type: 'teams' })) },
      organization: { data: { id: organization, type: 'organizations' } },
    },
  };
}

function toUser({ id, secondFactor }: Person): object {
  const factor = secondFactor === null ? {} : { 'two-factor': { enabled: secondFactor, verified: secondFactor } };
  return {
    id: `user-${id}`,
    type: 'users',
    attributes: { username: id, 'auth-method': 'tfc', 'is-service-account': false, ...factor },
  };
}
