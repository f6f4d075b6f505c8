// A service with many organizations, each with many members, that answers after some milliseconds and refuses what comes too
// fast. `node organizations.mjs <organizations> <fewest> <most> <latency> <limit> [faults]`; it says its port as the first line.
// With faults 10 organizations answer 404, 3 answer 503 for ever, and the list of one keeps changing.
// GET /counts, which no limit counts, says what came: requests, refused ones, and the members of whom.

import { createServer } from 'node:http';
import process from 'node:process';

const [organizations, fewest, most, latency, limit] = process.argv.slice(2, 7).map(Number);
const hasFaults = process.argv[7] === 'faults';
const NAMES = Array.from({ length: organizations }, (_, index) => `org-${String(index).padStart(4, '0')}`);
const TEAMS = ['owners', 'platform', 'security', 'audit', 'network', 'data', 'mobile', 'web'];
const counts = { requests: 0, refused: 0 };
let arrivals = [];
let changes = 0;

/** So many members: every number between the two, in no order, so that large ones follow small ones. */
function sizeOf(index) {
  if (organizations === 1) return most;
  const place = (index * 137) % organizations;
  return fewest + Math.round((place * (most - fewest)) / (organizations - 1));
}

function faultOf(index) {
  if (!hasFaults) return undefined;
  if (index % 30 === 7) return 404;
  if (index % 100 === 42) return 503;
  return index === 150 ? 'changing' : undefined;
}

const server = createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost');
  if (url.pathname === '/counts') return send(response, 200, { ...counts, members: toMembers() });
  counts.requests += 1;
  const now = performance.now();
  arrivals = arrivals.filter((at) => at > now - 1_000);
  if (arrivals.length >= limit) {
    counts.refused += 1;
    return send(response, 429, { errors: [{ status: '429', title: 'too many requests' }] });
  }
  arrivals.push(now);
  setTimeout(() => send(response, ...toAnswer(url)), latency);
  return undefined;
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));

function send(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/vnd.api+json', 'x-ratelimit-limit': String(limit) });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The members of each organization that can be read. */
function toMembers() {
  const readable = NAMES.map((name, index) => [name, index]).filter(([, index]) => faultOf(index) === undefined);
  return Object.fromEntries(readable.map(([name, index]) => [name, sizeOf(index)]));
}

function toAnswer(url) {
  if (url.pathname === '/api/v2/organization-memberships') return [200, { data: NAMES.map(toOwn) }];
  const [, name, kind] = /^\/api\/v2\/organizations\/([^/]+)\/([^/]+)$/.exec(url.pathname) ?? [];
  const index = NAMES.indexOf(name);
  const fault = faultOf(index);
  if (index < 0 || kind !== 'organization-memberships' || fault === 404) {
    return [404, { errors: [{ status: '404', title: 'not found' }] }];
  }
  if (fault === 503) return [503, { errors: [{ status: '503', title: 'unavailable' }] }];
  changes += fault === 'changing' ? 1 : 0;
  const number = Number(url.searchParams.get('page[number]') ?? 1);
  return [200, toText(name, number, sizeOf(index), fault === 'changing' ? changes : 0)];
}

/** Where an organization's own name, and its counts, are put in. */
const PLACE = /@name|"@(?:next|pages|total)"/g;
const texts = new Map();

/** Made once for each page that is alike: what takes long here would make requests seem to come at once. */
function toText(organization, number, size, more) {
  const count = Math.max(0, Math.min(100, size - (number - 1) * 100));
  const key = `${number}/${count}`;
  if (!texts.has(key)) texts.set(key, JSON.stringify(toDocument(number, count)));
  const pages = Math.ceil(size / 100);
  const values = {
    '@name': organization,
    '"@next"': String(number < pages ? number + 1 : null),
    '"@pages"': String(pages),
    '"@total"': String(size + more),
  };
  return texts.get(key).replace(PLACE, (place) => values[place]);
}

function toOwn(name) {
  return {
    id: `ou-own-${name}`,
    type: 'organization-memberships',
    attributes: { status: 'active', email: 'owner@example.com' },
    relationships: { organization: { data: { id: name, type: 'organizations' } } },
  };
}

function toDocument(number, count) {
  const indexes = Array.from({ length: count }, (_, index) => (number - 1) * 100 + index);
  return {
    data: indexes.map(toMembership),
    included: [...indexes.map(toUser), ...TEAMS.map(toTeam)],
    meta: {
      pagination: {
        'current-page': number,
        'page-size': 100,
        'next-page': '@next',
        'total-pages': '@pages',
        'total-count': '@total',
      },
    },
  };
}

function toMembership(index) {
  const teams = index === 0 ? ['owners'] : TEAMS.slice(1).filter((_, place) => (index >> place) % 3 === 0);
  return {
    id: `ou-@name-${index}`,
    type: 'organization-memberships',
    attributes: {
      status: index % 20 === 19 ? 'invited' : 'active',
      // As a service gives them: in no order.
      email: `person${(index * 7919) % 10_007}.${index}@example.com`,
      'created-at': '2026-01-01T00:00:00.000Z',
    },
    relationships: {
      user: { data: { id: `user-@name-${index}`, type: 'users' } },
      teams: { data: teams.map((team) => ({ id: `team-${team}`, type: 'teams' })) },
      organization: { data: { id: '@name', type: 'organizations' } },
    },
  };
}

function toUser(index) {
  return {
    id: `user-@name-${index}`,
    type: 'users',
    attributes: {
      username: `person-${index}`,
      'is-service-account': false,
      'auth-method': 'hcp_sso',
      'avatar-url': null,
      'two-factor': { enabled: index % 3 !== 0, verified: index % 3 !== 0 },
      permissions: { 'can-create-organizations': false, 'can-change-email': true, 'can-change-username': true },
    },
  };
}

function toTeam(name) {
  return {
    id: `team-${name}`,
    type: 'teams',
    attributes: {
      name,
      'users-count': 100,
      visibility: 'organization',
      'organization-access': { 'manage-membership': false, 'manage-teams': false, 'manage-providers': false },
      permissions: { 'can-update-membership': true },
    },
  };
}
