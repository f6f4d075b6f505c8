import { ConnectionError, orUndefined, ServiceError } from '../errors.ts';
import { getMember } from '../json-object.ts';
import type { ResourceDocument } from '../wire/json-api.ts';
import { type Client, readObject } from './client.ts';
import type { createTokens, TokenPlace } from './tokens.ts';

/** The service's names for what a policy is about: here with an underscore. */
export type PolicyType = 'audit_trails' | 'organization' | 'team';

/** The audit trail token of an organization (document: Endpoints, Audit trail tokens). One exists at most. */
export function createAuditTokens(client: Client, tokens: ReturnType<typeof createTokens>) {
  /** The token's metadata, never its secret. Outside the document. */
  const show = (organization: string): Promise<ResourceDocument> => tokens.show(toPlace(organization));
  /** Outside the document. One request, never sent again: whatever keeps us from knowing is no reason to wait. */
  const readIfShown = async (
    operation: 'list-token-policies' | 'show-organization',
    organization: string,
  ): Promise<unknown> => {
    try {
      return readObject(await client.read({ operation, parameters: { organization }, maxRetries: 0 }))['data'];
    } catch (error) {
      if (error instanceof ServiceError || error instanceof ConnectionError) return undefined;
      throw error;
    }
  };
  return {
    show,
    /** How many milliseconds a new token may be valid, as the organization's policy has it; undefined where the service does not say. */
    async findMaximum(organization: string, type: PolicyType): Promise<number | undefined> {
      const data = await readIfShown('list-token-policies', organization);
      const policies = Array.isArray(data) ? data.map((each) => getMember(each, 'attributes')) : [];
      const maximum = getMember(
        policies.find((each) => getMember(each, 'token-type') === type),
        'max-ttl-ms',
      );
      return typeof maximum === 'number' && Number.isSafeInteger(maximum) && maximum > 0 ? maximum : undefined;
    },
    /** Whether the organization's policies are on; undefined where the service does not say. */
    async findPolicySwitch(organization: string): Promise<boolean | undefined> {
      const isOn = getMember(await readIfShown('show-organization', organization), 'attributes', 'max-ttl-enabled');
      return typeof isOn === 'boolean' ? isOn : undefined;
    },
    /** Undefined on 404, whatever that means there. */
    find: (organization: string) => orUndefined(show(organization)),
    /**
     * Kills the current token. Throws `outcome-unknown` where it may be dead. `expiredAt`: UTC text, null for never, undefined
     * to leave the attribute out. `effect` completes the sentence "Would …". Undefined in a dry run.
     */
    generate: (organization: string, expiredAt: string | null | undefined, effect?: string) =>
      tokens.replace(toPlace(organization), { expiredAt, effect }),
    /** False in a dry run. `before`: the id of the token that this run has seen; undefined where it has seen none. */
    delete: (organization: string, before: string | undefined, effect?: string): Promise<boolean> =>
      tokens.delete(toPlace(organization), before, effect),
  };
}

function toPlace(organization: string): TokenPlace {
  return { kind: 'audit-trail', organization };
}
