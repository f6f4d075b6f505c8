import { describe, expect, test } from 'vitest';
import { isPermitted } from '../../src/sandbox/permissions.ts';
import { CALLER_KINDS, type CallerKind, type Sandbox } from '../../src/sandbox/sandbox.ts';
import {
  ask,
  membershipId,
  openTestSandbox,
  type Reply,
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
  effect?(sandbox: Sandbox): Promise<unknown>;
}

const TOKEN = '/organizations/acme/authentication-token?token=audit-trails';
const MEMBERSHIPS = '/organizations/acme/organization-memberships';
const PROVIDERS = '/organizations/acme/registry-providers';
const ADA = 'ada.auditor@example.com';

const tokenId = async (sandbox: Sandbox): Promise<unknown> => (await ask(sandbox, 'GET', TOKEN)).body.data?.id;
const total =
  (path: string) =>
  async (sandbox: Sandbox): Promise<unknown> =>
    (await ask(sandbox, 'GET', path)).body.meta.pagination['total-count'];

const auditMembers = async (sandbox: Sandbox): Promise<string> =>
  `/teams/${await teamId(sandbox, 'audit')}/relationships/organization-memberships`;

// owner, owners-team, org-token, member, team-manager, registry-manager, audit-token, none
const OPERATIONS: readonly Operation[] = [
  {
    name: 'Authentication 1: generate audit trail token',
    statuses: [201, 201, 201, 404, 404, 404, 404, 401],
    ask: (sandbox, as) => ask(sandbox, 'POST', TOKEN, { as, body: TOKEN_REQUEST }),
    effect: tokenId,
  },
  {
    name: 'Authentication 1: delete audit trail token',
    statuses: [204, 204, 204, 404, 404, 404, 404, 401],
    ask: (sandbox, as) => ask(sandbox, 'DELETE', TOKEN, { as }),
    effect: tokenId,
  },
  {
    name: 'show audit trail token',
    statuses: [200, 200, 200, 404, 404, 404, 404, 401],
    ask: (sandbox, as) => ask(sandbox, 'GET', TOKEN, { as }),
  },
  {
    name: 'Authentication 2: invite',
    statuses: [201, 201, 201, 404, 201, 404, 404, 401],
    ask: async (sandbox, as) =>
      ask(sandbox, 'POST', MEMBERSHIPS, {
        as,
        body: toInvitation('new@example.com', await teamId(sandbox, 'platform')),
      }),
    effect: total(MEMBERSHIPS),
  },
  {
    name: 'Authentication 2: remove',
    statuses: [204, 204, 204, 404, 204, 404, 404, 401],
    ask: async (sandbox, as) =>
      ask(sandbox, 'DELETE', `/organization-memberships/${await membershipId(sandbox, ADA)}`, { as }),
    effect: total(MEMBERSHIPS),
  },
  {
    name: 'list memberships',
    statuses: [200, 200, 200, 200, 200, 200, 404, 401],
    ask: (sandbox, as) => ask(sandbox, 'GET', MEMBERSHIPS, { as }),
  },
  {
    name: 'list own memberships',
    statuses: [200, 200, 200, 200, 200, 200, 404, 401],
    ask: (sandbox, as) => ask(sandbox, 'GET', '/organization-memberships', { as }),
  },
  {
    name: 'show membership',
    statuses: [200, 200, 200, 200, 200, 200, 404, 401],
    ask: async (sandbox, as) =>
      ask(sandbox, 'GET', `/organization-memberships/${await membershipId(sandbox, ADA)}`, { as }),
  },
  {
    name: 'Authentication 3: create private provider',
    statuses: [201, 201, 404, 404, 404, 201, 404, 401],
    ask: (sandbox, as) => ask(sandbox, 'POST', PROVIDERS, { as, body: toProvider('private', 'acme', 'new') }),
    effect: total(PROVIDERS),
  },
  {
    name: 'Authentication 3: create public provider',
    statuses: [201, 201, 404, 404, 404, 201, 404, 401],
    ask: (sandbox, as) => ask(sandbox, 'POST', PROVIDERS, { as, body: toProvider('public', 'hashicorp', 'null') }),
    effect: total(PROVIDERS),
  },
  {
    name: 'Authentication 3: delete provider',
    statuses: [204, 204, 404, 404, 404, 204, 404, 401],
    ask: (sandbox, as) => ask(sandbox, 'DELETE', `${PROVIDERS}/private/acme/inventory`, { as }),
    effect: total(PROVIDERS),
  },
  {
    name: 'Authentication 3: view providers',
    statuses: [200, 200, 200, 200, 200, 200, 404, 401],
    ask: (sandbox, as) => ask(sandbox, 'GET', PROVIDERS, { as }),
  },
  {
    name: 'Authentication 3: view provider',
    statuses: [200, 200, 200, 200, 200, 200, 404, 401],
    ask: (sandbox, as) => ask(sandbox, 'GET', `${PROVIDERS}/public/hashicorp/aws`, { as }),
  },
  {
    name: 'list feature sets',
    statuses: [200, 200, 200, 200, 200, 200, 404, 401],
    ask: (sandbox, as) => ask(sandbox, 'GET', '/feature-sets', { as }),
  },
  {
    name: 'list eligible feature sets',
    statuses: [200, 200, 200, 200, 200, 200, 404, 401],
    ask: (sandbox, as) => ask(sandbox, 'GET', '/organizations/acme/feature-sets', { as }),
  },
  {
    name: 'list teams',
    statuses: [200, 200, 200, 200, 200, 200, 404, 401],
    ask: (sandbox, as) => ask(sandbox, 'GET', '/organizations/acme/teams', { as }),
  },
  {
    name: 'show team',
    statuses: [200, 200, 200, 200, 200, 200, 404, 401],
    ask: async (sandbox, as) => ask(sandbox, 'GET', `/teams/${await teamId(sandbox, 'audit')}`, { as }),
  },
  {
    name: 'list members of a team',
    statuses: [200, 200, 200, 200, 200, 200, 404, 401],
    ask: async (sandbox, as) => ask(sandbox, 'GET', await auditMembers(sandbox), { as }),
  },
  ...(['POST', 'DELETE'] as const).map((method) => ({
    name: `${method === 'POST' ? 'add to' : 'remove from'} a team`,
    statuses: [204, 204, 204, 404, 204, 404, 404, 401],
    ask: async (sandbox: Sandbox, as: CallerKind) => {
      const email = method === 'POST' ? 'olive.owner@example.com' : ADA;
      const body = { data: [{ type: 'organization-memberships', id: await membershipId(sandbox, email) }] };
      return ask(sandbox, method, await auditMembers(sandbox), { as, body });
    },
    effect: async (sandbox: Sandbox) => total(await auditMembers(sandbox))(sandbox),
  })),
  {
    name: 'show account',
    statuses: [200, 200, 200, 200, 200, 200, 404, 401],
    ask: (sandbox, as) => ask(sandbox, 'GET', '/account/details', { as }),
  },
  {
    name: 'Authentication 4: public registry proxy',
    statuses: [200, 200, 200, 200, 200, 200, 404, 401],
    ask: (sandbox, as) =>
      ask(sandbox, 'GET', 'http://sandbox.test/api/registry/public/v1/providers/hashicorp/aws/versions', { as }),
  },
  {
    name: 'read audit trail',
    statuses: [200, 200, 200, 200, 200, 200, 200, 401],
    ask: (sandbox, as) => ask(sandbox, 'GET', '/organization/audit-trail', { as }),
  },
  {
    name: 'ping',
    statuses: [204, 204, 204, 204, 204, 204, 204, 204],
    ask: (sandbox, as) => ask(sandbox, 'GET', '/ping', { as }),
  },
];

const CASES = OPERATIONS.flatMap((operation) =>
  CALLER_KINDS.map((as, index) => ({ operation, name: operation.name, as, status: operation.statuses[index] })),
);

describe('who may do what', () => {
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

  test.each(['owners-team', 'org-token'] as const)('the %s of acme is nobody in globex', async (as) => {
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

  test('who may read the audit trail is shown it, and everybody else an empty one', async () => {
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

  test('a removed member is nobody there, and still a member elsewhere', async () => {
    const sandbox = openTestSandbox();
    const id = await membershipId(sandbox, 'milo.member@example.com');
    expect((await ask(sandbox, 'DELETE', `/organization-memberships/${id}`)).status).toBe(204);
    expect((await ask(sandbox, 'GET', '/organizations/acme/teams', { as: 'member' })).status).toBe(404);
    expect((await ask(sandbox, 'GET', '/organizations/globex/teams', { as: 'member' })).status).toBe(200);
  });
});
