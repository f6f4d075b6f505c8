import { describe, expect, test } from 'vitest';
import { CALLER_KINDS } from '../../src/sandbox/callers.ts';
import { isPermitted } from '../../src/sandbox/permissions.ts';
import {
  createInvitation,
  createProvider,
  type Json,
  MEMBERSHIPS,
  openTestSandbox,
  PROVIDERS,
  type Sandbox,
  TOKEN,
  TOKEN_REQUEST,
} from './harness.ts';

const INVENTORY = `${PROVIDERS}/private/acme/inventory`;
const ADA = 'ada.auditor@example.com';

const tokenId = async (sandbox: Sandbox): Promise<unknown> => (await sandbox.ask('GET', TOKEN)).body.data?.id;
const total =
  (path: string) =>
  async (sandbox: Sandbox): Promise<unknown> =>
    (await sandbox.ask('GET', path)).body.meta.pagination['total-count'];

const auditMembers = async (sandbox: Sandbox): Promise<string> =>
  `/teams/${await sandbox.teamId('audit')}/relationships/organization-memberships`;

type Made<Value> = (sandbox: Sandbox) => Promise<Value>;
type Operation = [
  name: string,
  /** By caller, in the order of CALLER_KINDS. */
  statuses: number[],
  method: string,
  path: string | Made<string>,
  body?: Json | Made<Json>,
  /** Something that a write, and nothing but a success of it, changes. */
  effect?: Made<unknown>,
];

const toAda = async (sandbox: Sandbox): Promise<string> =>
  `/organization-memberships/${await sandbox.membershipId(ADA)}`;
const toIdentifiers = (email: string) => async (sandbox: Sandbox) => ({
  data: [{ type: 'organization-memberships', id: await sandbox.membershipId(email) }],
});
const toAuditTeam = async (sandbox: Sandbox): Promise<string> => `/teams/${await sandbox.teamId('audit')}`;
const countAuditMembers = async (sandbox: Sandbox): Promise<unknown> => total(await auditMembers(sandbox))(sandbox);

// By owner, owners-team, org-token, member, team-manager, registry-manager, audit-token, none.
const READ = [200, 200, 200, 200, 200, 200, 404, 401];
const toOwners = (success: number): number[] => [success, success, success, 404, 404, 404, 404, 401];
const toMemberManagers = (success: number): number[] => [success, success, success, 404, success, 404, 404, 401];
const toPeopleOfOwners = (success: number): number[] => [success, success, 404, 404, 404, 404, 404, 401];
/** Milo is a member of that team. */
const toAuditors = (success: number): number[] => [success, success, success, success, 404, 404, 404, 401];
const toProviderManagers = (success: number): number[] => [success, success, 404, 404, 404, success, 404, 401];

const NEW = createProvider('private', 'acme', 'new');
const NULL = createProvider('public', 'hashicorp', 'null');
const POLICIES = '/organizations/acme/token-ttl-policies';
const SHORTER = {
  data: {
    type: 'organization-token-ttl-policies',
    attributes: { 'token-ttl-policies': [{ 'token-type': 'user', 'max-ttl-ms': 86_400_000 }] },
  },
};
const shownMaximum = async (sandbox: Sandbox): Promise<unknown> =>
  (await sandbox.ask('GET', POLICIES)).body.data[2].attributes['max-ttl-ms'];
const NEWS = 'http://sandbox.test/api/registry/public/v1/providers/hashicorp/aws/versions';
const toInvited: Made<Json> = async (sandbox) => createInvitation('new@example.com', await sandbox.teamId('platform'));
const toOlive = toIdentifiers('olive.owner@example.com');

const ACME = '/organizations/acme';
const GENERAL = `${ACME}/authentication-token`;
const OF_OWNERS = async (sandbox: Sandbox): Promise<string> =>
  `/teams/${await sandbox.teamId('owners')}/authentication-token`;
const OF_AUDITORS = async (sandbox: Sandbox): Promise<string> =>
  `/teams/${await sandbox.teamId('audit')}/authentication-token`;
const idAt =
  (place: string | Made<string>): Made<unknown> =>
  async (sandbox) =>
    (await sandbox.ask('GET', typeof place === 'string' ? place : await place(sandbox))).body.data?.id;
const DESCRIBED: Made<string> = async (sandbox) => `${await toAuditTeam(sandbox)}/authentication-tokens`;
const NEW_TOKEN = { data: { type: 'authentication-tokens', attributes: { description: 'new' } } };
const NEW_ORGANIZATION = {
  data: { type: 'organizations', attributes: { name: 'hooli', email: 'it@hooli.example.com' } },
};
const RENAMED = { data: { type: 'organizations', attributes: { email: 'new@acme.example.com' } } };
const NEW_TEAM = { data: { type: 'teams', attributes: { name: 'new' } } };
const RENAMED_TEAM = { data: { type: 'teams', attributes: { visibility: 'organization' } } };
const auditTeam: Made<unknown> = async (sandbox) =>
  (await sandbox.ask('GET', await toAuditTeam(sandbox))).body.data.attributes.visibility;
const seatsAndEmail: Made<unknown> = async (sandbox) => {
  const { body } = await sandbox.ask('GET', ACME);
  return JSON.stringify([body.data?.attributes.email, body.data?.attributes['plan-identifier']]);
};

const OPERATIONS: Operation[] = [
  ['Authentication 1: generate audit trail token', toOwners(201), 'POST', TOKEN, TOKEN_REQUEST, tokenId],
  ['Authentication 1: delete audit trail token', toOwners(204), 'DELETE', TOKEN, undefined, tokenId],
  ['show audit trail token', toOwners(200), 'GET', TOKEN],
  ['generate organization token', toOwners(201), 'POST', GENERAL, TOKEN_REQUEST, idAt(GENERAL)],
  ['delete organization token', toOwners(204), 'DELETE', GENERAL, undefined, idAt(GENERAL)],
  ['show organization token', toOwners(200), 'GET', GENERAL],
  ['generate a token of owners', toPeopleOfOwners(201), 'POST', OF_OWNERS, TOKEN_REQUEST, idAt(OF_OWNERS)],
  ['generate a token of another team', toAuditors(201), 'POST', OF_AUDITORS, TOKEN_REQUEST, idAt(OF_AUDITORS)],
  ['add a described token to it', toAuditors(201), 'POST', DESCRIBED, NEW_TOKEN, total(`${ACME}/team-tokens`)],
  ['list the tokens of teams', toOwners(200), 'GET', `${ACME}/team-tokens`],
  [
    'delete a described token of a team, rex a member of it',
    [204, 204, 204, 404, 404, 204, 404, 401],
    'DELETE',
    async (sandbox) => `/authentication-tokens/${(await sandbox.ask('GET', `${ACME}/team-tokens`)).body.data[0].id}`,
    undefined,
    total(`${ACME}/team-tokens`),
  ],
  ['create a team', toOwners(200), 'POST', `${ACME}/teams`, NEW_TEAM, total(`${ACME}/teams`)],
  ['change a team', toOwners(200), 'PATCH', toAuditTeam, RENAMED_TEAM, auditTeam],
  ['delete a team', toOwners(204), 'DELETE', toAuditTeam, undefined, total(`${ACME}/teams`)],
  ['list organizations', READ, 'GET', '/organizations'],
  ['show organization', READ, 'GET', ACME],
  [
    'create an organization',
    [201, 404, 404, 201, 201, 201, 404, 401],
    'POST',
    '/organizations',
    NEW_ORGANIZATION,
    async (sandbox) => sandbox.organizations().length,
  ],
  ['change an organization', toPeopleOfOwners(200), 'PATCH', ACME, RENAMED, seatsAndEmail],
  ['delete an organization', toPeopleOfOwners(204), 'DELETE', ACME, undefined, seatsAndEmail],
  ['show entitlements', READ, 'GET', `${ACME}/entitlement-set`],
  ['show subscription', READ, 'GET', `${ACME}/subscription`],
  ['list stacks', READ, 'GET', `${ACME}/stacks`],
  ['list token policies', [200, 200, 200, 403, 403, 403, 404, 401], 'GET', POLICIES],
  ['change a token policy', [200, 200, 403, 403, 403, 403, 404, 401], 'PATCH', POLICIES, SHORTER, shownMaximum],
  ['Authentication 2: invite', toMemberManagers(201), 'POST', MEMBERSHIPS, toInvited, total(MEMBERSHIPS)],
  ['Authentication 2: remove', toMemberManagers(204), 'DELETE', toAda, undefined, total(MEMBERSHIPS)],
  ['list memberships', READ, 'GET', MEMBERSHIPS],
  ['list own memberships', READ, 'GET', '/organization-memberships'],
  ['show membership', READ, 'GET', toAda],
  ['Authentication 3: create private', toProviderManagers(201), 'POST', PROVIDERS, NEW, total(PROVIDERS)],
  ['Authentication 3: create public', toProviderManagers(201), 'POST', PROVIDERS, NULL, total(PROVIDERS)],
  ['Authentication 3: delete', toProviderManagers(204), 'DELETE', INVENTORY, undefined, total(PROVIDERS)],
  ['Authentication 3: view providers', READ, 'GET', PROVIDERS],
  ['Authentication 3: view provider', READ, 'GET', `${PROVIDERS}/public/hashicorp/aws`],
  [
    'show a provider by its id',
    READ,
    'GET',
    async (sandbox) => `/registry-providers/${await idAt(INVENTORY)(sandbox)}`,
  ],
  ['list feature sets', READ, 'GET', '/feature-sets'],
  ['list eligible feature sets', READ, 'GET', '/organizations/acme/feature-sets'],
  ['list teams', READ, 'GET', '/organizations/acme/teams'],
  ['show team', READ, 'GET', toAuditTeam],
  ['list members of a team', READ, 'GET', auditMembers],
  ['add to a team', toMemberManagers(204), 'POST', auditMembers, toOlive, countAuditMembers],
  ['remove from a team', toMemberManagers(204), 'DELETE', auditMembers, toIdentifiers(ADA), countAuditMembers],
  ['show account', READ, 'GET', '/account/details'],
  ['Authentication 4: public registry proxy', READ, 'GET', NEWS],
  ['read audit trail', [200, 200, 200, 200, 200, 200, 200, 401], 'GET', '/organization/audit-trail'],
  ['ping', [204, 204, 204, 204, 204, 204, 204, 204], 'GET', '/ping'],
];

describe('permissions', () => {
  test.each(OPERATIONS)('%s', async (_name, statuses, method, path, body, effect) => {
    let sandbox = openTestSandbox();
    const made = async <Value>(value: Value | Made<Value>): Promise<Value> =>
      typeof value === 'function' ? await (value as Made<Value>)(sandbox) : value;
    const seen: number[] = [];
    for (const as of CALLER_KINDS) {
      const before = await effect?.(sandbox);
      const { status } = await sandbox.ask(method, await made(path), { as, body: await made(body) });
      seen.push(status);
      if (effect === undefined) continue;
      expect((await effect(sandbox)) !== before, as).toBe(status < 300);
      if (status < 300) sandbox = openTestSandbox();
    }
    expect(seen).toEqual(statuses);
  });

  test.each(['owners-team', 'org-token'] as const)('the %s of acme has no rights in globex', async (as) => {
    const sandbox = openTestSandbox();
    const elsewhere = await sandbox.membershipId('gina.globex@example.com', 'globex');
    const team = await sandbox.teamId('audit', 'globex');
    const replies = await Promise.all([
      sandbox.ask('GET', '/organizations/globex/feature-sets', { as }),
      sandbox.ask('GET', '/organizations/globex/organization-memberships', { as }),
      sandbox.ask('GET', `/organization-memberships/${elsewhere}`, { as }),
      sandbox.ask('DELETE', `/organization-memberships/${elsewhere}`, { as }),
      sandbox.ask('GET', '/organizations/globex/registry-providers', { as }),
      sandbox.ask('GET', '/organizations/globex/teams', { as }),
      sandbox.ask('GET', `/teams/${team}`, { as }),
      sandbox.ask('GET', `/teams/${team}/relationships/organization-memberships`, { as }),
      sandbox.ask('POST', TOKEN.replace('acme', 'globex'), { as, body: TOKEN_REQUEST }),
    ]);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([404]));
    expect(sandbox.tokenFor('audit-token', 'globex')).toBe('sandbox.audit-token.globex');
  });

  test.each(['manage-membership', 'manage-teams', 'manage-organization-access'] as const)(
    'Authentication 2: %s is a Team Management permission, and no other right',
    (right) => {
      const allowed = ['memberships.manage', 'teams.change-members'] as const;
      expect(allowed.map((operation) => isPermitted(new Set([right]), operation))).toEqual([true, true]);
      const others = ['audit-token.manage', 'providers.manage', 'memberships.read', 'service.read'] as const;
      expect(others.map((operation) => isPermitted(new Set([right]), operation))).toEqual([false, false, false, false]);
    },
  );

  test('a removed member has no rights there, and is still a member elsewhere', async () => {
    const sandbox = openTestSandbox();
    const id = await sandbox.membershipId('milo.member@example.com');
    expect((await sandbox.ask('DELETE', `/organization-memberships/${id}`)).status).toBe(204);
    expect((await sandbox.ask('GET', '/organizations/acme/teams', { as: 'member' })).status).toBe(404);
    expect((await sandbox.ask('GET', '/organizations/globex/teams', { as: 'member' })).status).toBe(200);
  });
});
