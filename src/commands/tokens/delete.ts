import { defineVerb } from '../../cli/command.ts';
import { argument } from '../../cli/options.ts';
import { DELETION_COLUMNS } from '../../tokens/columns.ts';
import { parseTokenReference } from '../../tokens/token.ts';
import { DELETION_OPTIONS, deleteTokens } from './shared/deletion.ts';
import { completeTokens } from './shared/find.ts';

export const verb = defineVerb({
  columns: DELETION_COLUMNS,
  arguments: [
    argument('<tokens...>', 'audit-trail, organization, team:<team>, team:<team>/<description>, or an id (at-…)', {
      complete: completeTokens,
    }),
  ],
  options: DELETION_OPTIONS,
  examples: ['tokens delete team:platform/ci --dry-run', 'tokens delete team:platform/ci --yes'],
  async run(session, options, tokens) {
    await deleteTokens(session, tokens.map(parseTokenReference), options);
  },
});
