import type { Json } from '../../support/demo.ts';
import type { Row } from './row.ts';

const GENERATE = 'POST /organizations/:organization_name/authentication-token?token=audit-trails';
const DELETE = 'DELETE /organizations/:organization_name/authentication-token?token=audit-trails';
const OF_ACME = '/organizations/acme/authentication-token?token=audit-trails';
const OF_GLOBEX = '/organizations/globex/authentication-token?token=audit-trails';

const ATTRIBUTES = { 'created-at': '2026-11-21T09:00:00.000Z', 'last-used-at': null, description: null };
const SHOWN_ONCE = '{"warning":{"message":"the secret is shown this once; the service never gives it again"}}';

const toRequest = (attributes: Json): Json => ({ data: { type: 'authentication-token', attributes } });
const toBody = (expiredAt: string | null): Json => ({
  data: {
    id: 'at-1',
    type: 'authentication-tokens',
    attributes: { ...ATTRIBUTES, token: 'SECRET-1', 'expired-at': expiredAt },
    relationships: { 'created-by': { data: { id: 'user-olive', type: 'users' } }, team: { data: null } },
  },
});
const toRecord = (expiredAt: string | null): Json => ({
  id: 'at-1',
  type: 'authentication-tokens',
  ...ATTRIBUTES,
  token: 'SECRET-1',
  'expired-at': expiredAt,
  'created-by': { id: 'user-olive', type: 'users' },
  team: null,
  changed: true,
});
const REMOVED = { id: 'at-1', type: 'authentication-tokens', changed: true };

export const AUDIT_TOKEN_ROWS: readonly Row[] = [
  {
    operation: GENERATE,
    parameters: [':organization_name', 'token', 'data.type', 'data.attributes.expired-at'],
    given: 'acme, audit-trails, authentication-token, no expiry',
    ask: { path: OF_ACME, body: toRequest({}) },
    answer: { status: 201, body: toBody(null) },
    argv: 'audit-token generate --yes',
    requests: ['GET /ping', `POST ${OF_ACME} {"data":{"type":"authentication-token","attributes":{}}}`],
    prints: toRecord(null),
    says: [SHOWN_ONCE],
  },
  {
    operation: GENERATE,
    parameters: [':organization_name'],
    given: 'globex',
    ask: { path: OF_GLOBEX, body: toRequest({}) },
    answer: { status: 201, body: toBody(null) },
    argv: 'audit-token generate --yes --org globex',
    requests: ['GET /ping', `POST ${OF_GLOBEX} {"data":{"type":"authentication-token","attributes":{}}}`],
    prints: toRecord(null),
    says: [SHOWN_ONCE],
  },
  {
    operation: GENERATE,
    parameters: ['data.attributes.expired-at'],
    given: 'null: it never expires',
    ask: { path: OF_ACME, body: toRequest({ 'expired-at': null }) },
    answer: { status: 201, body: toBody(null) },
    argv: 'audit-token generate --yes --expires never',
    requests: [
      'GET /ping',
      `POST ${OF_ACME} {"data":{"type":"authentication-token","attributes":{"expired-at":null}}}`,
    ],
    prints: toRecord(null),
    says: [SHOWN_ONCE],
  },
  {
    operation: GENERATE,
    parameters: ['data.attributes.expired-at'],
    given: 'an instant',
    ask: { path: OF_ACME, body: toRequest({ 'expired-at': '2027-01-31T10:30:00Z' }) },
    answer: { status: 201, body: toBody('2027-01-31T10:30:00.000Z') },
    argv: 'audit-token generate --yes --expires 2027-01-31T12:30:00+02:00',
    requests: [
      'GET /ping',
      `POST ${OF_ACME} {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-01-31T10:30:00Z"}}}`,
    ],
    prints: toRecord('2027-01-31T10:30:00.000Z'),
    says: ['{"note":{"message":"expires 2027-01-31T10:30:00Z; here that is LOCAL (in 2 months)"}}', SHOWN_ONCE],
  },
  {
    operation: GENERATE,
    parameters: ['data.attributes.expired-at'],
    given: 'a date: 00:00 UTC of that day',
    ask: { path: OF_ACME, body: toRequest({ 'expired-at': '2027-01-31T00:00:00Z' }) },
    answer: { status: 201, body: toBody('2027-01-31T00:00:00.000Z') },
    argv: 'audit-token generate --yes --expires 2027-01-31',
    requests: [
      'GET /ping',
      `POST ${OF_ACME} {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-01-31T00:00:00Z"}}}`,
    ],
    prints: toRecord('2027-01-31T00:00:00.000Z'),
    says: ['{"note":{"message":"expires 2027-01-31T00:00:00Z; here that is LOCAL (in 2 months)"}}', SHOWN_ONCE],
  },
  {
    operation: GENERATE,
    parameters: ['data.attributes.expired-at'],
    given: 'a time from now',
    ask: { path: OF_ACME, body: toRequest({ 'expired-at': '2027-02-19T09:00:00Z' }) },
    answer: { status: 201, body: toBody('2027-02-19T09:00:00.000Z') },
    argv: 'audit-token generate --yes --expires 90d',
    requests: [
      'GET /ping',
      `POST ${OF_ACME} {"data":{"type":"authentication-token","attributes":{"expired-at":"2027-02-19T09:00:00Z"}}}`,
    ],
    prints: toRecord('2027-02-19T09:00:00.000Z'),
    says: ['{"note":{"message":"expires 2027-02-19T09:00:00Z; here that is LOCAL (in 3 months)"}}', SHOWN_ONCE],
  },

  {
    operation: DELETE,
    parameters: [':organization_name', 'token'],
    given: 'acme, audit-trails',
    ask: { path: OF_ACME },
    answer: { status: 204 },
    argv: 'audit-token delete --yes',
    requests: ['GET /ping', `GET ${OF_ACME}`, `DELETE ${OF_ACME}`],
    prints: REMOVED,
  },
  {
    operation: DELETE,
    parameters: [':organization_name'],
    given: 'globex',
    ask: { path: OF_GLOBEX },
    answer: { status: 204 },
    argv: 'audit-token delete --yes --org globex',
    requests: ['GET /ping', `GET ${OF_GLOBEX}`, `DELETE ${OF_GLOBEX}`],
    prints: REMOVED,
  },
];
