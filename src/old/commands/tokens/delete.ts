import type { Context } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import type { Asked } from '../../input/confirmations.ts';
import type { TokenReference } from '../../input/token-reference.ts';
import { getMember, toText } from '../../json-object.ts';
import { toOrganization } from '../../resources/organization.ts';
import { toTeamIdentity } from '../../resources/team.ts';
import { refuseEnterprise, refuseEvidence } from '../../service/enterprise.ts';
import type { Service } from '../../service/service.ts';
import { countThings } from '../../text/count.ts';
import { toSentence } from '../../text/sentence.ts';
import { toRelativeTime } from '../../text/time.ts';
import { findToken, judgeAsker, nameToken, readAsker, type TokenName, toReplaced } from '../../tokens/find-token.ts';
import { openDeletion } from '../../tokens/open-deletion.ts';
import type { Resource } from '../../wire/json-api.ts';
import { AUTHENTICATION_TOKENS, type Token } from '../../wire/resources.ts';
import { doJob, type JobResult } from '../bulk.ts';
import { flag } from '../param.ts';
import { openDirectories } from '../people.ts';
import type { ResultOf } from '../row-error.ts';
import { allowEnterprise, tokenReference } from '../token-options.ts';
import { verb } from '../verb.ts';
import { TOKEN_DELETION_COLUMNS, type TokenDeletionRow } from './columns.ts';

export const deletion = verb({
  name: 'tokens delete',
  aliases: ['rm'],
  help: 'Delete tokens; everything that uses them stops working',
  effect: 'writes',
  args: { tokens: tokenReference('<token...>') },
  options: {
    allowSelf: flag('--allow-self', 'Delete even the token that this command uses'),
    ...allowEnterprise('deletes'),
  },
  examples: ['orgctl tokens delete team:platform/ci --dry-run', 'orgctl tokens delete team:platform/ci --yes'],
  columns: TOKEN_DELETION_COLUMNS,
  async run(context, { tokens, allowSelf, allowEnterprise: allowed }) {
    const { identity, screen, services, places } = context;
    const organization = identity.organization();
    const service = await services.current();
    const isOfTrail = tokens.some(({ kind }) => kind === 'audit-trail');
    if (isOfTrail) await refuseEnterprise(service, organization, allowed);
    const items = await findAll(context, service, tokens);
    if (isOfTrail) refuseEvidence(service, organization, allowed);
    const reading = readAsker(service);
    // Whether one of them asks has to be known, unless that is no reason.
    const account = await (allowSelf ? reading.catch(() => undefined) : reading);
    if (!allowSelf) refuseSelf(account, organization, items);
    await screen.confirm('delete tokens', toQuestion(organization, items, account, places.host.now()));
    if (!services.dryRun) for (const item of items) await item.check();
    await doJob(context, {
      items,
      columns: TOKEN_DELETION_COLUMNS,
      things: countThings(items.length, 'token', 'tokens'),
      name: (item) => nameToken(organization, item),
      async act(item) {
        const isDone = await item.delete(`delete ${nameToken(organization, item)}`);
        return isDone ? toRow(organization, item, { changed: true, result: 'deleted' }) : undefined;
      },
      toRow: (item, undone) => toRow(organization, item, undone),
    });
  },
});

/** Without a token the service shows none, and whether there is one says only its deletion. */
interface Item extends TokenName {
  readonly token: Token | undefined;
  /** Reads it again. Throws where another one is there by now, or none. */
  check(): Promise<void>;
  /** False in a dry run. */
  delete(effect: string): Promise<boolean>;
}

/** Each once. Throws where one can't be found: nothing is deleted then. */
async function findAll(
  context: Context,
  service: Service,
  references: readonly TokenReference[],
): Promise<readonly Item[]> {
  const directory = (await openDirectories(context)).of(context.identity.organization());
  const items: Item[] = [];
  for (const reference of references) {
    if (reference.kind === 'audit-trail') {
      const { present, ...acts } = await openDeletion(context, service);
      items.push({ kind: 'audit-trail', description: null, token: present?.data, ...acts });
    } else {
      const found = await findToken(directory, reference);
      const { target, token } = found;
      items.push({
        ...found,
        async check() {
          // By its id no other one is met.
          const isSame = target.kind === 'id' || (await service.tokens.show(target)).data.id === token.id;
          if (!isSame) throw toReplaced(directory.organization, found);
        },
        delete: (effect) => service.tokens.delete(target, token.id, effect),
      });
    }
  }
  return items.filter(
    ({ token, kind }, at) => items.findIndex((one) => one.kind === kind && one.token?.id === token?.id) === at,
  );
}

function refuseSelf(account: Resource | undefined, organization: string, items: readonly Item[]): void {
  const self = items.find((item) => judgeAsker(account, item) !== 'no');
  if (self === undefined) return;
  const isKnown = judgeAsker(account, self) === 'yes';
  throw new UsageError(`${nameToken(organization, self)} ${isKnown ? 'is' : 'may be'} the token that asks`, {
    reasons: isKnown ? [] : ["The service doesn't say which token asks."],
    hint: 'Nothing was deleted. Add --allow-self.',
  });
}

/** `account`: of who asks, whose name alone is known. */
function toQuestion(
  organization: string,
  items: readonly Item[],
  account: Resource | undefined,
  now: number,
): Asked<'delete tokens'> {
  const describe = (item: Item): string => {
    const facts = listFacts(item.token, account, now);
    return `${nameToken(organization, item)}${facts === '' ? '' : ` (${facts})`}`;
  };
  const [only, ...others] = items;
  const isOne = only !== undefined && others.length === 0;
  const about = isOne ? [listFacts(only.token, account, now)].filter(Boolean).map(toSentence) : items.map(describe);
  return {
    tokens: isOne ? nameToken(organization, only) : `these ${items.length} tokens of ${organization}`,
    consequences: [...about, `Everything that uses ${isOne ? 'it' : 'them'} stops working at once.`],
  };
}

/** `last used 2 hours ago, created by olive-owner` */
function listFacts(token: Token | undefined, account: Resource | undefined, now: number): string {
  const { 'last-used-at': used } = token?.attributes ?? {};
  const creator = toText(getMember(token?.relationships, 'created-by', 'data', 'id'));
  const name = creator === account?.id ? toText(account?.attributes?.['username']) : undefined;
  return [
    typeof used === 'string' ? `last used ${toRelativeTime(used, now)}` : used === null ? 'never used' : '',
    creator === undefined ? '' : `created by ${name ?? creator}`,
  ]
    .filter((fact) => fact !== '')
    .join(', ');
}

function toRow(organization: string, item: Item, result: ResultOf<TokenDeletionRow>): JobResult<TokenDeletionRow> {
  const { kind, team, description, token } = item;
  return {
    resource: { type: AUTHENTICATION_TOKENS, id: token?.id ?? null },
    extra: {
      kind,
      description,
      organization: toOrganization(organization),
      ...(team === undefined ? {} : { team: toTeamIdentity(team) }),
      ...result,
    },
  };
}
