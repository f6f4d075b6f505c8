import type { Verb } from '../../cli/command.ts';
import { DELETION_OPTIONS, type DeletionOptions, deleteTokens } from '../../cli/tokens.ts';
import { DELETION_COLUMNS } from '../../tokens/columns.ts';

export const deletion: Verb<DeletionOptions> = {
  summary: 'Delete the audit trail token; what uses it stops working at once',
  aliases: ['rm'],
  columns: DELETION_COLUMNS,
  options: DELETION_OPTIONS,
  examples: ['audit-token delete --dry-run', 'audit-token delete --yes'],
  run: (session, options) => deleteTokens(session, [{ kind: 'audit-trail' }], options, true),
};
