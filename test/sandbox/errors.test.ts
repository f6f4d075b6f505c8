import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import {
  ask,
  type Json,
  membershipId,
  NOT_FOUND,
  openTestSandbox,
  type Reply,
  TOKEN_REQUEST,
  teamId,
  toInvitation,
  toProvider,
} from './harness.ts';

interface Row {
  readonly name: string;
  readonly status: number;
  readonly body: Json;
  ask(sandbox: Sandbox): Promise<Reply>;
}

const OLIVE = 'olive.owner@example.com';
const CURATION = {
  errors: [{ status: '403', title: 'forbidden', detail: 'Curation of public providers is disabled' }],
};
const taken = (detail: string, pointer: string): Json => ({
  status: '422',
  title: 'invalid attribute',
  detail,
  source: { pointer },
});

/** The error table of the service's document, row by row. */
const ROWS: readonly Row[] = [
  {
    name: 'Generate audit trail token | 404 | User not authorized',
    status: 404,
    body: NOT_FOUND,
    ask: (sandbox) =>
      ask(sandbox, 'POST', '/organizations/acme/authentication-token?token=audit-trails', {
        as: 'member',
        body: TOKEN_REQUEST,
      }),
  },
  {
    name: 'Delete audit trail token | 404 | User not authorized',
    status: 404,
    body: NOT_FOUND,
    ask: (sandbox) =>
      ask(sandbox, 'DELETE', '/organizations/acme/authentication-token?token=audit-trails', { as: 'member' }),
  },
  {
    name: 'Invite user | 400 | Invitation impossible due to organization limits',
    status: 400,
    body: {
      errors: [
        {
          status: '400',
          title: 'bad request',
          detail: 'The organization initech has reached its limit of 5 users',
        },
      ],
    },
    ask: async (sandbox) =>
      ask(sandbox, 'POST', '/organizations/initech/organization-memberships', {
        body: toInvitation('sixth@example.com', await teamId(sandbox, 'platform', 'initech')),
      }),
  },
  {
    name: 'Invite user | 404 | Organization not found, or user unauthorized',
    status: 404,
    body: NOT_FOUND,
    ask: (sandbox) =>
      ask(sandbox, 'POST', '/organizations/umbrella/organization-memberships', { body: toInvitation('a@example.com') }),
  },
  {
    name: 'Invite user | 422 | Validation errors',
    status: 422,
    body: {
      errors: [
        taken('Type must be organization-memberships', '/data/type'),
        taken("Email can't be blank", '/data/attributes/email'),
        taken('Teams must name at least one team', '/data/relationships/teams'),
      ],
    },
    ask: (sandbox) =>
      ask(sandbox, 'POST', '/organizations/acme/organization-memberships', { body: { data: { type: 'users' } } }),
  },
  {
    name: 'Show membership | 404 | Membership not found, or user unauthorized',
    status: 404,
    body: NOT_FOUND,
    ask: (sandbox) => ask(sandbox, 'GET', '/organization-memberships/ou-doesnotexist0000'),
  },
  {
    name: 'Remove membership | 403 | The user tries to remove themselves from an organization they own',
    status: 403,
    body: {
      errors: [
        { status: '403', title: 'forbidden', detail: 'You cannot remove yourself from an organization you own' },
      ],
    },
    ask: async (sandbox) => ask(sandbox, 'DELETE', `/organization-memberships/${await membershipId(sandbox, OLIVE)}`),
  },
  {
    name: 'Remove membership | 404 | Membership not found, or user unauthorized',
    status: 404,
    body: NOT_FOUND,
    ask: async (sandbox) =>
      ask(sandbox, 'DELETE', `/organization-memberships/${await membershipId(sandbox, OLIVE)}`, { as: 'member' }),
  },
  {
    name: 'List providers | 404 | Providers not found or user unauthorized',
    status: 404,
    body: NOT_FOUND,
    ask: (sandbox) => ask(sandbox, 'GET', '/organizations/acme/registry-providers', { as: 'audit-token' }),
  },
  {
    name: 'Create provider | 422 | Malformed body (missing attributes, wrong types and the like)',
    status: 422,
    body: {
      errors: [
        taken('Type must be registry-providers', '/data/type'),
        taken('Name must be a string', '/data/attributes/name'),
        taken("Namespace can't be blank", '/data/attributes/namespace'),
        taken("Registry name can't be blank", '/data/attributes/registry-name'),
        taken('Registry name is not included in the list', '/data/attributes/registry-name'),
      ],
    },
    ask: (sandbox) =>
      ask(sandbox, 'POST', '/organizations/acme/registry-providers', { body: { data: { attributes: { name: 7 } } } }),
  },
  {
    name: 'Create provider | 403 | Public provider curation is disabled',
    status: 403,
    body: CURATION,
    ask: (sandbox) =>
      ask(sandbox, 'POST', '/organizations/initech/registry-providers', {
        body: toProvider('public', 'hashicorp', 'aws'),
      }),
  },
  {
    name: 'Create provider | 404 | User not authorized',
    status: 404,
    body: NOT_FOUND,
    ask: (sandbox) =>
      ask(sandbox, 'POST', '/organizations/initech/registry-providers', {
        as: 'member',
        body: toProvider('public', 'hashicorp', 'aws'),
      }),
  },
  {
    name: 'Get provider | 403 | Public provider curation is disabled',
    status: 403,
    body: CURATION,
    ask: (sandbox) => ask(sandbox, 'GET', '/organizations/initech/registry-providers/public/hashicorp/aws'),
  },
  {
    name: 'Get provider | 404 | Provider not found or user unauthorized',
    status: 404,
    body: NOT_FOUND,
    ask: (sandbox) => ask(sandbox, 'GET', '/organizations/acme/registry-providers/public/hashicorp/none'),
  },
  {
    name: 'Delete provider | 403 | Public provider curation is disabled',
    status: 403,
    body: CURATION,
    ask: (sandbox) => ask(sandbox, 'DELETE', '/organizations/initech/registry-providers/public/hashicorp/aws'),
  },
  {
    name: 'Delete provider | 404 | Provider not found or user not authorized',
    status: 404,
    body: NOT_FOUND,
    ask: (sandbox) =>
      ask(sandbox, 'DELETE', '/organizations/initech/registry-providers/public/hashicorp/aws', { as: 'member' }),
  },
];

describe('the error table', () => {
  test('has sixteen rows', () => {
    expect(ROWS).toHaveLength(16);
  });

  test.each(ROWS)('$name', async (row) => {
    const reply = await row.ask(openTestSandbox());
    expect({ status: reply.status, body: reply.body }).toEqual({ status: row.status, body: row.body });
    expect(reply.headers.get('content-type')).toBe('application/vnd.api+json');
  });
});
