import type { Json } from '../../support/demo.ts';
import type { Row } from './row.ts';

const GENERATE = 'POST /organizations/:organization_name/authentication-token?token=audit-trails';
const DELETE = 'DELETE /organizations/:organization_name/authentication-token?token=audit-trails';

/** Without an end the new token never expires. */
function toGenerateRow(
  parameters: string[],
  given: string,
  organization: string,
  attributes: Json,
  options: string,
  end: string | undefined = undefined,
): Row {
  const path = `/organizations/${organization}/authentication-token?token=audit-trails`;
  const body = { data: { type: 'authentication-token', attributes } };
  const times = {
    'created-at': '2026-11-21T09:00:00.000Z',
    'expired-at': end === undefined ? null : `${end}.000Z`,
  };
  const token = { ...times, 'last-used-at': null, description: null, token: 'SECRET-1' };
  const creator = { id: 'user-olive', type: 'users' };
  const identity = { id: 'at-1', type: 'authentication-tokens' };
  return {
    operation: GENERATE,
    parameters,
    given,
    ask: { path, body },
    answer: {
      status: 201,
      body: {
        data: {
          ...identity,
          attributes: token,
          relationships: { 'created-by': { data: creator }, team: { data: null } },
        },
      },
    },
    argv: `audit-token generate --yes${options}`,
    requests: ['GET /ping', `POST ${path} ${JSON.stringify(body)}`],
    prints: {
      ...identity,
      ...times,
      token: 'SECRET-1',
      organization: { id: organization, type: 'organizations' },
      changed: true,
    },
  };
}

function toDeleteRow(parameters: string[], given: string, organization: string, options: string): Row {
  const path = `/organizations/${organization}/authentication-token?token=audit-trails`;
  return {
    operation: DELETE,
    parameters,
    given,
    ask: { path },
    answer: { status: 204 },
    argv: `audit-token delete --yes${options}`,
    requests: ['GET /ping', `GET ${path}`, 'GET /account/details', `GET ${path}`, `DELETE ${path}`],
    prints: {
      id: 'at-1',
      type: 'authentication-tokens',
      token: 'audit-trail',
      kind: 'audit-trail',
      description: null,
      organization: { id: organization, type: 'organizations' },
      changed: true,
      result: 'deleted',
    },
  };
}

const WITHOUT = [':organization_name', 'token', 'data.type', 'data.attributes.expired-at'];
const EXPIRY = ['data.attributes.expired-at'];

export const AUDIT_TOKEN_ROWS: Row[] = [
  toGenerateRow(WITHOUT, 'acme, audit-trails, authentication-token, no expiry', 'acme', {}, ''),
  toGenerateRow([':organization_name'], 'globex', 'globex', {}, ' --org globex'),
  toGenerateRow(EXPIRY, 'null: it never expires', 'acme', { 'expired-at': null }, ' --expires never'),
  ...(
    [
      ['an instant', '2027-01-31T12:30:00+02:00', '2027-01-31T10:30:00'],
      ['a date: 00:00 UTC of that day', '2027-01-31', '2027-01-31T00:00:00'],
      ['a time from now', '90d', '2027-02-19T09:00:00'],
    ] as const
  ).map(([given, option, at]) =>
    toGenerateRow(EXPIRY, given, 'acme', { 'expired-at': `${at}Z` }, ` --expires ${option}`, at),
  ),

  toDeleteRow([':organization_name', 'token'], 'acme, audit-trails', 'acme', ''),
  toDeleteRow([':organization_name'], 'globex', 'globex', ' --org globex'),
];
