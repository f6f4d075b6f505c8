import { describe, expect, test } from 'vitest';
import { CALLER_KINDS } from '../../src/sandbox/sandbox.ts';
import { createNames } from '../support/names.ts';
import { startService, type TestService } from '../support/service.ts';

type Effect = (service: TestService) => Promise<unknown>;
const bodyOf =
  (path: string): Effect =>
  async (service) =>
    (await service.ask('GET', path)).body;
// Being used changes a token too, but not its id.
const token: Effect = async (service) => {
  const body = await bodyOf('/organizations/acme/authentication-token?token=audit-trails')(service);
  return (body as { data?: { id: string } }).data?.id;
};
const teamTokens = bodyOf('/organizations/acme/team-tokens?q=platform');
const providers = bodyOf('/organizations/acme/registry-providers');
const memberships = bodyOf('/organizations/acme/organization-memberships');

/** Who may do it, in the order of CALLER_KINDS. 5 stands for the service's 404, 4 for its 401. */
//                  owner, owners-team, org-token, member, team-manager, registry-manager, audit-token, none
const TOKEN_CALLERS = [0, 0, 0, 5, 5, 5, 5, 4];
const MEMBERSHIP_CALLERS = [0, 0, 0, 5, 0, 5, 5, 4];
const PROVIDER_CALLERS = [0, 0, 5, 5, 5, 0, 5, 4];
const MEMBERS = [0, 0, 0, 0, 0, 0, 5, 4];

/**
 * The rule of the document's section Authentication or another word on it, the command, the exit codes by caller, and
 * something that nothing but a success of the command changes, as an owner sees it.
 */
type Row = [rule: string, argv: string, codes: number[], effect?: Effect];

const ROWS: Row[] = [
  ['Authentication 1', 'audit-token generate --yes', TOKEN_CALLERS, token],
  ['Authentication 1', 'audit-token delete --yes', TOKEN_CALLERS, token],
  ['outside the document', 'audit-token show', TOKEN_CALLERS],
  // A kind that can't be seen is a row.
  ['outside the document', 'tokens list', [0, 0, 0, 0, 0, 0, 5, 4]],
  // Whoever sees no teams can't name one.
  ['outside the document', 'tokens delete team:platform/ci --yes', [0, 0, 0, 5, 5, 5, 2, 4], teamTokens],
  ['Authentication 2', 'members invite new@example.com --team team-platform', MEMBERSHIP_CALLERS, memberships],
  // Whoever may not see the teams cannot use their names, which is found out before anything is sent.
  ['Authentication 2', 'members invite new@example.com --team platform', [0, 0, 0, 5, 0, 5, 5, 4], memberships],
  ['Authentication 2', 'members remove ou-ada --yes', MEMBERSHIP_CALLERS, memberships],
  ['Authentication 2', 'members remove ivan.invitee@example.com --yes', MEMBERSHIP_CALLERS, memberships],
  ['Authentication 3', 'providers create public/hashicorp/null', PROVIDER_CALLERS, providers],
  ['Authentication 3', 'providers create private/acme/billing', PROVIDER_CALLERS, providers],
  ['Authentication 3', 'providers delete public/hashicorp/aws --yes', PROVIDER_CALLERS, providers],
  ['Authentication 3', 'providers delete private/acme/inventory --yes', PROVIDER_CALLERS, providers],
  ['not shown in the document', 'providers list', MEMBERS],
  ['not shown in the document', 'providers get hashicorp/aws', MEMBERS],
  ['not shown in the document', 'providers versions hashicorp/aws', MEMBERS],
  ['not shown in the document', 'providers versions inventory', MEMBERS],
  ['not shown in the document', 'members list', MEMBERS],
  ['not shown in the document', 'members mine', MEMBERS],
  ['not shown in the document', 'members show ou-ada', MEMBERS],
  ['not shown in the document', 'members show ada.auditor@example.com', MEMBERS],
  ['not shown in the document', 'feature-sets list', MEMBERS],
  ['not shown in the document', 'feature-sets list --eligible', MEMBERS],
  ['outside the document', 'teams list', MEMBERS],
];

/** Nothing, or the row of what failed. */
const NOTHING_DONE = /^(?:failed\t.*\n)?$/;

for (const [rule, argv, codes, effect] of ROWS) {
  test(`${rule} | ${argv}`, async () => {
    let service = await startService();
    const seen: number[] = [];
    for (const as of CALLER_KINDS) {
      const { real } = await createNames(service.sandbox);
      const before = await effect?.(service);
      const { code, stdout } = await service.run(real(argv).split(' '), { as });
      seen.push(code);
      if (code !== 0) expect(stdout).toMatch(NOTHING_DONE);
      const after = await effect?.(service);
      if (code !== 0 || effect === undefined) expect(after).toEqual(before);
      else expect(after).not.toEqual(before);
      if (code === 0 && effect !== undefined) service = await startService();
    }
    expect(seen).toEqual(codes);
  });
}

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
  test.each(['owners-team', 'org-token'] as const)('%s: 5, and nothing is done', async (as) => {
    const service = await startService();
    const { real } = await createNames(service.sandbox);
    const before = service.sandbox.info().organizations[1];
    for (const argv of COMMANDS) {
      const result = await service.run([...real(argv).split(' '), '--org', 'globex'], { as, org: 'acme' });
      expect(result.code, argv).toBe(5);
      expect(result.stdout).toMatch(NOTHING_DONE);
      expect(service.sandbox.info().organizations[1]).toEqual(before);
      expect(service.sandbox.tokenFor('audit-token', 'globex')).toBe('sandbox.audit-token.globex');
    }
  });

  test('whoever is removed may do nothing there any more', async () => {
    const service = await startService();
    const { real } = await createNames(service.sandbox);
    expect((await service.run(['members', 'list'], { as: 'member' })).code).toBe(0);
    expect((await service.run(real('members remove ou-milo --yes').split(' '))).code).toBe(0);
    expect((await service.run(['members', 'list'], { as: 'member' })).code).toBe(5);
    expect((await service.run(['members', 'list', '--org', 'globex'], { as: 'member' })).code).toBe(0);
  });
});
