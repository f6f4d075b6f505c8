import { expect, test } from 'vitest';
import {
  type Asking,
  createInvitation,
  createProvider,
  type Json,
  NOT_FOUND,
  openTestSandbox,
  PROVIDERS,
  type Sandbox,
  TOKEN,
  TOKEN_REQUEST,
} from './harness.ts';

type Request = [method: string, path: string, asking?: Asking];

const INITECH = '/organizations/initech';
const NOWHERE = '/organizations/umbrella/organization-memberships';
const UNCURATED = `${INITECH}/registry-providers/public/hashicorp/aws`;
const AWS = createProvider('public', 'hashicorp', 'aws');
const LIMIT = 'The organization initech has reached its limit of 5 users';

const toError = (status: string, title: string, detail: string): Json => ({ errors: [{ status, title, detail }] });
const CURATION = toError('403', 'forbidden', 'Curation of public providers is disabled');

const removeOlive = async (sandbox: Sandbox, asking: Asking = {}): Promise<Request> => {
  const id = await sandbox.membershipId('olive.owner@example.com');
  return ['DELETE', `/organization-memberships/${id}`, asking];
};
const inviteSixth = async (sandbox: Sandbox): Promise<Request> => {
  const body = createInvitation('sixth@example.com', await sandbox.teamId('platform', 'initech'));
  return ['POST', `${INITECH}/organization-memberships`, { body }];
};

/** The error table of the service's document, row by row but for validation, and what is answered. */
test.each<[name: string, body: Json, request: Request | ((sandbox: Sandbox) => Promise<Request>)]>([
  ['generate token: not authorized', NOT_FOUND, ['POST', TOKEN, { as: 'member', body: TOKEN_REQUEST }]],
  ['delete token: not authorized', NOT_FOUND, ['DELETE', TOKEN, { as: 'member' }]],
  ['invite: limits of the organization', toError('400', 'bad request', LIMIT), inviteSixth],
  ['invite: no organization', NOT_FOUND, ['POST', NOWHERE, { body: createInvitation('a@b') }]],
  ['show membership: not found', NOT_FOUND, ['GET', '/organization-memberships/ou-doesnotexist0000']],
  [
    'remove: oneself from an organization one owns',
    toError('403', 'forbidden', 'You cannot remove yourself from an organization you own'),
    removeOlive,
  ],
  ['remove: not authorized', NOT_FOUND, (sandbox) => removeOlive(sandbox, { as: 'member' })],
  ['list providers: not authorized', NOT_FOUND, ['GET', PROVIDERS, { as: 'audit-token' }]],
  ['create provider: no curation', CURATION, ['POST', `${INITECH}/registry-providers`, { body: AWS }]],
  ['create provider: not authorized', NOT_FOUND, ['POST', PROVIDERS, { as: 'member', body: AWS }]],
  ['get provider: no curation', CURATION, ['GET', UNCURATED]],
  ['get provider: not found', NOT_FOUND, ['GET', `${PROVIDERS}/public/hashicorp/none`]],
  ['delete provider: no curation', CURATION, ['DELETE', UNCURATED]],
  ['delete provider: not authorized', NOT_FOUND, ['DELETE', UNCURATED, { as: 'member' }]],
])('%s', async (_name, body, request) => {
  const sandbox = openTestSandbox();
  const reply = await sandbox.ask(...(typeof request === 'function' ? await request(sandbox) : request));
  expect([reply.status, reply.body]).toEqual([Number(body.errors[0].status), body]);
  expect(reply.headers.get('content-type')).toBe('application/vnd.api+json');
});
