import { describe, expect, test } from 'vitest';
import { CALLER_KINDS } from '../../src/sandbox/sandbox.ts';
import { createNames } from '../support/names.ts';
import { startService, type TestService } from '../support/service.ts';

interface Row {
  /** The rule of the document's section Authentication, and what it is about. */
  readonly rule: string;
  readonly argv: string;
  /** By caller, in the order of CALLER_KINDS. */
  readonly codes: readonly number[];
  /** Something that the command, and nothing but a success of it, changes: as an owner sees it. */
  readonly effect?: (service: TestService) => Promise<unknown>;
}

const bodyOf =
  (path: string) =>
  async (service: TestService): Promise<unknown> =>
    (await service.ask('GET', path)).body;
// Being used changes a token too, but not its id.
const token = async (service: TestService): Promise<unknown> => {
  const body = await bodyOf('/organizations/acme/authentication-token?token=audit-trails')(service);
  return (body as { readonly data?: { readonly id: string } }).data?.id;
};
const memberships = bodyOf('/organizations/acme/organization-memberships');
const providers = bodyOf('/organizations/acme/registry-providers');

/** Who may do it, in the order of CALLER_KINDS. 5 stands for the service's 404, 4 for its 401. */
//                  owner, owners-team, org-token, member, team-manager, registry-manager, audit-token, none
const TOKEN_CALLERS = [0, 0, 0, 5, 5, 5, 5, 4];
const MEMBERSHIP_CALLERS = [0, 0, 0, 5, 0, 5, 5, 4];
const PROVIDER_WRITERS = [0, 0, 5, 5, 5, 0, 5, 4];
const MEMBERS = [0, 0, 0, 0, 0, 0, 5, 4];

const ROWS: readonly Row[] = [
  {
    rule: 'Authentication 1: generate an audit trail token',
    argv: 'audit-token generate --yes',
    codes: TOKEN_CALLERS,
    effect: token,
  },
  {
    rule: 'Authentication 1: delete an audit trail token',
    argv: 'audit-token delete --yes',
    codes: TOKEN_CALLERS,
    effect: token,
  },
  {
    rule: 'outside the document: show an audit trail token',
    argv: 'audit-token show',
    codes: TOKEN_CALLERS,
  },
  {
    rule: 'Authentication 2: invite into a team by its id',
    argv: 'members invite new@example.com --team team-platform',
    codes: MEMBERSHIP_CALLERS,
    effect: memberships,
  },
  {
    // Whoever may not see the teams cannot use their names, which is found out before anything is sent.
    rule: 'Authentication 2: invite into a team by its name',
    argv: 'members invite new@example.com --team platform',
    codes: [0, 0, 0, 5, 0, 5, 2, 4],
    effect: memberships,
  },
  {
    rule: 'Authentication 2: remove a member by id',
    argv: 'members remove ou-ada --yes',
    codes: MEMBERSHIP_CALLERS,
    effect: memberships,
  },
  {
    rule: 'Authentication 2: take an invitation back by email',
    argv: 'members remove ivan.invitee@example.com --yes',
    codes: MEMBERSHIP_CALLERS,
    effect: memberships,
  },
  { rule: 'list memberships', argv: 'members list', codes: MEMBERS },
  { rule: 'list own memberships', argv: 'members mine', codes: MEMBERS },
  { rule: 'show a membership by id', argv: 'members show ou-ada', codes: MEMBERS },
  { rule: 'show a membership by email', argv: 'members show ada.auditor@example.com', codes: MEMBERS },
  {
    rule: 'Authentication 3: create a private provider',
    argv: 'providers create private/acme/billing',
    codes: PROVIDER_WRITERS,
    effect: providers,
  },
  {
    rule: 'Authentication 3: create a public provider',
    argv: 'providers create public/hashicorp/null',
    codes: PROVIDER_WRITERS,
    effect: providers,
  },
  {
    rule: 'Authentication 3: delete a private provider',
    argv: 'providers delete private/acme/inventory --yes',
    codes: PROVIDER_WRITERS,
    effect: providers,
  },
  {
    rule: 'Authentication 3: delete a public provider',
    argv: 'providers delete public/hashicorp/aws --yes',
    codes: PROVIDER_WRITERS,
    effect: providers,
  },
  { rule: 'Authentication 3: view the providers', argv: 'providers list', codes: MEMBERS },
  { rule: 'Authentication 3: view a provider', argv: 'providers get private/acme/inventory', codes: MEMBERS },
  { rule: 'not shown in the document: list the feature sets', argv: 'feature-sets list', codes: MEMBERS },
  {
    rule: 'not shown in the document: list the feature sets an organization is eligible for',
    argv: 'feature-sets list --eligible',
    codes: MEMBERS,
  },
  { rule: 'outside the document: list the teams', argv: 'teams list', codes: MEMBERS },
];

/** Nothing, or the row of what failed. */
const NOTHING_DONE = /^(?:failed\t.*\n)?$/;

describe('who may do what', () => {
  for (const { rule, argv, codes, effect } of ROWS) {
    for (const [index, as] of CALLER_KINDS.entries()) {
      const code = codes[index];
      test(`${rule} | ${as} | ${argv} | ${code}`, async () => {
        const service = await startService();
        const { real } = await createNames(service.sandbox);
        const before = await effect?.(service);
        const result = await service.run(real(argv).split(' '), { as });
        expect(result.code).toBe(code);
        if (code !== 0) expect(result.stdout).toMatch(NOTHING_DONE);
        if (effect === undefined) return;
        const after = await effect(service);
        if (code === 0) expect(after).not.toEqual(before);
        else expect(after).toEqual(before);
      });
    }
  }
});

describe('a token of one organization in another', () => {
  const COMMANDS = [
    'audit-token generate --yes',
    'audit-token delete --yes',
    'members list',
    'members invite new@example.com --team team-platform.globex',
    'members remove ou-gina.globex --yes',
    'providers list',
    'providers create private/globex/turbine',
    'providers delete private/globex/reactor --yes',
    'feature-sets list --eligible',
    'teams list',
  ];
  for (const as of ['owners-team', 'org-token'] as const) {
    for (const argv of COMMANDS) {
      test(`${as} | ${argv} --org globex | 5`, async () => {
        const service = await startService();
        const { real } = await createNames(service.sandbox);
        const result = await service.run([...real(argv).split(' '), '--org', 'globex'], { as, org: 'acme' });
        expect(result.code).toBe(5);
        expect(result.stdout).toMatch(NOTHING_DONE);
        expect(service.sandbox.info().organizations[1]).toEqual({
          name: 'globex',
          members: 5,
          invited: 1,
          providers: 2,
          teams: 4,
          auditToken: true,
          note: 'trial used, so no trial feature set',
        });
        expect(service.sandbox.tokenFor('audit-token', 'globex')).toBe('sandbox.audit-token.globex');
      });
    }
  }

  test('whoever is removed may do nothing there any more', async () => {
    const service = await startService();
    const { real } = await createNames(service.sandbox);
    expect((await service.run(['members', 'list'], { as: 'member' })).code).toBe(0);
    expect((await service.run(real('members remove ou-milo --yes').split(' '))).code).toBe(0);
    expect((await service.run(['members', 'list'], { as: 'member' })).code).toBe(5);
    expect((await service.run(['members', 'list', '--org', 'globex'], { as: 'member' })).code).toBe(0);
  });
});
