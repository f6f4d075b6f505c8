import { findCaller } from '../../../api/account.ts';
import { deleteToken, deleteTokenById, findToken, listTeamTokens } from '../../../api/tokens.ts';
import { ask, runBatch, tell } from '../../../cli/batch.ts';
import { type OptionValues, option } from '../../../cli/options.ts';
import type { Session } from '../../../cli/session.ts';
import { OrgctlError } from '../../../lib/errors.ts';
import { createOrgRecord } from '../../../lib/json.ts';
import { formatRelative } from '../../../lib/time.ts';
import { createCallerError, matchCaller } from '../../../tokens/caller.ts';
import { DELETION_COLUMNS } from '../../../tokens/columns.ts';
import { maySeeTokens } from '../../../tokens/read-tokens.ts';
import { findStatesFolder, withRotationStore } from '../../../tokens/rotation-state.ts';
import { describeInOrg, describeToken, nameColumns, type TokenReference } from '../../../tokens/token.ts';
import { ALLOW_ENTERPRISE, type FoundToken, findTokens } from './find.ts';

export const DELETION_OPTIONS = [option('--allow-self', 'delete the token you are using'), ALLOW_ENTERPRISE] as const;

/** `isOne`: the result is an object, not a list. */
export async function deleteTokens(
  session: Session,
  references: TokenReference[],
  { allowSelf = false, allowEnterprise }: OptionValues<typeof DELETION_OPTIONS>,
  isOne = false,
): Promise<void> {
  const { client, runtime } = session;
  const org = session.org();
  const tokens = await findTokens(session, org, references, allowEnterprise);
  const caller = await findCaller(client);
  const isSelf = ({ name, resource }: FoundToken): boolean => matchCaller(caller, name, resource?.id) === 'yes';
  // The token that asks is deleted last, since it could delete nothing afterwards.
  tokens.sort((one, other) => Number(isSelf(one)) - Number(isSelf(other)));
  for (const { name, resource } of tokens) {
    const answer = allowSelf ? 'no' : matchCaller(caller, name, resource?.id);
    if (answer !== 'no') throw createCallerError(name, answer, { code: 'protected', hint: 'Use --allow-self.' });
  }
  const now = runtime.now();
  const line = (token: FoundToken): string => describeInOrg(token.name, formatUse(token, now));
  await ask(session, tokens, line, (what) => `Delete ${what}?`, `tokens of ${org}`);
  await runBatch<FoundToken>(session, tokens, {
    label: 'Deleting',
    failures: [],
    columns: DELETION_COLUMNS,
    things: ['token', 'tokens'],
    concurrency: 1,
    isOne,
    name: ({ name }) => describeToken(name),
    row: ({ name, resource }) => ({
      id: resource?.id ?? null,
      type: 'authentication-tokens',
      ...nameColumns(name),
      organization: createOrgRecord(org),
    }),
    act: async (token) => (await deleteOne(session, token)) && { result: 'deleted' },
    sentence: (token, { result }) => {
      const name = describeToken(token.name);
      return tell(result, { would: `delete ${name}${formatUse(token, now)}`, done: `Deleted ${name}` });
    },
  });
}

/** ` (last used 2 hours ago)`, or nothing if the service doesn't show it. */
function formatUse({ resource }: FoundToken, now: number): string {
  const used = resource?.attributes?.['last-used-at'];
  if (used === null) return ' (never used)';
  return typeof used === 'string' ? ` (last used ${formatRelative(used, now)})` : '';
}

/** Holds the rotation's lock, and deletes the token only if it is the one that was shown. Undefined in a dry run. */
async function deleteOne(session: Session, { org, name, resource, sole }: FoundToken): Promise<true | undefined> {
  const { client, runtime, settings, signals, isDryRun, isSandbox } = session;
  const options = { wait: 0, runtime, signal: signals.signal, isDryRun };
  return withRotationStore(findStatesFolder(runtime, settings, isSandbox), name, options, async () => {
    if (!sole) {
      const { id } = resource ?? { id: '' };
      // Who may see all tokens sees that one is gone.
      const isGone = async (): Promise<boolean> =>
        (await maySeeTokens(client, org)) && !(await listTeamTokens(client, org)).some((token) => token.id === id);
      return deleteTokenById(client, id, isGone);
    }
    if (resource && (await findToken(client, sole))?.id !== resource.id) {
      throw new OrgctlError('busy', `${describeToken(name)} was just replaced, so it was not deleted`, {
        code: 'changed-meanwhile',
        hint: 'Find out what else changes it, and run the command again.',
      });
    }
    return deleteToken(client, sole, resource?.id);
  });
}
