import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import {
  type Asking,
  ask,
  type Json,
  MEMBERSHIPS,
  membershipId,
  NOT_FOUND,
  openTestSandbox,
  PROVIDERS,
  TOKEN,
  TOKEN_REQUEST,
  teamId,
  toInvalid,
  toInvitation,
  toProvider,
} from './harness.ts';

type Request = readonly [method: string, path: string, asking?: Asking];

const OLIVE = 'olive.owner@example.com';
const UNCURATED = '/organizations/initech/registry-providers';
const AWS = toProvider('public', 'hashicorp', 'aws');

const toErrors = (status: string, title: string, detail: string): Json => ({ errors: [{ status, title, detail }] });
const CURATION = toErrors('403', 'forbidden', 'Curation of public providers is disabled');

const toOlive = async (sandbox: Sandbox): Promise<string> =>
  `/organization-memberships/${await membershipId(sandbox, OLIVE)}`;

/** The error table of the service's document, row by row: operation, status and reason, and what is answered. */
const ROWS: readonly (readonly [
  name: string,
  status: number,
  body: Json,
  request: Request | ((sandbox: Sandbox) => Promise<Request>),
])[] = [
  [
    'Generate audit trail token: User not authorized',
    404,
    NOT_FOUND,
    ['POST', TOKEN, { as: 'member', body: TOKEN_REQUEST }],
  ],
  ['Delete audit trail token: User not authorized', 404, NOT_FOUND, ['DELETE', TOKEN, { as: 'member' }]],
  [
    'Invite user: Invitation impossible due to organization limits',
    400,
    toErrors('400', 'bad request', 'The organization initech has reached its limit of 5 users'),
    async (sandbox) => {
      const body = toInvitation('sixth@example.com', await teamId(sandbox, 'platform', 'initech'));
      return ['POST', '/organizations/initech/organization-memberships', { body }];
    },
  ],
  [
    'Invite user: Organization not found, or user unauthorized',
    404,
    NOT_FOUND,
    ['POST', '/organizations/umbrella/organization-memberships', { body: toInvitation('a@example.com') }],
  ],
  [
    'Invite user: Validation errors',
    422,
    toInvalid(
      ['Type must be organization-memberships', 'type'],
      ["Email can't be blank", 'attributes/email'],
      ['Teams must name at least one team', 'relationships/teams'],
    ),
    ['POST', MEMBERSHIPS, { body: { data: { type: 'users' } } }],
  ],
  [
    'Show membership: Membership not found, or user unauthorized',
    404,
    NOT_FOUND,
    ['GET', '/organization-memberships/ou-doesnotexist0000'],
  ],
  [
    'Remove membership: The user tries to remove themselves from an organization they own',
    403,
    toErrors('403', 'forbidden', 'You cannot remove yourself from an organization you own'),
    async (sandbox) => ['DELETE', await toOlive(sandbox)],
  ],
  [
    'Remove membership: Membership not found, or user unauthorized',
    404,
    NOT_FOUND,
    async (sandbox) => ['DELETE', await toOlive(sandbox), { as: 'member' }],
  ],
  [
    'List providers: Providers not found or user unauthorized',
    404,
    NOT_FOUND,
    ['GET', PROVIDERS, { as: 'audit-token' }],
  ],
  [
    'Create provider: Malformed body (missing attributes, wrong types and the like)',
    422,
    toInvalid(
      ['Type must be registry-providers', 'type'],
      ['Name must be a string', 'attributes/name'],
      ["Namespace can't be blank", 'attributes/namespace'],
      ["Registry name can't be blank", 'attributes/registry-name'],
      ['Registry name is not included in the list', 'attributes/registry-name'],
    ),
    ['POST', PROVIDERS, { body: { data: { attributes: { name: 7 } } } }],
  ],
  ['Create provider: Public provider curation is disabled', 403, CURATION, ['POST', UNCURATED, { body: AWS }]],
  ['Create provider: User not authorized', 404, NOT_FOUND, ['POST', UNCURATED, { as: 'member', body: AWS }]],
  ['Get provider: Public provider curation is disabled', 403, CURATION, ['GET', `${UNCURATED}/public/hashicorp/aws`]],
  [
    'Get provider: Provider not found or user unauthorized',
    404,
    NOT_FOUND,
    ['GET', `${PROVIDERS}/public/hashicorp/none`],
  ],
  [
    'Delete provider: Public provider curation is disabled',
    403,
    CURATION,
    ['DELETE', `${UNCURATED}/public/hashicorp/aws`],
  ],
  [
    'Delete provider: Provider not found or user not authorized',
    404,
    NOT_FOUND,
    ['DELETE', `${UNCURATED}/public/hashicorp/aws`, { as: 'member' }],
  ],
];

describe('the error table', () => {
  test('has sixteen rows', () => {
    expect(ROWS).toHaveLength(16);
  });

  test.each(ROWS)('%s: %i', async (_name, status, body, request) => {
    const sandbox = openTestSandbox();
    const reply = await ask(sandbox, ...(typeof request === 'function' ? await request(sandbox) : request));
    expect({ status: reply.status, body: reply.body }).toEqual({ status, body });
    expect(reply.headers.get('content-type')).toBe('application/vnd.api+json');
  });
});
