import type { Context } from '../context/context.ts';
import { OrgctlError, ServiceError } from '../errors.ts';
import { type Metadata, toCurrentToken, toTokenFacts, type Unseen } from '../rotation/current-token.ts';
import type { CreateAnswer, TokenService } from '../rotation/types.ts';
import { refuseEnterprise, refuseEvidence } from '../service/enterprise.ts';
import type { Service } from '../service/service.ts';
import type { Replaced } from './describe.ts';
import { warnOfOtherExpiry } from './expiry.ts';
import { type AskedExpiry, checkTokenPolicy, refuseBeyondSetting } from './expiry-limits.ts';
import type { TokenState } from './token-state.ts';

/** How often, and after how many milliseconds, a new token is tried again that the service does not know yet. */
const TRIALS = 3;
const TRIAL_PAUSE = 1_000;

/** The service as a rotation needs it. */
export function createTokenService(
  context: Context,
  service: Service,
  state: TokenState,
  { allowEnterprise, ...asked }: Omit<AskedExpiry, 'expiredAt'> & { readonly allowEnterprise: boolean },
): TokenService & { readonly shown: () => Replaced; readonly unseen: () => Unseen | undefined } {
  const { screen, services, places } = context;
  const organization = context.identity.organization();
  const metadata = state.createReader(service);
  const before = state.journal.read().last?.createdBy;
  let isAsked = false;
  let isUndecided = false;
  let seen: Metadata | undefined;
  return {
    async read() {
      seen = await metadata.read();
      return toCurrentToken(seen);
    },
    /** What was read last. */
    shown: () => (seen?.kind === 'found' ? seen.document : seen?.kind === 'absent' ? 'nothing' : undefined),
    /** Why none was read. */
    unseen: () => (seen === undefined || seen.kind === 'found' ? undefined : seen),
    isShown: metadata.isShown,
    findOurIds: async () => [before, await service.findCaller()].filter((id) => id !== undefined),
    async checkExpiry(expiredAt) {
      const expiry = { ...asked, expiredAt };
      refuseBeyondSetting(context, expiry);
      const outcome = await checkTokenPolicy(context, service, expiry);
      isUndecided = outcome === 'undecided';
      return outcome;
    },
    async create(expiredAt): Promise<CreateAnswer> {
      try {
        const made = await service.auditTokens.generate(organization, expiredAt);
        if (made === undefined) throw new Error('a dry run creates no token');
        metadata.expectToken();
        screen.secrets.hide(made.secret);
        const facts = toTokenFacts(made.document);
        if (!isUndecided) warnOfOtherExpiry(context, expiredAt, facts.expiredAt);
        return { kind: 'created', secret: made.secret, facts, noteAnswer: made.noteAnswer };
      } catch (error) {
        if (!(error instanceof OrgctlError) || error.exit !== 'outcome-unknown') throw error;
        return { kind: 'unclear', reason: error };
      }
    },
    async tryOut(secret, isNew) {
      screen.secrets.hide(secret);
      const asToken = await services.as(secret);
      for (let trial = 1; ; trial += 1) {
        const outcome = await asToken.auditTrail.hasEvents().then(
          (hasEvents) => (hasEvents ? 'accepted' : 'unknown'),
          (error: unknown) => (error instanceof ServiceError && error.status === 401 ? 'refused' : 'unknown'),
        );
        if (outcome !== 'refused' || trial === (isNew ? TRIALS : 1)) return outcome;
        await places.host.sleep(TRIAL_PAUSE);
      }
    },
    async refuseOtherMeaning() {
      // Most services say in every answer what they are; the others are asked, once.
      const { appName, enterpriseVersion } = service.identity;
      if (isAsked || (appName ?? enterpriseVersion) !== undefined) {
        return refuseEvidence(service, organization, allowEnterprise);
      }
      isAsked = true;
      await refuseEnterprise(service, organization, allowEnterprise);
    },
  };
}
