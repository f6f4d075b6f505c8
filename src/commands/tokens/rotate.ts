import type { Token } from '../../api/tokens.ts';
import { defineVerb } from '../../cli/command.ts';
import { argument, option } from '../../cli/options.ts';
import type { Session } from '../../cli/session.ts';
import { UsageError } from '../../lib/errors.ts';
import { ROTATION_COLUMNS } from '../../tokens/columns.ts';
import { findNamedToken, parseBaseDescription, parseTokenReference } from '../../tokens/token.ts';
import { ALLOW_ENTERPRISE, completeTokens, findAuditToken, findTeam } from './shared/find.ts';
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
  run: (session, options, text) =>
    rotateTokens(session, options, async (org) => {
      const token = await findNamed(session, org, text);
      if (options.keepOld !== undefined && token.kind !== 'described') {
        throw new UsageError('--keep-old goes with a token that has a description: other tokens are replaced');
      }
      return token.kind === 'audit-trail' ? findAuditToken(session, org, options.allowEnterprise) : token;
    }),
});

async function findNamed(session: Session, org: string, text: string): Promise<Token> {
  const reference = parseTokenReference(text);
  // The id may be that of an old token, not of the current one.
  if (reference.kind === 'id') throw new UsageError('rotate takes no ids: name the token by its team and description');
  const token = await findNamedToken(org, reference, (name, team) => findTeam(session, name, team));
  return token.kind === 'described' ? { ...token, description: parseBaseDescription(token.description) } : token;
}
