import type { Caller } from '../api/account.ts';
import type { TeamReference } from '../api/teams.ts';
import {
  deleteToken,
  deleteTokenById,
  findToken,
  hasAuditTokens,
  listTeamTokens,
  type SoleToken,
} from '../api/tokens.ts';
import { findStateFolder } from '../config/folders.ts';
import { OrgctlError, UsageError } from '../lib/errors.ts';
import { formatRelative } from '../lib/time.ts';
import { readTeamFinder } from '../members/teams.ts';
import { formatOrg } from '../output/columns.ts';
import { findCaller, findCreator, isCaller } from '../tokens/caller.ts';
import { DELETION_COLUMNS } from '../tokens/columns.ts';
import { type FoundToken, findTokens } from '../tokens/find-tokens.ts';
import { maySeeTokens } from '../tokens/read-tokens.ts';
import { type StateLocation, withRotationStore } from '../tokens/rotation-state.ts';
import { describeToken, isDescribed, nameToken, type TokenReference } from '../tokens/token.ts';
import { runBatch } from './batch.ts';
import { type OptionValues, option } from './options.ts';
import type { Session } from './session.ts';

export const ALLOW_ENTERPRISE = option(
  '--allow-enterprise',
  "act on the organization's own token if the service has no audit trail tokens",
);

export function findStateLocation({ runtime, settings, isSandbox }: Session): StateLocation {
  const service = isSandbox ? 'sandbox' : new URL(settings['base-url'].value).host;
  return { stateFolder: findStateFolder(runtime), service };
}

/** Throws UsageError for an unknown team. */
export async function findTeam({ client }: Session, org: string, text: string): Promise<TeamReference> {
  return (await readTeamFinder(client, org))(text);
}

/** Throws UsageError if requests would act on the organization's own token, unless `allowEnterprise` is set. */
export async function findAuditToken({ client }: Session, org: string, allowEnterprise = false): Promise<SoleToken> {
  if (await hasAuditTokens(client, org)) return { kind: 'audit-trail', org };
  if (allowEnterprise) return { kind: 'organization', org };
  throw new UsageError(`this service has no audit trail tokens: ${org}'s organization token would be affected`, {
    code: 'enterprise',
    hint: 'If that is what you want, add --allow-enterprise.',
  });
}

export const DELETION_OPTIONS = [option('--allow-self', 'delete the token you are using'), ALLOW_ENTERPRISE] as const;

/** `isOne`: the result is an object, not a list. */
export async function deleteTokens(
  session: Session,
  references: TokenReference[],
  { allowSelf = false, allowEnterprise }: OptionValues<typeof DELETION_OPTIONS>,
  isOne = false,
): Promise<void> {
  const { client, confirm, runtime } = session;
  const org = session.org();
  const isAboutAudit = references.some(({ kind }) => kind === 'audit-trail');
  const { kind } = isAboutAudit ? await findAuditToken(session, org, allowEnterprise) : { kind: undefined };
  const asked = references.map((one) => (one.kind === 'audit-trail' && kind === 'organization' ? { kind } : one));
  const tokens = await findTokens(client, org, asked, (name, team) => findTeam(session, name, team));
  const caller = await findCaller(client);
  if (!allowSelf) for (const token of tokens) assertNotCaller(caller, token);
  const describe = (token: FoundToken): string => describeFound(token, caller, runtime.now());
  const [first] = tokens;
  const place = first && isDescribed(first.name) ? ` in ${org}` : '';
  if (tokens.length === 1 && first) await confirm(`Delete ${describe(first)}${place}?`);
  else await confirm(`Delete ${tokens.length} tokens of ${org}?`, tokens.map(describe));
  await runBatch<FoundToken>(session, tokens, {
    label: 'Deleting',
    columns: DELETION_COLUMNS,
    things: ['token', 'tokens'],
    concurrency: 1,
    isOne,
    name: ({ name }) => describeToken(name),
    row: createRow,
    act: async (token) => (await deleteOne(session, token)) && { result: 'deleted' },
    sentence: (token, { result }) =>
      result === 'planned'
        ? { sign: 'Would', text: `delete ${describe(token)}` }
        : { sign: '✓', text: `Deleted ${describeToken(token.name)}` },
  });
}

/** Throws UsageError. */
function assertNotCaller(caller: Caller, { name, resource }: FoundToken): void {
  const answer = isCaller(caller, name, resource?.id);
  if (answer === 'no') return;
  const is =
    answer === 'yes' ? 'is the token you are using' : "may be the token you are using: the service doesn't say";
  throw new UsageError(`${describeToken(name)} ${is}`, { code: 'protected', hint: 'Use --allow-self.' });
}

/** `acme's audit trail token (last used 2 hours ago, created by olive-owner)` */
function describeFound({ name, resource }: FoundToken, caller: Caller, now: number): string {
  const used = resource?.attributes?.['last-used-at'];
  const creator = resource && findCreator(resource, caller);
  const facts = [
    used === null && 'never used',
    typeof used === 'string' && `last used ${formatRelative(used, now)}`,
    creator && `created by ${creator.username ?? creator.id}`,
  ].filter(Boolean);
  return `${describeToken(name)}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`;
}

function createRow({ org, name, resource }: FoundToken) {
  const team = 'team' in name ? name.team : undefined;
  return {
    id: resource?.id ?? null,
    type: 'authentication-tokens',
    token: nameToken(name),
    kind: isDescribed(name) ? 'team' : name.kind,
    ...(team && { team: { id: team.id, type: 'teams', name: team.name } }),
    description: isDescribed(name) ? name.description : null,
    organization: formatOrg(org),
  };
}

/** Holds the rotation's lock, and deletes the token only if it is the one that was shown. Undefined in a dry run. */
async function deleteOne(session: Session, { org, name, resource, sole }: FoundToken): Promise<true | undefined> {
  const { client, runtime, signals, isDryRun } = session;
  const options = { wait: 0, runtime, signal: signals.signal, isDryRun };
  return withRotationStore(findStateLocation(session), name, options, async () => {
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
