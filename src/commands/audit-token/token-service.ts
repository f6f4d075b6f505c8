import type { Context } from '../../context.ts';
import { OrgctlError, ServiceError } from '../../errors.ts';
import { type CurrentToken, toTokenFacts } from '../../rotation/current-token.ts';
import type { Minting, TokenService } from '../../rotation/types.ts';
import { refuseEnterprise, refuseEvidence } from '../../service/enterprise.ts';
import type { Service } from '../../service/service.ts';
import { warnOfOtherExpiry } from './expiry.ts';

/** How often, and after how many milliseconds, a new token is tried again that the service does not know yet. */
const TRIALS = 3;
const TRIAL_PAUSE = 1_000;

/** The service as a rotation needs it. `ids` are creators that are known to be ours already. */
export function createTokenService(
  context: Context,
  service: Service,
  organization: string,
  options: { readonly allowEnterprise: boolean; readonly ids: readonly string[] },
): TokenService {
  let isAsked = false;
  return {
    async read() {
      return await readPresent(service, organization);
    },
    async findOurIds() {
      const caller = await service.findCaller();
      return caller === undefined ? options.ids : [...options.ids, caller];
    },
    async mint(expiredAt): Promise<Minting> {
      try {
        const made = await service.auditTokens.mint(organization, expiredAt);
        if (made === undefined) throw new Error('a dry run was to make a token');
        context.reporter.hide(made.secret);
        const facts = toTokenFacts(made.document);
        warnOfOtherExpiry(context, expiredAt, facts.expiredAt);
        return { kind: 'made', secret: made.secret, facts };
      } catch (error) {
        if (!(error instanceof OrgctlError) || error.exit !== 'outcome-unknown') throw error;
        return { kind: 'unclear', reason: error };
      }
    },
    async tryOut(secret, isNew) {
      context.reporter.hide(secret);
      const asToken = await context.serviceAs(secret);
      for (let trial = 1; ; trial += 1) {
        const outcome = await tryOnce(asToken);
        if (outcome !== 'refused' || trial === (isNew ? TRIALS : 1)) return outcome;
        await context.host.sleep(TRIAL_PAUSE);
      }
    },
    async refuseOtherMeaning() {
      // Most services say in every answer what they are; the others are asked, once.
      const { appName, enterpriseVersion } = service.identity;
      if (isAsked || (appName ?? enterpriseVersion) !== undefined) {
        return refuseEvidence(service, organization, options.allowEnterprise);
      }
      isAsked = true;
      await refuseEnterprise(service, organization, options.allowEnterprise);
    },
  };
}

async function readPresent(service: Service, organization: string): Promise<CurrentToken> {
  try {
    const document = await service.auditTokens.find(organization);
    if (document !== undefined) return { kind: 'found', facts: toTokenFacts(document) };
    // A 404 is also what a service without this route says. Only one that names its API version is known to have it.
    return service.identity.apiVersion === undefined ? { kind: 'unknown' } : { kind: 'absent' };
  } catch (error) {
    const isRefused =
      error instanceof ServiceError && error.status >= 400 && error.status < 500 && ![401, 429].includes(error.status);
    if (isRefused) return { kind: 'unknown' };
    throw error;
  }
}

async function tryOnce(service: Service): Promise<'accepted' | 'refused' | 'unknown'> {
  try {
    return (await service.auditTrail.hasEvents()) ? 'accepted' : 'unknown';
  } catch (error) {
    return error instanceof ServiceError && error.status === 401 ? 'refused' : 'unknown';
  }
}
