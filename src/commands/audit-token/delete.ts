import { defineVerb } from '../../cli/command.ts';
import { DELETION_COLUMNS } from '../../tokens/columns.ts';
import { DELETION_OPTIONS, deleteTokens } from '../tokens/shared/deletion.ts';

export const verb = defineVerb({
  columns: DELETION_COLUMNS,
  options: DELETION_OPTIONS,
  examples: ['audit-token delete --dry-run', 'audit-token delete --yes'],
  run: (session, options) => deleteTokens(session, [{ kind: 'audit-trail' }], options, true),
});
