import { describe, expect, test } from 'vitest';
import { isPermitted } from '../../src/sandbox/permissions.ts';
import { CALLER_KINDS, type CallerKind, type Sandbox } from '../../src/sandbox/sandbox.ts';
import {
  ask,
  type Json,
  MEMBERSHIPS,
  membershipId,
  openTestSandbox,
  PROVIDERS,
  type Reply,
  TOKEN,
  TOKEN_REQUEST,
  teamId,
  toInvitation,
  toProvider,
} from './harness.ts';

interface Operation {
  readonly name: string;
  /** By caller, in the order of CALLER_KINDS. */
  readonly statuses: readonly number[];
  ask(sandbox: Sandbox, as: CallerKind): Promise<Reply>;
  /** Something that a write, and nothing but a success of it, changes. */
  readonly effect?: (sandbox: Sandbox) => Promise<unknown>;
}

const ADA = 'ada.auditor@example.com';

const tokenId = async (sandbox: Sandbox): Promise<unknown> => (await ask(sandbox, 'GET', TOKEN)).body.data?.id;
const total =
  (path: string) =>
  async (sandbox: Sandbox): Promise<unknown> =>
    (await ask(sandbox, 'GET', path)).body.meta.pagination['total-count'];

const auditMembers = async (sandbox: Sandbox): Promise<string> =>
  `/teams/${await teamId(sandbox, 'audit')}/relationships/organization-memberships`;

type Path = string | ((sandbox: Sandbox) => Promise<string>);

const toOperation = (
  name: string,
  statuses: readonly number[],
  method: string,
  path: Path,
  write: { body?: (sandbox: Sandbox) => Json; effect?: Operation['effect'] } = {},
): Operation => ({
  name,
  statuses,
  async ask(sandbox, as) {
    const body = await write.body?.(sandbox);
    return ask(sandbox, method, typeof path === 'string' ? path : await path(sandbox), { as, body });
  },
  ...(write.effect === undefined ? {} : { effect: write.effect }),
});

const toAda = async (sandbox: Sandbox): Promise<string> =>
  `/organization-memberships/${await membershipId(sandbox, ADA)}`;
const toIdentifiers = (email: string) => async (sandbox: Sandbox) => ({
  data: [{ type: 'organization-memberships', id: await membershipId(sandbox, email) }],
});
const toAuditTeam = async (sandbox: Sandbox): Promise<string> => `/teams/${await teamId(sandbox, 'audit')}`;
const countAuditMembers = async (sandbox: Sandbox): Promise<unknown> => total(await auditMembers(sandbox))(sandbox);

// By owner, owners-team, org-token, member, team-manager, registry-manager, audit-token, none.
const READ = [200, 200, 200, 200, 200, 200, 404, 401];
const toOwners = (success: number): number[] => [success, success, success, 404, 404, 404, 404, 401];
const toMemberManagers = (success: number): number[] => [success, success, success, 404, success, 404, 404, 401];
const toProviderManagers = (success: number): number[] => [success, success, 404, 404, 404, success, 404, 401];

const OPERATIONS: readonly Operation[] = [
  toOperation('Authentication 1: generate audit trail token', toOwners(201), 'POST', TOKEN, {
    body: () => TOKEN_REQUEST,
    effect: tokenId,
  }),
  toOperation('Authentication 1: delete audit trail token', toOwners(204), 'DELETE', TOKEN, { effect: tokenId }),
  toOperation('show audit trail token', toOwners(200), 'GET', TOKEN),
  toOperation('Authentication 2: invite', toMemberManagers(201), 'POST', MEMBERSHIPS, {
    body: async (sandbox) => toInvitation('new@example.com', await teamId(sandbox, 'platform')),
    effect: total(MEMBERSHIPS),
  }),
  toOperation('Authentication 2: remove', toMemberManagers(204), 'DELETE', toAda, { effect: total(MEMBERSHIPS) }),
  toOperation('list memberships', READ, 'GET', MEMBERSHIPS),
  toOperation('list own memberships', READ, 'GET', '/organization-memberships'),
  toOperation('show membership', READ, 'GET', toAda),
  ...[toProvider('private', 'acme', 'new'), toProvider('public', 'hashicorp', 'null')].map((body) =>
    toOperation(
      `Authentication 3: create ${body.data.attributes['registry-name']} provider`,
      toProviderManagers(201),
      'POST',
      PROVIDERS,
      { body: () => body, effect: total(PROVIDERS) },
    ),
  ),
  toOperation(
    'Authentication 3: delete provider',
    toProviderManagers(204),
    'DELETE',
    `${PROVIDERS}/private/acme/inventory`,
    { effect: total(PROVIDERS) },
  ),
  toOperation('Authentication 3: view providers', READ, 'GET', PROVIDERS),
  toOperation('Authentication 3: view provider', READ, 'GET', `${PROVIDERS}/public/hashicorp/aws`),
  toOperation('list feature sets', READ, 'GET', '/feature-sets'),
  toOperation('list eligible feature sets', READ, 'GET', '/organizations/acme/feature-sets'),
  toOperation('list teams', READ, 'GET', '/organizations/acme/teams'),
  toOperation('show team', READ, 'GET', toAuditTeam),
  toOperation('list members of a team', READ, 'GET', auditMembers),
  toOperation('add to a team', toMemberManagers(204), 'POST', auditMembers, {
    body: toIdentifiers('olive.owner@example.com'),
    effect: countAuditMembers,
  }),
  toOperation('remove from a team', toMemberManagers(204), 'DELETE', auditMembers, {
    body: toIdentifiers(ADA),
    effect: countAuditMembers,
  }),
  toOperation('show account', READ, 'GET', '/account/details'),
  toOperation(
    'Authentication 4: public registry proxy',
    READ,
    'GET',
    'http://sandbox.test/api/registry/public/v1/providers/hashicorp/aws/versions',
  ),
  toOperation('read audit trail', [200, 200, 200, 200, 200, 200, 200, 401], 'GET', '/organization/audit-trail'),
  toOperation('ping', [204, 204, 204, 204, 204, 204, 204, 204], 'GET', '/ping'),
];

const CASES = OPERATIONS.flatMap((operation) =>
  CALLER_KINDS.map((as, index) => ({ operation, name: operation.name, as, status: operation.statuses[index] })),
);

describe('permissions', () => {
  test.each(CASES)('$name as $as: $status', async ({ operation, as, status }) => {
    const sandbox = openTestSandbox();
    const before = await operation.effect?.(sandbox);
    const reply = await operation.ask(sandbox, as);
    expect(reply.status).toBe(status);
    if (operation.effect !== undefined) {
      const after = await operation.effect(sandbox);
      expect(after !== before).toBe(reply.status < 300);
    }
  });

  test.each(['owners-team', 'org-token'] as const)('the %s of acme has no rights in globex', async (as) => {
    const sandbox = openTestSandbox();
    const elsewhere = await membershipId(sandbox, 'gina.globex@example.com', 'globex');
    const replies = await Promise.all([
      ask(sandbox, 'GET', '/organizations/globex/feature-sets', { as }),
      ask(sandbox, 'GET', '/organizations/globex/organization-memberships', { as }),
      ask(sandbox, 'GET', `/organization-memberships/${elsewhere}`, { as }),
      ask(sandbox, 'DELETE', `/organization-memberships/${elsewhere}`, { as }),
      ask(sandbox, 'GET', '/organizations/globex/registry-providers', { as }),
      ask(sandbox, 'GET', '/organizations/globex/teams', { as }),
      ask(sandbox, 'POST', '/organizations/globex/authentication-token?token=audit-trails', {
        as,
        body: TOKEN_REQUEST,
      }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 404]);
    expect(sandbox.tokenFor('audit-token', 'globex')).toBe('sandbox.audit-token.globex');
  });

  test('callers who may not read the audit trail get an empty one', async () => {
    const sandbox = openTestSandbox();
    const shown = await Promise.all(
      CALLER_KINDS.map(async (as) => {
        const { body } = await ask(sandbox, 'GET', '/organization/audit-trail', { as });
        return (body.data ?? []).length > 0;
      }),
    );
    // owner, owners-team, org-token, member, team-manager, registry-manager, audit-token, none
    expect(shown).toEqual([false, false, true, false, false, false, true, false]);
  });

  test.each(['manage-membership', 'manage-teams', 'manage-organization-access'] as const)(
    'Authentication 2: %s is a Team Management permission, and no other right',
    (right) => {
      const allowed = ['memberships.invite', 'memberships.remove', 'teams.change-members'] as const;
      expect(allowed.map((operation) => isPermitted(new Set([right]), operation))).toEqual([true, true, true]);
      const others = ['audit-token.generate', 'providers.create', 'memberships.list', 'account.show'] as const;
      expect(others.map((operation) => isPermitted(new Set([right]), operation))).toEqual([false, false, false, false]);
    },
  );

  test('a removed member has no rights there, and is still a member elsewhere', async () => {
    const sandbox = openTestSandbox();
    const id = await membershipId(sandbox, 'milo.member@example.com');
    expect((await ask(sandbox, 'DELETE', `/organization-memberships/${id}`)).status).toBe(204);
    expect((await ask(sandbox, 'GET', '/organizations/acme/teams', { as: 'member' })).status).toBe(404);
    expect((await ask(sandbox, 'GET', '/organizations/globex/teams', { as: 'member' })).status).toBe(200);
  });
});
