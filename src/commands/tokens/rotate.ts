import { defineVerb } from '../../cli/command.ts';
import { argument, option } from '../../cli/options.ts';
import { UsageError } from '../../lib/errors.ts';
import { ROTATION_COLUMNS } from '../../tokens/columns.ts';
import { parseBaseDescription, parseTokenReference } from '../../tokens/token.ts';
import { ALLOW_ENTERPRISE, completeTokens, findNamedToken } from './shared/find.ts';
import { ROTATE_OPTIONS, rotateTokens } from './shared/rotation.ts';

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: ROTATION_COLUMNS,
  arguments: [
    argument('<token>', 'audit-trail, organization, team:<team>, or team:<team>/<description>', {
      complete: completeTokens,
    }),
  ],
  options: [
    ...ROTATE_OPTIONS,
    option('--keep-old <duration>', 'how long the old token stays, if it has a description; a later run deletes it'),
    option('--allow-self', 'replace even the token you are using'),
    ALLOW_ENTERPRISE,
  ],
  examples: [
    "tokens rotate team:platform/ci --expires 90d --to exec:'gh secret set TFE_TOKEN'",
    'tokens rotate organization --expires 90d --to file:./organization-token --if-expires-within 30d --yes',
    'tokens rotate team:platform --all-orgs --expires 90d --to file:./{org}.token --create-missing --yes',
  ],
  async run(session, options, text) {
    const reference = parseTokenReference(text);
    // The id may be that of an old token, not of the current one.
    if (reference.kind === 'id') {
      throw new UsageError('rotate takes no ids: name the token by its team and description');
    }
    if (options.keepOld !== undefined && !(reference.kind === 'team' && reference.description !== undefined)) {
      throw new UsageError('--keep-old needs a token that has a description: other tokens are replaced');
    }
    await rotateTokens(session, options, async (org) => {
      const token = await findNamedToken(session, org, reference, options.allowEnterprise);
      return token.kind === 'described' ? { ...token, description: parseBaseDescription(token.description) } : token;
    });
  },
});
