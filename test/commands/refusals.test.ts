import { describe, expect, test } from 'vitest';
import { parseFault } from '../../src/sandbox/faults.ts';
import type { CallerKind } from '../../src/sandbox/sandbox.ts';
import type { Json } from '../support/demo.ts';
import { createNames } from '../support/names.ts';
import { startService } from '../support/service.ts';

interface Row {
  /** Operation, status and condition, as the error table has them. */
  readonly name: string;
  /** Which of two conditions, where the row names two. */
  readonly which?: string;
  readonly as?: CallerKind;
  readonly org?: string;
  readonly fault?: string;
  readonly status: number;
  /** The error objects of the service's answer. */
  readonly errors: readonly Json[];
  readonly argv: string;
  readonly exit: number;
  readonly code: string;
  readonly message: string;
  readonly reasons: readonly string[];
  readonly hint: string;
  /** The request that was refused: method and path. */
  readonly request: readonly [method: string, path: string];
  /** What a command for several items calls this one in its row. */
  readonly item?: Json;
}

const TOKEN = '/organizations/acme/authentication-token?token=audit-trails';
const NOT_FOUND = { status: '404', title: 'not found' };
const CURATION = { status: '403', title: 'forbidden', detail: 'Curation of public providers is disabled' };
const CORRECT = 'Correct what the service names, and run the command again.';
const ENABLE = 'Ask who runs the service to enable public provider curation, or publish the provider as a private one.';

const TOKEN_CALLERS = 'allowed: members of the owners team, the owners team token and the organization token';
const MEMBERSHIP_CALLERS =
  'allowed: members of the owners team, the owners team token, the organization token, and holders of a Team Management permission';
const PROVIDER_WRITERS =
  'allowed: members of the owners team, the owners team token, and holders of the Manage Private Registry permission';

const invalid = (detail: string, pointer: string): Json => ({
  status: '422',
  title: 'invalid attribute',
  detail,
  source: { pointer },
});

const ACME = { id: 'acme', type: 'organizations' };
const INITECH = { id: 'initech', type: 'organizations' };
const toMember = (id: string, email: string, team: string): Json => ({
  id,
  type: 'organization-memberships',
  email,
  organization: ACME,
  teams: [{ id: `team-${team}`, type: 'teams', name: team }],
});

/** The error table of the service's document, row by row; `sandbox/errors.test.ts` has the answers themselves. */
const ROWS: readonly Row[] = [
  {
    name: 'Generate audit trail token | 404 | User not authorized',
    as: 'member',
    status: 404,
    errors: [NOT_FOUND],
    argv: 'audit-token generate --yes',
    exit: 5,
    code: 'not-found',
    message: 'cannot generate the audit trail token of acme: the service answered 404',
    reasons: ['not found', 'You are a member of acme, and not in its owners team.', TOKEN_CALLERS],
    hint: 'Use a token with that permission.',
    request: ['POST', TOKEN],
  },
  {
    name: 'Delete audit trail token | 404 | User not authorized',
    as: 'team-manager',
    status: 404,
    errors: [NOT_FOUND],
    argv: 'audit-token delete --yes',
    exit: 5,
    code: 'not-found',
    message: 'cannot delete the audit trail token of acme: the service answered 404',
    reasons: ['not found', 'You are a member of acme, and not in its owners team.', TOKEN_CALLERS],
    hint: 'Use a token with that permission.',
    request: ['DELETE', TOKEN],
  },
  {
    name: 'Invite user | 400 | Invitation impossible due to organization limits',
    org: 'initech',
    status: 400,
    errors: [
      { status: '400', title: 'bad request', detail: 'The organization initech has reached its limit of 5 users' },
    ],
    argv: 'members invite sixth@example.com --team platform',
    exit: 7,
    code: 'organization-limit',
    message: 'cannot invite sixth@example.com to initech: the service answered 400',
    reasons: [
      'bad request: The organization initech has reached its limit of 5 users',
      'a limit of the organization makes the invitation impossible',
    ],
    hint: 'Remove members or invitations that are no longer needed, or raise the limit with the plan.',
    request: ['POST', '/organizations/initech/organization-memberships'],
    item: { id: null, type: 'organization-memberships', email: 'sixth@example.com', organization: INITECH },
  },
  {
    name: 'Invite user | 404 | Organization not found, or user unauthorized',
    which: 'nothing there',
    org: 'umbrella',
    status: 404,
    errors: [NOT_FOUND],
    argv: 'members invite new@example.com --team team-platform',
    exit: 5,
    code: 'not-found',
    message: 'cannot invite anybody to umbrella: the service answered 404',
    reasons: [
      'not found',
      'You are not a member of umbrella. Your organizations: acme, globex and initech.',
      'Unknown: whether an organization named umbrella exists.',
    ],
    hint: 'Check the name of the organization, or ask one of its owners for an invitation.',
    request: [
      'GET',
      '/organizations/umbrella/organization-memberships?filter%5Bemail%5D=new%40example.com&include=user%2Cteams&page%5Bsize%5D=100',
    ],
  },
  {
    name: 'Invite user | 404 | Organization not found, or user unauthorized',
    which: 'not authorized',
    as: 'member',
    status: 404,
    errors: [NOT_FOUND],
    argv: 'members invite new@example.com --team team-platform',
    exit: 5,
    code: 'not-found',
    message: 'cannot invite new@example.com to acme: the service answered 404',
    reasons: ['not found', 'acme exists, and you are a member: you don’t have permission.', MEMBERSHIP_CALLERS],
    hint: 'Use a token with that permission.',
    request: ['POST', '/organizations/acme/organization-memberships'],
    item: { id: null, type: 'organization-memberships', email: 'new@example.com', organization: ACME },
  },
  {
    name: 'Invite user | 422 | Validation errors',
    status: 422,
    argv: 'members invite new@example.com --team team-platform,team-0fN0body',
    exit: 7,
    code: 'rejected',
    message: 'cannot invite new@example.com to acme: the service answered 422',
    reasons: ['invalid attribute: Team not found in the organization (/data/relationships/teams/data/1/id)'],
    hint: CORRECT,
    request: ['POST', '/organizations/acme/organization-memberships'],
    errors: [invalid('Team not found in the organization', '/data/relationships/teams/data/1/id')],
    item: { id: null, type: 'organization-memberships', email: 'new@example.com', organization: ACME },
  },
  {
    name: 'Show membership | 404 | Membership not found, or user unauthorized',
    status: 404,
    errors: [NOT_FOUND],
    argv: 'members show ou-nobody',
    exit: 5,
    code: 'not-found',
    message: 'cannot show membership ou-nobody: the service answered 404',
    reasons: [
      'not found',
      'You are an owner of acme, globex and initech, and no such membership exists there.',
      'Unknown: whether another organization has it.',
    ],
    hint: 'Check the id: members list shows those of an organization.',
    request: ['GET', '/organization-memberships/ou-nobody?include=user%2Cteams'],
  },
  {
    name: 'Remove membership | 403 | The user tries to remove themselves from an organization they own',
    status: 403,
    errors: [{ status: '403', title: 'forbidden', detail: 'You cannot remove yourself from an organization you own' }],
    argv: 'members remove ou-olive --yes',
    exit: 6,
    code: 'forbidden',
    message: 'cannot remove olive.owner@example.com (ou-olive, active) from acme: the service answered 403',
    reasons: [
      'forbidden: You cannot remove yourself from an organization you own',
      'nobody can remove themselves from an organization they own',
    ],
    hint: 'Let another owner remove this membership.',
    request: ['DELETE', '/organization-memberships/ou-olive'],
    item: toMember('ou-olive', 'olive.owner@example.com', 'owners'),
  },
  {
    name: 'Remove membership | 404 | Membership not found, or user unauthorized',
    which: 'nothing there',
    status: 404,
    errors: [NOT_FOUND],
    argv: 'members remove ou-nobody --yes',
    exit: 5,
    code: 'not-found',
    message: 'cannot remove membership ou-nobody: the service answered 404',
    reasons: [
      'not found',
      'You are an owner of acme, globex and initech, and no such membership exists there.',
      'Unknown: whether another organization has it.',
    ],
    hint: 'Check the id: members list shows those of an organization.',
    request: ['GET', '/organization-memberships/ou-nobody?include=user%2Cteams'],
  },
  {
    name: 'Remove membership | 404 | Membership not found, or user unauthorized',
    which: 'not authorized',
    as: 'member',
    status: 404,
    errors: [NOT_FOUND],
    argv: 'members remove ou-ada --yes',
    exit: 5,
    code: 'not-found',
    message: 'cannot remove ada.auditor@example.com (ou-ada, active) from acme: the service answered 404',
    reasons: [
      'not found',
      'The membership exists, and your token can read it: you don’t have permission to remove it.',
      MEMBERSHIP_CALLERS,
    ],
    hint: 'Use a token with that permission.',
    request: ['DELETE', '/organization-memberships/ou-ada'],
    item: toMember('ou-ada', 'ada.auditor@example.com', 'audit'),
  },
  {
    name: 'List providers | 404 | Providers not found or user unauthorized',
    as: 'audit-token',
    status: 404,
    errors: [NOT_FOUND],
    argv: 'providers list',
    exit: 5,
    code: 'not-found',
    message: 'cannot list the providers of acme: the service answered 404',
    reasons: [
      'not found',
      'This looks like an audit trail token: it reads the audit trail, and was refused its own account and memberships.',
    ],
    hint: 'Use the token of a user, a team or the organization.',
    request: ['GET', '/organizations/acme/registry-providers?page%5Bsize%5D=100'],
  },
  {
    name: 'Create provider | 422 | Malformed body (missing attributes, wrong types and the like)',
    // Somebody else is faster: no malformed body ever leaves the command.
    fault: 'GET registry-providers/public/hashicorp/aws: nth=1 404',
    status: 422,
    argv: 'providers create public/hashicorp/aws',
    exit: 7,
    code: 'rejected',
    message: 'cannot create provider public/hashicorp/aws in acme: the service answered 422',
    reasons: ['invalid attribute: Name has already been taken (/data/attributes/name)'],
    hint: CORRECT,
    request: ['POST', '/organizations/acme/registry-providers'],
    errors: [invalid('Name has already been taken', '/data/attributes/name')],
    item: { id: null, type: 'registry-providers', address: 'public/hashicorp/aws' },
  },
  {
    name: 'Create provider | 403 | Public provider curation is disabled',
    org: 'initech',
    status: 403,
    errors: [CURATION],
    argv: 'providers create public/hashicorp/aws',
    exit: 6,
    code: 'forbidden',
    message: 'cannot create provider public/hashicorp/aws in initech: the service answered 403',
    reasons: [
      'forbidden: Curation of public providers is disabled',
      'public provider curation is disabled for this organization',
    ],
    hint: ENABLE,
    request: ['GET', '/organizations/initech/registry-providers/public/hashicorp/aws'],
    item: { id: null, type: 'registry-providers', address: 'public/hashicorp/aws' },
  },
  {
    name: 'Create provider | 404 | User not authorized',
    as: 'org-token',
    status: 404,
    errors: [NOT_FOUND],
    argv: 'providers create private/acme/billing',
    exit: 5,
    code: 'not-found',
    message: 'cannot create provider private/acme/billing in acme: the service answered 404',
    reasons: ['not found', 'acme exists, and your token can read it: you don’t have permission.', PROVIDER_WRITERS],
    hint: 'Use a token with that permission.',
    request: ['POST', '/organizations/acme/registry-providers'],
    item: { id: null, type: 'registry-providers', address: 'private/acme/billing' },
  },
  {
    name: 'Get provider | 403 | Public provider curation is disabled',
    org: 'initech',
    status: 403,
    errors: [CURATION],
    argv: 'providers get public/hashicorp/aws',
    exit: 6,
    code: 'forbidden',
    message: 'cannot get provider public/hashicorp/aws of initech: the service answered 403',
    reasons: [
      'forbidden: Curation of public providers is disabled',
      'public provider curation is disabled for this organization',
    ],
    hint: ENABLE,
    request: ['GET', '/organizations/initech/registry-providers/public/hashicorp/aws'],
  },
  {
    name: 'Get provider | 404 | Provider not found or user unauthorized',
    status: 404,
    errors: [NOT_FOUND],
    argv: 'providers get public/hashicorp/none',
    exit: 5,
    code: 'not-found',
    message: 'cannot get provider public/hashicorp/none of acme: the service answered 404',
    reasons: ['not found', 'acme has no such provider: you are a member, and members can view all of them.'],
    hint: 'Check the registry, the namespace and the name.',
    request: ['GET', '/organizations/acme/registry-providers/public/hashicorp/none'],
  },
  {
    name: 'Delete provider | 403 | Public provider curation is disabled',
    org: 'initech',
    status: 403,
    errors: [CURATION],
    argv: 'providers delete public/hashicorp/aws --yes',
    exit: 6,
    code: 'forbidden',
    message: 'cannot delete provider public/hashicorp/aws of initech: the service answered 403',
    reasons: [
      'forbidden: Curation of public providers is disabled',
      'public provider curation is disabled for this organization',
    ],
    hint: ENABLE,
    request: ['GET', '/organizations/initech/registry-providers/public/hashicorp/aws'],
  },
  {
    name: 'Delete provider | 404 | Provider not found or user not authorized',
    which: 'nothing there',
    status: 404,
    errors: [NOT_FOUND],
    argv: 'providers delete private/acme/none --yes',
    exit: 5,
    code: 'not-found',
    message: 'cannot delete provider private/acme/none of acme: the service answered 404',
    reasons: ['not found', 'acme has no such provider: you are a member, and members can view all of them.'],
    hint: 'Check the registry, the namespace and the name.',
    request: ['GET', '/organizations/acme/registry-providers/private/acme/none'],
  },
  {
    name: 'Delete provider | 404 | Provider not found or user not authorized',
    which: 'not authorized',
    as: 'member',
    status: 404,
    errors: [NOT_FOUND],
    argv: 'providers delete private/acme/inventory --yes',
    exit: 5,
    code: 'not-found',
    message: 'cannot delete provider private/acme/inventory of acme: the service answered 404',
    reasons: [
      'not found',
      'The provider exists, and your token can read it: you don’t have permission to delete it.',
      PROVIDER_WRITERS,
    ],
    hint: 'Use a token with that permission.',
    request: ['DELETE', '/organizations/acme/registry-providers/private/acme/inventory'],
    item: { id: 'prov-acme-inventory', type: 'registry-providers', address: 'private/acme/inventory' },
  },
];

async function start(row: Row) {
  const service = await startService(row.fault === undefined ? {} : { faults: [parseFault(row.fault)] });
  return { service, names: await createNames(service.sandbox) };
}

const callerOf = ({ as, org }: Row): { readonly as: CallerKind; readonly org: string } => ({
  as: as ?? 'owner',
  org: org ?? 'acme',
});

describe('the error table', () => {
  test('has its sixteen rows', () => {
    expect(new Set(ROWS.map(({ name }) => name)).size).toBe(16);
  });

  for (const row of ROWS) {
    const title = row.which === undefined ? row.name : `${row.name} (${row.which})`;
    test(`${title}: ${row.argv}`, async () => {
      const { service, names } = await start(row);
      const result = await service.run(names.real(row.argv).split(' '), callerOf(row));
      const block = [
        `orgctl: ${row.message}`,
        ...row.reasons.map((reason) => `  ${reason}`),
        `  → ${row.hint}`,
        '  request request-1',
      ];
      expect({ ...result, stdout: result.stdout === '', stderr: names.plain(result.stderr) }).toEqual({
        code: row.exit,
        stdout: row.item === undefined,
        stderr: block.map((line) => `${line}\n`).join(''),
      });
    });

    test(`${title}: ${row.argv} -o json`, async () => {
      const { service, names } = await start(row);
      const { stdout, ...result } = await service.run(
        [...names.real(row.argv).split(' '), '-o', 'json'],
        callerOf(row),
      );
      const [method, path] = row.request;
      const error = {
        code: row.code,
        exit: row.exit,
        message: row.message,
        reasons: row.reasons,
        status: row.status,
        errors: row.errors,
        request: { method, path: `/api/v2${path}`, id: 'request-1' },
        hint: row.hint,
      };
      expect({ ...result, stderr: names.plain(result.stderr) }).toEqual({
        code: row.exit,
        stderr: `${JSON.stringify({ error })}\n`,
      });
      const { code, message, status } = row;
      // What is found out of a refusal stands in the error alone.
      const said = expect.stringContaining(`${message}; ${row.reasons[0]}`);
      expect(stdout === '' ? undefined : JSON.parse(names.plain(stdout))).toEqual(
        row.item && [
          {
            ...row.item,
            changed: false,
            result: 'failed',
            error: { code, message: said, status },
          },
        ],
      );
    });
  }
});
