import { describe, expect, test } from 'vitest';
import {
  chooseProbe,
  diagnose,
  type Evidence,
  type OwnMembership,
  readAccount,
  readAuditTrail,
  readOwn,
  readReach,
  toRefusedCall,
  type Verdict,
} from '../../src/service/diagnosis.ts';
import type { OperationName } from '../../src/service/operations.ts';

const OWNER: OwnMembership = { organization: 'acme', isActive: true, isOwner: true };
const MEMBER: OwnMembership = { ...OWNER, isOwner: false };
const SOMEBODY: OwnMembership = { ...OWNER, isOwner: undefined };
const ORGANIZATION_ACCOUNT = { service: 'api-org-acme' };
const TEAM_ACCOUNT = { service: 'api-team_1' };
const empty: Evidence = { namesVersion: true };

describe('which call was refused', () => {
  test.each<[method: string, path: string, operation: OperationName | undefined, organization: string | undefined]>([
    ['GET', '/feature-sets', 'list-feature-sets', undefined],
    ['GET', '/organizations/acme/feature-sets', 'list-organization-feature-sets', 'acme'],
    ['POST', '/organizations/acme/authentication-token', 'generate-audit-token', 'acme'],
    ['DELETE', '/organizations/acme/authentication-token', 'delete-audit-token', 'acme'],
    ['GET', '/organizations/acme/authentication-token', 'show-audit-token', 'acme'],
    ['POST', '/organizations/acme/organization-memberships', 'invite-member', 'acme'],
    ['GET', '/organizations/acme/organization-memberships', 'list-members', 'acme'],
    ['GET', '/organization-memberships', 'list-own-memberships', undefined],
    ['GET', '/organization-memberships/ou-1', 'show-member', undefined],
    ['DELETE', '/organization-memberships/ou-1', 'remove-member', undefined],
    ['GET', '/organizations/acme/registry-providers', 'list-providers', 'acme'],
    ['POST', '/organizations/acme/registry-providers', 'create-provider', 'acme'],
    ['GET', '/organizations/acme/registry-providers/public/a/b', 'get-provider', 'acme'],
    ['DELETE', '/organizations/acme/registry-providers/public/a/b', 'delete-provider', 'acme'],
    ['GET', '/organizations/gr%C3%B6%C3%9Fe/teams', 'list-teams', 'größe'],
    ['GET', '/organization/audit-trail', 'list-audit-trail', undefined],
    ['GET', '/organizations/acme/workspaces', undefined, 'acme'],
    ['GET', '/organizations/%zz', undefined, undefined],
    ['PATCH', '/feature-sets', undefined, undefined],
  ])('%s %s', (method, path, operation, organization) => {
    expect(toRefusedCall(method, path)).toEqual({ operation, organization });
  });
});

describe('what is asked next', () => {
  test.each<[operation: OperationName, organization: string | undefined, evidence: Partial<Evidence>, probe?: string]>([
    ['list-members', 'acme', {}, 'own'],
    ['list-members', 'acme', { own: 'unauthorized' }],
    ['invite-member', 'acme', { own: [MEMBER] }],
    ['delete-provider', 'acme', { own: [MEMBER] }, 'object'],
    ['delete-provider', 'globex', { own: [MEMBER] }],
    ['remove-member', undefined, { own: [MEMBER] }, 'object'],
    ['invite-member', 'acme', { own: [] }, 'account'],
    ['invite-member', 'acme', { own: [], account: TEAM_ACCOUNT }, 'organization'],
    ['delete-provider', 'acme', { own: [] }, 'object'],
    ['delete-provider', 'acme', { own: [], object: 'reached' }],
    ['delete-provider', 'acme', { own: [], object: 'refused' }, 'organization'],
    ['remove-member', undefined, { own: [], account: TEAM_ACCOUNT }, 'object'],
    ['list-members', 'acme', { own: 'refused' }, 'audit-trail'],
    ['list-members', 'acme', { own: 'refused', 'audit-trail': 'events' }, 'account'],
    ['list-members', 'acme', { own: 'refused', 'audit-trail': 'events', account: 'refused' }],
    ['list-audit-trail', undefined, { own: 'refused' }, 'account'],
    ['list-members', 'acme', { own: 'unknown' }, 'account'],
  ])('%s of %s, knowing %o: %s', (operation, organization, evidence, probe) => {
    expect(chooseProbe({ operation, organization }, { ...empty, ...evidence })).toBe(probe);
  });
});

describe('what it means', () => {
  const audit = { own: 'refused', 'audit-trail': 'events', account: 'refused' } as const;
  test.each<[operation: OperationName, evidence: Partial<Evidence>, verdict: Verdict]>([
    ['list-members', { own: 'unauthorized' }, 'invalid-token'],
    ['list-members', audit, 'wrong-token-kind'],
    // An organization's token may be refused its memberships too, and reads the audit trail.
    ['list-members', { ...audit, account: ORGANIZATION_ACCOUNT }, 'unknown'],
    ['list-members', { ...audit, account: 'unknown' }, 'unknown'],
    ['list-members', { ...audit, 'audit-trail': 'nothing' }, 'unknown'],
    ['list-members', { own: [{ ...OWNER, organization: 'globex' }] }, 'organization-not-reached'],
    ['list-members', { own: [{ ...OWNER, isActive: false }] }, 'organization-not-reached'],
    ['list-members', { own: [], organization: 'refused', account: TEAM_ACCOUNT }, 'organization-not-reached'],
    ['list-members', { own: [MEMBER], organization: 'refused' }, 'missing-permission'],
    ['list-members', { own: 'unknown', organization: 'refused', account: 'unknown' }, 'unknown'],
    ['invite-member', { own: [{ ...MEMBER, organization: 'ACME' }] }, 'missing-permission'],
    ['invite-member', { own: [], account: TEAM_ACCOUNT, organization: 'reached' }, 'missing-permission'],
    ['create-provider', { own: [MEMBER] }, 'missing-permission'],
    ['get-provider', { own: [MEMBER] }, 'absent'],
    ['delete-provider', { own: [MEMBER], object: 'reached' }, 'missing-permission'],
    ['delete-provider', { own: [MEMBER], object: 'refused' }, 'absent'],
    ['delete-provider', { own: [MEMBER], object: 'unknown' }, 'unknown'],
    ['delete-provider', { own: [], object: 'reached' }, 'missing-permission'],
    ['generate-audit-token', { own: [OWNER] }, 'absent'],
    ['generate-audit-token', { own: [MEMBER] }, 'missing-permission'],
    ['generate-audit-token', { own: [SOMEBODY] }, 'unknown'],
    ['generate-audit-token', { own: [], account: ORGANIZATION_ACCOUNT, organization: 'reached' }, 'absent'],
    ['generate-audit-token', { own: [], account: TEAM_ACCOUNT, organization: 'reached' }, 'unknown'],
    ['delete-audit-token', { own: [OWNER], namesVersion: false }, 'absent'],
    ['show-audit-token', { own: [OWNER] }, 'absent'],
    ['show-audit-token', { own: [OWNER], namesVersion: false }, 'unknown'],
    ['list-teams', { own: [MEMBER] }, 'unknown'],
    ['list-organization-feature-sets', { own: [MEMBER] }, 'unknown'],
  ])('%s, knowing %o: %s', (operation, evidence, verdict) => {
    const { reasons, ...found } = diagnose({ operation, organization: 'acme' }, { ...empty, ...evidence });
    expect(found.verdict).toBe(verdict);
    expect(reasons.filter((reason) => !/^(found|not to be told): \S/.test(reason))).toEqual([]);
    expect(reasons.length).toBeGreaterThan(0);
  });

  test.each<[operation: OperationName, evidence: Partial<Evidence>, verdict: Verdict]>([
    ['remove-member', { own: [MEMBER], object: 'reached' }, 'missing-permission'],
    ['remove-member', { own: [MEMBER], object: 'refused' }, 'absent'],
    ['remove-member', { own: [MEMBER] }, 'unknown'],
    ['show-member', { own: [MEMBER] }, 'absent'],
    ['show-member', { own: [], account: TEAM_ACCOUNT }, 'absent'],
    ['show-member', { own: 'unknown' }, 'unknown'],
    ['list-feature-sets', { own: [MEMBER] }, 'absent'],
    ['list-audit-trail', { own: [MEMBER] }, 'absent'],
    ['list-own-memberships', { own: 'refused', account: TEAM_ACCOUNT }, 'unknown'],
  ])('%s of no organization, knowing %o: %s', (operation, evidence, verdict) => {
    expect(diagnose({ operation, organization: undefined }, { ...empty, ...evidence }).verdict).toBe(verdict);
  });

  test('of many organizations some are named', () => {
    const own = Array.from({ length: 12 }, (_, index) => ({ ...MEMBER, organization: `org-${index + 1}` }));
    expect(diagnose({ operation: 'list-members', organization: 'acme' }, { ...empty, own }).reasons[0]).toBe(
      'found: the user of this token is in org-1, org-2, org-3, org-4, org-5, org-6, org-7, org-8, org-9, org-10 and 2 more, and not in acme',
    );
  });
});

describe('what the answers say', () => {
  const answer = (status: number, body: unknown) => ({
    status,
    headers: {},
    text: typeof body === 'string' ? body : JSON.stringify(body),
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

  test.each<[data: unknown, own: Evidence['own']]>([
    [{ data: [membership('team-1')], included }, [OWNER]],
    [{ data: [membership('team-2')], included }, [MEMBER]],
    // A team that is not told may be any.
    [{ data: [membership('team-3')], included }, [SOMEBODY]],
    [{ data: [membership('team-1')] }, [SOMEBODY]],
    [{ data: [] }, []],
    [{ data: [membership('team-1')], links: { next: 'https://example.com/?page=2' } }, 'unknown'],
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
    [500, refusal, 'unknown'],
  ])('status %i, %o: %s', (status, body, said) => {
    expect(readOwn(answer(status, body))).toBe(said);
    expect(readReach(answer(status, body))).toBe(said === 'unauthorized' ? 'unknown' : said);
    expect(readAccount(answer(status, body))).toBe(said === 'unauthorized' ? 'unknown' : said);
    expect(readAuditTrail(answer(status, body))).toBe('unknown');
  });

  test('no answer says nothing', () => {
    expect([readOwn(undefined), readReach(undefined), readAccount(undefined)]).toEqual([
      'unknown',
      'unknown',
      'unknown',
    ]);
  });

  test.each<[attributes: object, account: Evidence['account']]>([
    [{ username: 'ana', 'is-service-account': false }, 'user'],
    [{ username: 'api-org-acme', 'is-service-account': true }, ORGANIZATION_ACCOUNT],
    [{ 'is-service-account': true }, 'unknown'],
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
