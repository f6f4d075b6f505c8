import type { Verb } from '../../cli/command.ts';
import { argument } from '../../cli/options.ts';
import { DELETION_OPTIONS, type DeletionOptions, deleteTokens } from '../../cli/tokens.ts';
import { DELETION_COLUMNS } from '../../tokens/columns.ts';
import { parseTokenReference } from '../../tokens/token.ts';

export const deletion: Verb<DeletionOptions, [tokens: string[]]> = {
  summary: 'Delete tokens; what uses them stops working at once',
  aliases: ['rm'],
  columns: DELETION_COLUMNS,
  arguments: [
    argument('<tokens...>', 'audit-trail, organization, team:<team>, team:<team>/<description>, or an id (at-…)'),
  ],
  options: DELETION_OPTIONS,
  examples: ['tokens delete team:platform/ci --dry-run', 'tokens delete team:platform/ci --yes'],
  async run(session, options, tokens) {
    await deleteTokens(session, tokens.map(parseTokenReference), options);
  },
};
