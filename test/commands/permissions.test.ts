import { expect, test } from 'vitest';
import { CALLER_KINDS } from '../../src/sandbox/callers.ts';
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

/**
 * The command, its exit codes by caller, in the order of CALLER_KINDS, and something that nothing but a success of the
 * command changes, as an owner sees it. 5 stands for the service's 404, 4 for its 401. Who may do what is the service's
 * to say, and tested there.
 */
type Row = [argv: string, codes: number[], effect?: Effect];

const ROWS: Row[] = [
  // owner, owners-team, org-token, member, team-manager, registry-manager, audit-token, none
  ['audit-token generate --yes', [0, 0, 0, 5, 5, 5, 5, 4], token],
  // A kind that can't be seen is a row.
  ['tokens list', [0, 0, 0, 0, 0, 0, 5, 4]],
  // Whoever sees no teams can't name one.
  ['tokens delete team:platform/ci --yes', [0, 0, 0, 5, 5, 5, 2, 4], teamTokens],
  // Whoever may not see the teams cannot use their names, which is found out before anything is sent.
  ['members invite new@example.com --team platform', [0, 0, 0, 5, 0, 5, 5, 4], memberships],
  ['members remove ou-ada --yes', [0, 0, 0, 5, 0, 5, 5, 4], memberships],
  ['providers delete private/acme/inventory --yes', [0, 0, 5, 5, 5, 0, 5, 4], providers],
  ['members list', [0, 0, 0, 0, 0, 0, 5, 4]],
];

/** Nothing, or the row of what failed. */
const NOTHING_DONE = /^(?:failed\t.*\n)?$/;

for (const [argv, codes, effect] of ROWS) {
  test(argv, async () => {
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
