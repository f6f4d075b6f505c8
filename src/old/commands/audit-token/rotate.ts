import { AUDIT_TRAIL } from '../../tokens/which-token.ts';
import { ofSeveral } from '../organizations.ts';
import type { Choice } from '../rotate-each.ts';
import { ROTATE_OPTIONS, readCreateMissing, toRotateInput } from '../rotate-options.ts';
import { AUDIT_ROTATION_COLUMNS } from '../rotation-columns.ts';
import { allowEnterprise } from '../token-options.ts';
import { verb } from '../verb.ts';

export const rotate = verb({
  name: 'audit-token rotate',
  help: 'Replace the token and deliver the new secret safely',
  effect: 'writes',
  keepsUnreached: true,
  options: { ...ROTATE_OPTIONS, ...allowEnterprise('replaces') },
  examples: [
    'orgctl audit-token rotate --expires 90d --to file:./audit-token --if-expires-within 30d',
    "orgctl audit-token rotate --expires 90d --to exec:'vault kv put -mount=secret hcp/audit token=-'",
    "orgctl audit-token rotate --expires 90d --to exec:'gh secret set AUDIT_TOKEN'",
    'orgctl audit-token rotate --all-orgs --expires 90d --to file:./{org}.token --if-expires-within 30d --yes',
  ],
  columns: AUDIT_ROTATION_COLUMNS.one,
  others: ofSeveral(AUDIT_ROTATION_COLUMNS.each),
  printsOne: true,
  async run(context, { createMissing, allowEnterprise: allowed, ...given }) {
    const input = {
      ...toRotateInput(context, given),
      allowEnterprise: allowed,
      createMissing: readCreateMissing(context, createMissing),
    };
    const { rotateEach } = await import('../rotate-each.ts');
    await rotateEach(context, CHOICE, input);
  },
});

const CHOICE: Choice = { find: async () => AUDIT_TRAIL, isOfTeam: false, columns: AUDIT_ROTATION_COLUMNS };
