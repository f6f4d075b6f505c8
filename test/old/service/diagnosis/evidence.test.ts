import { describe, expect, test } from 'vitest';
import {
  type Evidence,
  type OwnMembership,
  readAccount,
  readAuditTrail,
  readOwn,
  readReach,
} from '../../../../src/old/service/diagnosis/evidence.ts';

const OWNER: OwnMembership = { organization: 'acme', status: 'active', isOwner: true };
const MEMBER: OwnMembership = { ...OWNER, isOwner: false };
const TEAMLESS: OwnMembership = { ...OWNER, isOwner: undefined };
const ORGANIZATION_ACCOUNT = { service: 'api-org-acme' };

describe('what the answers say', () => {
  const answer = (status: number, body: unknown) => ({
    status,
    headers: {},
    text: typeof body === 'string' ? body : JSON.stringify(body),
    origin: 'https://tfe.example.com',
    request: { method: 'GET', path: '/' },
  });
  const membership = (team: string | null) => ({
    type: 'organization-memberships',
    id: 'ou-1',
    attributes: { status: 'active' },
    relationships: {
      organization: { data: { type: 'organizations', id: 'acme' } },
      teams: { data: team === null ? [] : [{ type: 'teams', id: team }] },
    },
  });
  const included = [
    { type: 'teams', id: 'team-1', attributes: { name: 'owners' } },
    { type: 'teams', id: 'team-2', attributes: { name: 'platform' } },
  ];

  const NO_MORE = { pagination: { 'next-page': null } };

  test.each<[data: unknown, own: Evidence['own']]>([
    [{ data: [membership('team-1')], included }, [OWNER]],
    [{ data: [membership('team-2')], included }, [MEMBER]],
    // A team without a name may be any.
    [{ data: [membership('team-3')], included }, [TEAMLESS]],
    [{ data: [membership('team-1')] }, [TEAMLESS]],
    [{ data: [] }, []],
    [{ data: [membership(null)], included }, [TEAMLESS]],
    [{ data: [membership('team-1')], links: { next: 'https://example.com/?page=2' } }, 'unknown'],
    [{ data: [membership('team-1')], meta: { pagination: { 'next-page': 2 } } }, 'unknown'],
    [{ data: [membership('team-1')], links: { next: null }, meta: NO_MORE, included }, [OWNER]],
    [{ data: [{ type: 'organization-memberships', id: 'ou-1' }] }, 'unknown'],
    [{ data: {} }, 'unknown'],
    ['<html>', 'unknown'],
  ])('own memberships %#', (body, own) => {
    expect(readOwn(answer(200, body))).toEqual(own);
  });

  const refusal = { errors: [{ status: '404' }] };
  test.each([
    [404, refusal, 'refused'],
    [404, '<html>', 'unknown'],
    [401, refusal, 'unauthorized'],
    [401, '<html>', 'unknown'],
    [500, refusal, 'unknown'],
  ])('status %i, %o: %s', (status, body, said) => {
    expect(readOwn(answer(status, body))).toBe(said);
    expect(readReach(answer(status, body))).toBe(said === 'unauthorized' ? 'unknown' : said);
    expect(readAccount(answer(status, body))).toBe(said === 'unauthorized' ? 'unknown' : said);
    expect(readAuditTrail(answer(status, body))).toBe('unknown');
  });

  test('no answer says nothing', () => {
    for (const readOf of [readOwn, readReach, readAccount]) expect(readOf(undefined)).toBe('unknown');
  });

  test.each<[attributes: object, account: Evidence['account']]>([
    [{ username: 'ana', 'is-service-account': false }, 'user'],
    [{ username: 'api-org-acme', 'is-service-account': true }, ORGANIZATION_ACCOUNT],
    [{ 'is-service-account': true }, 'unknown'],
    [{ username: 'ana' }, 'unknown'],
  ])('account %o', (attributes, account) => {
    expect(readAccount(answer(200, { data: { attributes } }))).toEqual(account);
  });

  test.each([
    [{ data: [{ id: 'e' }] }, 'events'],
    [{ data: [] }, 'nothing'],
    [{}, 'unknown'],
  ])('audit trail %o', (body, said) => {
    expect(readAuditTrail(answer(200, body))).toBe(said);
  });
});
