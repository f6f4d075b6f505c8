import { defineVerb } from '../../cli/command.ts';
import { ROTATION_COLUMNS } from '../../tokens/columns.ts';
import { ALLOW_ENTERPRISE, findAuditToken } from '../tokens/shared/find.ts';
import { ROTATE_OPTIONS, rotateTokens } from '../tokens/shared/rotation.ts';

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: ROTATION_COLUMNS,
  options: [...ROTATE_OPTIONS, ALLOW_ENTERPRISE],
  examples: [
    'audit-token rotate --expires 90d --to file:./audit-token',
    "audit-token rotate --expires 90d --to exec:'vault kv put secret/audit token=-' --if-expires-within 30d --yes",
  ],
  run: (session, options) =>
    rotateTokens(session, options, (org) => findAuditToken(session, org, options.allowEnterprise)),
});
