import type { Context } from '../context/context.ts';
import { OrgctlError, ServiceError, UsageError } from '../errors.ts';
import { onceEach } from '../once.ts';
import {
  type CurrentToken,
  type Metadata,
  toCurrentToken,
  toTokenFacts,
  type Unseen,
} from '../rotation/current-token.ts';
import { isClaimed, isValid, type JournalState, type RetiringToken } from '../rotation/journal.ts';
import { toName } from '../rotation/names.ts';
import type { CreateAnswer, Proof, TokenService } from '../rotation/types.ts';
import { toFingerprint } from '../secrets/fingerprint.ts';
import { isKnown, refuseEnterprise, refuseEvidence, warnOfOrganizationToken } from '../service/enterprise.ts';
import type { Service } from '../service/service.ts';
import { createPolicyReader } from '../service/token-policy.ts';
import { createBeside } from './beside.ts';
import type { Replaced } from './describe.ts';
import { warnOfOtherExpiry } from './expiry.ts';
import { type AskedExpiry, checkTokenPolicy, refuseBeyondSetting } from './expiry-limits.ts';
import { type Asks, judgeAsker, readAsker } from './find-token.ts';
import type { TokenState } from './token-state.ts';
import { toNoun, toPolicyType, toTokenName, toTokenPlace, type WhichToken } from './which-token.ts';

/** How often, and after how many milliseconds, a new token is tried again that the service does not know yet. */
const TRIALS = 3;
const TRIAL_PAUSE = 1_000;

interface Asked extends Omit<AskedExpiry, 'expiredAt'> {
  readonly allowEnterprise: boolean;
  readonly allowSelf: boolean;
}

type Trial = Awaited<ReturnType<TokenService['tryOut']>>;

export interface RotatedToken extends TokenService {
  /** What was read last. */
  shown(): Replaced;
  /** Why none was read. */
  unseen(): Unseen | undefined;
  /** Whether the one of this id asks; without an id, that one which the new one has ended. */
  asks(id?: string): Asks;
  /** Says of a new token, by its id, what else it is than was asked for. */
  sayOtherMeaning(id: string | undefined): Promise<void>;
  /** In a dry run: what the creation would send. `effect` completes the sentence "Would …". */
  plan(expiredAt: string | null | undefined, effect: string): Promise<void>;
  /** The same of the deletion of an old one, as far as it would be sent. `isAfter`: once there is a new one. */
  planDeletion(old: RetiringToken, effect: string, isAfter: boolean): Promise<void>;
}

/** The service as a rotation of this token needs it. */
export async function createTokenService(
  context: Context,
  service: Service,
  state: TokenState,
  which: WhichToken,
  { allowEnterprise, allowSelf, ...asked }: Asked,
): Promise<RotatedToken> {
  const { screen, services, places } = context;
  const organization = context.identity.organization();
  const place = toTokenPlace(which, organization);
  const before = state.journal.read().last?.createdBy;
  const policies = createPolicyReader(service, organization, toPolicyType(which));
  // What the plan found, the rotation finds again.
  const limited = { ...context, screen: { ...screen, warn: onceEach(screen.warn) } };
  let isAsked = false;
  let isUndecided = false;
  let current: CurrentToken | undefined;
  let replacedAsks: Asks = 'no';
  let account: Awaited<ReturnType<Service['showCaller']>> | 'unread' | undefined = 'unread';

  const asks = (id: string): Asks =>
    account === 'unread' ? 'no' : judgeAsker(account, { ...toTokenName(which), token: { id } });
  const isSelf = (id: string): boolean => ['yes', 'maybe'].includes(asks(id));
  refuseUnfinished(which, state.journal.read());
  const described = which.kind === 'team' && which.description !== undefined ? which : undefined;
  const beside =
    described?.description === undefined
      ? undefined
      : createBeside(
          context,
          service,
          state.journal,
          { ...described, description: described.description },
          { isSelf, ownFingerprint: allowSelf ? await findOwnFingerprint(context) : undefined },
        );
  const only = beside === undefined ? openOnly(service, state) : undefined;
  const proof = which.kind === 'audit-trail' ? undefined : ACCOUNT;

  return {
    ...(beside === undefined ? {} : { beside }),
    ...(proof === undefined ? {} : { proof }),
    async read() {
      if (which.kind !== 'audit-trail' && account === 'unread') account = await readAsker(service);
      current = only === undefined ? await beside?.read() : await only.read();
      return current ?? { kind: 'unknown' };
    },
    shown() {
      if (only !== undefined) return only.shown();
      if (current?.kind !== 'found') return 'nothing';
      const { id, createdAt, description } = current.facts;
      return { data: { id, type: '', attributes: { 'created-at': createdAt, description } } };
    },
    unseen: () => only?.unseen(),
    asks: (id) => (id === undefined ? replacedAsks : asks(id)),
    async plan(expiredAt, effect) {
      const order = { expiredAt, effect };
      await (described === undefined || beside === undefined
        ? service.tokens.replace(place, order)
        : service.tokens.add(described.team, beside.describe(), order));
    },
    async planDeletion(old, effect, isAfter) {
      const { id } = old;
      const shown = await beside?.look(id);
      const { last } = state.journal.read();
      const isAlone = !isAfter && !isValid(last && (await beside?.look(last.id, true)), places.host.now());
      const stays = shown === undefined || isAlone || isClaimed(old, shown) || (isSelf(id) && !allowSelf);
      if (!stays) await service.tokens.delete({ kind: 'id', id }, id, effect);
    },
    isShown: () => only?.isShown(),
    findOurIds: async () => [before, await service.findCaller()].filter((id) => id !== undefined),
    async checkExpiry(expiredAt) {
      const expiry = { ...asked, expiredAt };
      refuseBeyondSetting(context, expiry);
      const outcome = await checkTokenPolicy(limited, service, expiry, policies);
      isUndecided = outcome === 'undecided';
      return outcome;
    },
    async create(expiredAt, description): Promise<CreateAnswer> {
      try {
        const made =
          described === undefined
            ? await service.tokens.replace(place, { expiredAt })
            : await service.tokens.add(described.team, description ?? '', { expiredAt });
        if (made === undefined) throw new Error('a dry run creates no token');
        only?.expectToken();
        if (only !== undefined && current?.kind !== 'absent') {
          replacedAsks = asks(current?.kind === 'found' ? current.facts.id : '');
        }
        screen.secrets.hide(made.secret);
        const facts = toTokenFacts(made.document);
        if (!isUndecided) warnOfOtherExpiry(context, expiredAt, facts.expiredAt);
        return { kind: 'created', secret: made.secret, facts, noteAnswer: made.noteAnswer };
      } catch (error) {
        const isUnclear = error instanceof OrgctlError && error.exit === 'outcome-unknown';
        if (!isUnclear && !(description !== undefined && isTaken(error))) throw error;
        return { kind: 'unclear', reason: error };
      }
    },
    async tryOut(secret, isNew, id) {
      screen.secrets.hide(secret);
      const asToken = await services.as(secret);
      const ask = which.kind === 'audit-trail' ? askTrail : askAccount;
      for (let trial = 1; ; trial += 1) {
        const outcome = await ask(asToken, id).catch(
          (error: unknown): Trial => (error instanceof ServiceError && error.status === 401 ? 'refused' : 'unknown'),
        );
        if (outcome !== 'refused' || trial === (isNew ? TRIALS : 1)) return outcome;
        await places.host.sleep(TRIAL_PAUSE);
      }
    },
    async sayOtherMeaning(id) {
      if (which.kind === 'audit-trail') await warnOfOrganizationToken(service, organization, id, screen.warn);
    },
    async refuseOtherMeaning() {
      if (which.kind === 'audit-trail') return await refuseOrganizationToken();
      const asked = asks(current?.kind === 'found' ? current.facts.id : '');
      if (asked === 'no' || (asked !== 'unknown' && current?.kind !== 'found')) return;
      const name = toName({ organization, noun: toNoun(which) });
      if (asked === 'unknown') {
        if (allowSelf) return;
        throw new UsageError(`${name} may be the token that asks`, {
          reasons: ["The service doesn't say which token asks."],
          hint: 'If another token asks, add --allow-self.',
        });
      }
      if (beside === undefined) {
        throw new UsageError(`${name} is the token that asks: the new one would end it before anything is delivered`, {
          hint: 'Ask with the token of an owner.',
        });
      }
      if (allowSelf) return;
      throw new UsageError(`${name} ${asked === 'yes' ? 'is' : 'may be'} the token that asks`, {
        hint: 'Ask with another token. Or add --allow-self: then the next command must take its token from the new place.',
      });
    },
  };

  async function refuseOrganizationToken(): Promise<void> {
    // Most services say in every answer what they are; the others are asked, once.
    if (isAsked || isKnown(service)) {
      return refuseEvidence(service, organization, allowEnterprise);
    }
    isAsked = true;
    await refuseEnterprise(service, organization, allowEnterprise);
  }
}

/** What an unfinished rotation left would go to the places of this one, and end with the deletion of another token. */
function refuseUnfinished(which: WhichToken, { open, last, retiring = [] }: JournalState): void {
  const id = which.kind === 'team' ? which.id : undefined;
  const before = open?.before?.id;
  if (id === undefined || before === undefined || open?.phase === 'preflight') return;
  if ([before, open?.minted?.id, last?.id, ...retiring.map((each) => each.id)].includes(id)) return;
  throw new UsageError(`a rotation of ${before} is unfinished, and ${id} has the same description`, {
    hint: `Finish it first: run the rotation of ${before} again.`,
  });
}

const ACCOUNT: Proof = {
  check: 'account',
  accepted: 'the service accepts the new token',
  unknown: "the service doesn't say which token the new secret is of",
};

/** The one token in its place, and the answer about it. */
function openOnly(service: Service, state: TokenState) {
  const metadata = state.createReader(service);
  let seen: Metadata | undefined;
  return {
    async read() {
      seen = await metadata.read();
      return toCurrentToken(seen);
    },
    shown: (): Replaced => (seen?.kind === 'found' ? seen.document : seen?.kind === 'absent' ? 'nothing' : undefined),
    unseen: (): Unseen | undefined => (seen === undefined || seen.kind === 'found' ? undefined : seen),
    isShown: metadata.isShown,
    expectToken: metadata.expectToken,
  };
}

async function askTrail({ auditTrail }: Service): Promise<Trial> {
  return (await auditTrail.hasEvents()) ? 'accepted' : 'unknown';
}

/** A secret works where the account that it gives names the token that it is to be of. */
async function askAccount(asToken: Service, id: string | undefined): Promise<Trial> {
  const { id: own } = await asToken.identifyToken();
  if (own === undefined || id === undefined) return 'unknown';
  return own === id ? 'accepted' : 'refused';
}

async function findOwnFingerprint({ identity }: Context): Promise<string | undefined> {
  return identity.isSandbox ? undefined : toFingerprint(await identity.readToken());
}

/** No one else gives such a description: where it is taken, it is by a request of ours that something sent twice. */
function isTaken(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.status === 422 && /already been taken/i.test(error.message);
}
