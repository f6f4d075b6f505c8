import type { Context } from '../../context/context.ts';
import { reword, ServiceError, UsageError } from '../../errors.ts';
import { toFingerprint } from '../../secrets/fingerprint.ts';
import { findWhich, readJournals } from '../../tokens/find-which.ts';
import { duration } from '../options.ts';
import { ofSeveral } from '../organizations.ts';
import { flag } from '../param.ts';
import { openDirectories } from '../people.ts';
import { ROTATE_OPTIONS, readCreateMissing, toRotateInput } from '../rotate-options.ts';
import { TOKEN_ROTATION_COLUMNS } from '../rotation-columns.ts';
import { allowEnterprise, tokenReference } from '../token-options.ts';
import { verb } from '../verb.ts';

export const rotate = verb({
  name: 'tokens rotate',
  help: 'Replace a token and deliver the new secret safely',
  effect: 'writes',
  keepsUnreached: true,
  args: { token: tokenReference('<token>') },
  options: {
    ...ROTATE_OPTIONS,
    createMissing: flag(
      '--create-missing',
      'Create the token where there is none: one with a description, or in several organizations',
    ),
    keepOld: duration(
      '--keep-old <duration>',
      'With a description: keep the old token this long; a later run deletes it',
      'ahead',
    ),
    retireUnverified: flag(
      '--retire-unverified',
      'With a description: delete the old token even if nothing shows that the new one works',
    ),
    allowSelf: flag(
      '--allow-self',
      'Replace even the token that this command uses (one with a description), or one that may be it',
    ),
    ...allowEnterprise('replaces'),
  },
  examples: [
    "orgctl tokens rotate team:platform/ci --expires 90d --to exec:'gh secret set TFE_TOKEN'",
    'orgctl tokens rotate organization --expires 90d --to file:./organization-token --if-expires-within 30d',
    'orgctl tokens rotate team:platform --all-orgs --expires 90d --to file:./{org}-{team}.token --yes',
  ],
  columns: TOKEN_ROTATION_COLUMNS.one,
  others: ofSeveral(TOKEN_ROTATION_COLUMNS.each),
  printsOne: true,
  async run(
    context,
    { token, createMissing, keepOld, retireUnverified, allowSelf, allowEnterprise: allowed, ...given },
  ) {
    const isDescribed = token.kind === 'id' || (token.kind === 'team' && token.description !== null);
    refuseIdle('the audit-trail token', {
      '--allow-enterprise': allowed && token.kind !== 'audit-trail',
    });
    refuseIdle('a token with a description', {
      '--keep-old': keepOld !== undefined && !isDescribed,
      '--retire-unverified': retireUnverified && !isDescribed,
    });
    refuseIdle('tokens of the organization and its teams', {
      '--allow-self': allowSelf && token.kind === 'audit-trail',
    });
    const input = {
      ...toRotateInput(context, given),
      ...{ keepOld, retireUnverified, allowSelf, allowEnterprise: allowed },
      createMissing: readCreateMissing(context, createMissing, isDescribed),
    };
    const { rotateEach } = await import('../rotate-each.ts');
    const isOfTeam = token.kind === 'team' || token.kind === 'id';
    const find = async (one: Context) =>
      findWhich(one, (await openDirectories(context)).of(one.identity.organization()), token);
    try {
      await rotateEach(context, { find, isOfTeam, columns: TOKEN_ROTATION_COLUMNS }, input);
    } catch (error) {
      throw await withNewPlace(context, error);
    }
  },
});

/** Throws UsageError for the first of these that was given, and would do nothing. */
function refuseIdle(only: string, given: Readonly<Record<string, boolean>>): void {
  const [name] = Object.keys(given).filter((each) => given[each] === true);
  if (name === undefined) return;
  throw new UsageError(`${name} works only with ${only}`, { hint: 'Leave it out.' });
}

/** The token that asked was deleted by an earlier run: it says where the next one is. */
async function withNewPlace(context: Context, error: unknown): Promise<unknown> {
  const { identity, organizations } = context;
  if (!(error instanceof ServiceError) || error.status !== 401 || identity.isSandbox || !organizations.isOne)
    return error;
  const own = toFingerprint(await identity.readToken());
  const { last } = readJournals(context).find(({ self }) => self === own) ?? {};
  if (last === undefined || last.sinks.length === 0) return error;
  return reword(error, {
    reasons: [
      ...error.meanings,
      `A rotation deleted this token. The new one was delivered to ${last.sinks.join(', ')}.`,
    ],
  });
}
