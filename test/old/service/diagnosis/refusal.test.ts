import { describe, expect, test } from 'vitest';
import type { Evidence, OwnMembership } from '../../../../src/old/service/diagnosis/evidence.ts';
import { chooseReading, toFirstEvidence, toRefusedCall } from '../../../../src/old/service/diagnosis/refusal.ts';
import { diagnose, type Verdict } from '../../../../src/old/service/diagnosis/verdict.ts';
import type { OperationName } from '../../../../src/old/service/operations.ts';

const OWNER: OwnMembership = { organization: 'acme', status: 'active', isOwner: true };
const MEMBER: OwnMembership = { ...OWNER, isOwner: false };
const TEAMLESS: OwnMembership = { ...OWNER, isOwner: undefined };
const ORGANIZATION_ACCOUNT = { service: 'api-org-acme' };
const UNKNOWN = "Your token can't see which of these is true.";
const DO = { what: 'do it', object: 'public/hashicorp/aws' };
const TEAM_ACCOUNT = { service: 'api-team_1' };

describe('which call was refused', () => {
  const asked = (operation: string, text: string) => {
    const [path = '', query] = text.split('?');
    return { operation, what: 'do it', path, query: [...new URLSearchParams(query)] };
  };

  test('the error says it', () => {
    const path = '/organizations/acme/organization-memberships';
    const call = { operation: 'invite-member', what: 'do it', organization: 'acme', object: '' };
    expect(toRefusedCall(asked('invite-member', path), 'POST')).toEqual(call);
  });

  test('the reading before a write', () => {
    const call = toRefusedCall(asked('remove-member', '/organization-memberships/ou-1'), 'GET');
    expect(call).toEqual({
      operation: 'remove-member',
      what: 'do it',
      organization: undefined,
      object: 'ou-1',
      isReading: true,
    });
    expect(toFirstEvidence(call)).toEqual({ object: 'refused' });
  });

  test.each<[method: string, path: string, operation: OperationName, organization: string | undefined]>([
    ['POST', '/organizations/acme/authentication-token?token=audit-trails', 'generate-audit-token', 'acme'],
    ['DELETE', '/organizations/acme/authentication-token', 'delete-organization-token', 'acme'],
    ['GET', '/organizations/acme/authentication-token?token=other', 'show-organization-token', 'acme'],
    ['GET', '/organizations/gr%C3%B6%C3%9Fe/teams/', 'list-teams', 'größe'],
    ['GET', '/organizations/acme/organization-memberships', 'list-members', 'acme'],
    ['GET', '/organizations/acme/workspaces', 'generic', 'acme'],
    ['GET', '/organizations/%zz', 'show-organization', undefined],
    ['PATCH', '/feature-sets', 'generic', undefined],
  ])('%s %s that was asked for by its path', (method, path, operation, organization) => {
    expect(toRefusedCall(asked('generic', path), method)).toMatchObject({ operation, what: 'do it', organization });
  });
});

describe('what is asked next', () => {
  test.each<[operation: OperationName, organization: string | undefined, evidence: Evidence, reading?: string]>([
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
    ['delete-provider', 'acme', { own: [], object: 'refused' }, 'providers'],
    ['get-provider', 'acme', { own: [], account: TEAM_ACCOUNT }, 'providers'],
    ['get-provider', 'acme', { own: [MEMBER] }, 'providers'],
    ['get-provider', 'globex', { own: [MEMBER] }],
    ['get-provider', 'acme', { own: [MEMBER], providers: 'reached' }],
    ['remove-member', undefined, { own: [], account: TEAM_ACCOUNT }, 'object'],
    ['list-members', 'acme', { own: 'refused' }, 'audit-trail'],
    ['list-members', 'acme', { own: 'refused', 'audit-trail': 'events' }, 'account'],
    ['list-members', 'acme', { own: 'refused', 'audit-trail': 'events', account: 'refused' }],
    ['list-audit-trail', undefined, { own: 'refused' }, 'account'],
    ['list-members', 'acme', { own: 'unknown' }, 'account'],
  ])('%s of %s, knowing %o: %s', (operation, organization, evidence, reading) => {
    expect(chooseReading({ operation, organization }, evidence)).toBe(reading);
  });
});

describe('what it means', () => {
  const audit = { own: 'refused', 'audit-trail': 'events', account: 'refused' } as const;
  const team = { own: [], account: TEAM_ACCOUNT } as const;
  const globex = { ...OWNER, organization: 'globex' };
  const of = (own: OwnMembership, more: Evidence = {}): Evidence => ({ own: [own], ...more });
  const [exists, none] = ['acme exists, and your token can read it.', 'You are a member of no organization.'];
  const invites = "you don't have permission to invite people to acme";
  const invited = "you are invited to acme and haven't accepted yet";
  const refused: Evidence = { organization: 'refused' };
  const reached: Evidence = { own: [], account: ORGANIZATION_ACCOUNT, organization: 'reached' };
  test.each<[operation: OperationName, evidence: Evidence, verdict: Verdict, reason: string]>([
    ['list-members', { own: 'unauthorized' }, 'invalid-token', 'your token is no longer valid'],
    ['list-members', audit, 'wrong-token-kind', "you can't do it with an audit trail token"],
    // An organization's token may be refused its memberships too, and reads the audit trail.
    ['list-members', { ...audit, account: ORGANIZATION_ACCOUNT }, 'unknown', UNKNOWN],
    ['list-members', { ...audit, account: 'unknown' }, 'unknown', UNKNOWN],
    ['list-members', { ...audit, 'audit-trail': 'nothing' }, 'unknown', UNKNOWN],
    ['list-members', of(globex), 'organization-not-reached', 'Your organizations: globex.'],
    ['list-members', of({ ...globex, status: 'invited' }), 'organization-not-reached', none],
    ['list-members', { own: [], account: 'user' }, 'organization-not-reached', none],
    ['list-members', of({ ...OWNER, status: 'invited' }), 'organization-not-reached', invited],
    [
      'list-members',
      of({ ...OWNER, status: 'inactive' }),
      'organization-not-reached',
      'The service calls you inactive there.',
    ],
    ['list-members', of({ ...OWNER, status: undefined }), 'unknown', UNKNOWN],
    ['list-members', { ...team, ...refused }, 'organization-not-reached', "your token can't do it"],
    ['get-provider', { ...team, providers: 'refused' }, 'organization-not-reached', "your token can't do it"],
    ['list-members', of(MEMBER, refused), 'missing-permission', "the service doesn't show you the members of acme"],
    ['list-members', { own: 'unknown', ...refused, account: 'unknown' }, 'unknown', UNKNOWN],
    ['invite-member', of({ ...MEMBER, organization: 'ACME' }), 'missing-permission', invites],
    ['find-invitees', of(MEMBER, refused), 'missing-permission', "you don't have permission to do it"],
    ['invite-member', { ...team, organization: 'reached' }, 'missing-permission', 'your token can read it'],
    ['create-provider', of(MEMBER), 'missing-permission', "you don't have permission to add providers to acme"],
    ['get-provider', of(MEMBER), 'absent', 'members can read all of its providers'],
    ['get-provider', { ...team, providers: 'reached' }, 'absent', 'permission is not the reason'],
    ['delete-provider', of(MEMBER, { object: 'reached' }), 'missing-permission', 'The provider exists'],
    ['delete-provider', of(MEMBER, { object: 'refused' }), 'absent', 'acme has no provider public/hashicorp/aws'],
    ['delete-provider', of(MEMBER, { object: 'unknown' }), 'unknown', UNKNOWN],
    ['delete-provider', { own: [], object: 'reached' }, 'missing-permission', 'The provider exists'],
    ['delete-provider', { own: [], object: 'refused' }, 'unknown', UNKNOWN],
    // Permission is not the reason: the document names no other, so that the others stay suppositions.
    ['generate-audit-token', of(OWNER), 'absent', 'acme is probably not entitled to audit logging'],
    ['delete-audit-token', of(OWNER), 'absent', 'acme has no audit trail token'],
    ['show-audit-token', of(OWNER), 'absent', "or this service can't show one"],
    ['generate-audit-token', of(MEMBER), 'missing-permission', 'not in its owners team'],
    ['generate-audit-token', of(TEAMLESS), 'unknown', exists],
    ['generate-audit-token', reached, 'absent', 'entitled'],
    ['generate-audit-token', { ...team, organization: 'reached' }, 'unknown', exists],
    // On Terraform Enterprise the same request is about the organization's own token.
    ['delete-audit-token', of(OWNER, { isEnterprise: true }), 'absent', 'acme has no organization token'],
    [
      'show-audit-token',
      of(MEMBER, { isEnterprise: true }),
      'missing-permission',
      'this is about the organization token',
    ],
    ['show-organization-token', of(MEMBER), 'missing-permission', 'not in its owners team'],
    ['delete-organization-token', of(TEAMLESS), 'unknown', 'to manage its organization token'],
    ['list-teams', of(MEMBER), 'unknown', exists],
    // Other names than the organization's are in the path, so that the service may have such a thing.
    ['list-versions', of(OWNER), 'unknown', exists],
    ['list-organization-feature-sets', of(MEMBER), 'unknown', exists],
    ['list-organization-feature-sets', of(MEMBER, { isEnterprise: true }), 'absent', 'this is Terraform Enterprise'],
  ])('%s, knowing %o: %s', (operation, evidence, verdict, reason) => {
    const found = diagnose({ operation, ...DO, organization: 'acme' }, evidence);
    expect(found.verdict).toBe(verdict);
    expect([found.finding, ...found.reasons].join('\n')).toContain(reason);
  });

  const mayJoin = { ...OWNER, status: 'invited' } as const;
  const ofGlobex = 'You are an owner of globex,';
  test.each<[operation: OperationName, evidence: Evidence, verdict: Verdict, reasons: readonly string[]]>([
    ['remove-member', of(MEMBER, { object: 'reached' }), 'missing-permission', ['The member exists', 'Who can: ']],
    ['remove-member', of(OWNER, { object: 'refused' }), 'absent', ['an owner of acme', 'whether another organization']],
    ['remove-member', of(MEMBER), 'unknown', [UNKNOWN]],
    // Who is a mere member need not see all memberships.
    ['show-member', of(MEMBER), 'unknown', [UNKNOWN]],
    ['show-member', { own: [globex, MEMBER] }, 'absent', [ofGlobex, 'whether acme or another organization']],
    ['show-member', { own: [globex, mayJoin] }, 'absent', [ofGlobex, 'whether another']],
    ['show-member', of(mayJoin), 'unknown', [UNKNOWN]],
    ['show-member', { own: [], account: ORGANIZATION_ACCOUNT }, 'absent', ['acts as api-org-acme', 'whether another']],
    ['show-member', { ...team }, 'unknown', [UNKNOWN]],
    ['show-member', { own: 'unknown' }, 'unknown', [UNKNOWN]],
    ['list-feature-sets', of(MEMBER), 'unknown', [UNKNOWN]],
    ['list-audit-trail', of(MEMBER), 'unknown', ['gets an empty audit trail']],
    ['list-own-memberships', { own: 'refused', account: TEAM_ACCOUNT }, 'unknown', [UNKNOWN]],
  ])('%s of no organization, knowing %o: %s', (operation, evidence, verdict, parts) => {
    const { reasons, ...found } = diagnose({ operation, ...DO, organization: undefined }, evidence);
    expect(found.verdict).toBe(verdict);
    expect(reasons).toEqual(parts.map((part) => expect.stringContaining(part)));
  });

  test('who is allowed goes along with a missing permission, and not with an organization that is not reached', () => {
    const found = diagnose({ operation: 'invite-member', ...DO, organization: 'acme' }, { own: [MEMBER] });
    expect(found.reasons[1]).toMatch(/^Who can: owners, .*, people with Team Management\.$/);
    const elsewhere = diagnose({ operation: 'list-providers', ...DO, organization: 'acme' }, { own: [globex] });
    expect(elsewhere.reasons).toEqual([expect.stringMatching(/^Unknown: /)]);
  });

  test.each([
    [
      'private/acme/aws',
      ['public/hashicorp/aws', 'public/other/aws'],
      'Did you mean public/hashicorp/aws or public/other/aws?',
    ],
    ['public/hashicorp/awss', ['public/hashicorp/aws', 'public/other/vault'], 'Did you mean public/hashicorp/aws?'],
    ['public/HashiCorp/AWS', ['private/acme/awx', 'public/hashicorp/aws'], 'Did you mean public/hashicorp/aws?'],
    ['public/hashicorp/zzz', ['public/hashicorp/aws'], 'Check the registry, the namespace and the name.'],
    ['public/hashicorp/aws', ['private/acme/billing'], 'Check the registry, the namespace and the name.'],
  ])('of the providers that are there the nearest are named: %s', (object, known, hint) => {
    const call = { operation: 'get-provider', what: 'do it', organization: 'acme', object } as const;
    expect(diagnose(call, { own: [MEMBER], providers: 'reached', known })).toEqual({
      verdict: 'absent',
      finding: `acme has no provider ${object}`,
      reasons: ["Your token can list acme's providers, so permission is not the reason."],
      hint,
    });
  });

  test('an organization with nearly that name is named', () => {
    const call = { operation: 'list-members', ...DO, organization: 'acne' } as const;
    expect(diagnose(call, { own: [MEMBER, globex] }).hint).toBe('Did you mean acme?');
    expect(diagnose({ ...call, organization: 'nope' }, { own: [MEMBER, globex] }).reasons).toEqual([
      'Unknown: whether an organization named nope exists. Your organizations: acme, globex.',
    ]);
  });

  test('of many organizations some are named', () => {
    const own = Array.from({ length: 12 }, (_, index) => ({ ...MEMBER, organization: `org-${index + 1}` }));
    expect(diagnose({ operation: 'list-members', ...DO, organization: 'acme' }, { own }).reasons[0]).toBe(
      'Unknown: whether an organization named acme exists. Your organizations: org-1, org-2, org-3, org-4, org-5, org-6, org-7, org-8, org-9, org-10 and 2 more.',
    );
  });
});
