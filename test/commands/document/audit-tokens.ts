import type { Json } from '../../support/demo.ts';
import type { Row } from './row.ts';

const GENERATE = 'POST /organizations/:organization_name/authentication-token?token=audit-trails';
const DELETE = 'DELETE /organizations/:organization_name/authentication-token?token=audit-trails';

const ATTRIBUTES = { 'created-at': '2026-11-21T09:00:00.000Z', 'last-used-at': null, description: null };
const SHOWN_ONCE = '{"warning":{"message":"This is the only time the secret is shown."}}';

const toNote = (message: string, next?: readonly string[]): string => JSON.stringify({ note: { message, next } });

/** Without an end the new token never expires. */
function toGenerateRow(
  parameters: readonly string[],
  given: string,
  organization: string,
  attributes: Json,
  options: string,
  end: { readonly at: string; readonly within: string } | undefined = undefined,
): Row {
  const path = `/organizations/${organization}/authentication-token?token=audit-trails`;
  const body = { data: { type: 'authentication-token', attributes } };
  const token = { ...ATTRIBUTES, token: 'SECRET-1', 'expired-at': end === undefined ? null : `${end.at}.000Z` };
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
    requests: [
      'GET /ping',
      `GET /organizations/${organization}/token-ttl-policies`,
      `POST ${path} ${JSON.stringify(body)}`,
    ],
    prints: {
      ...identity,
      ...token,
      'created-by': creator,
      team: null,
      organization: { id: organization, type: 'organizations' },
      changed: true,
    },
    says: [
      ...(given.startsWith('a date')
        ? [toNote('2027-01-31 begins at 2027-01-31 00:00 UTC (here 2027-01-31 00:00 +00:00).')]
        : []),
      `{"note":{"message":"Created ${organization}'s new audit trail token; it ${end === undefined ? 'never expires' : `expires in ${end.within} (${end.at.slice(0, 16).replace('T', ' ')} UTC)`}."}}`,
      SHOWN_ONCE,
      toNote('To have the next one delivered and checked:', [
        `orgctl --org ${organization} audit-token rotate --to file:./audit-token --expires 90d`,
      ]),
    ],
  };
}

function toDeleteRow(parameters: readonly string[], given: string, organization: string, options: string): Row {
  const path = `/organizations/${organization}/authentication-token?token=audit-trails`;
  return {
    operation: DELETE,
    parameters,
    given,
    ask: { path },
    answer: { status: 204 },
    argv: `audit-token delete --yes${options}`,
    requests: ['GET /ping', `GET ${path}`, `GET ${path}`, `DELETE ${path}`],
    prints: {
      id: 'at-1',
      type: 'authentication-tokens',
      organization: { id: organization, type: 'organizations' },
      changed: true,
    },
  };
}

const WITHOUT = [':organization_name', 'token', 'data.type', 'data.attributes.expired-at'];
const EXPIRY = ['data.attributes.expired-at'];

export const AUDIT_TOKEN_ROWS: readonly Row[] = [
  toGenerateRow(WITHOUT, 'acme, audit-trails, authentication-token, no expiry', 'acme', {}, ''),
  toGenerateRow([':organization_name'], 'globex', 'globex', {}, ' --org globex'),
  toGenerateRow(EXPIRY, 'null: it never expires', 'acme', { 'expired-at': null }, ' --expires never'),
  ...(
    [
      ['an instant', '2027-01-31T12:30:00+02:00', '2027-01-31T10:30:00', '71 days'],
      ['a date: 00:00 UTC of that day', '2027-01-31', '2027-01-31T00:00:00', '71 days'],
      ['a time from now', '90d', '2027-02-19T09:00:00', '90 days'],
    ] as const
  ).map(([given, option, at, within]) =>
    toGenerateRow(EXPIRY, given, 'acme', { 'expired-at': `${at}Z` }, ` --expires ${option}`, { at, within }),
  ),

  toDeleteRow([':organization_name', 'token'], 'acme, audit-trails', 'acme', ''),
  toDeleteRow([':organization_name'], 'globex', 'globex', ' --org globex'),
];
