import { setMaxListeners } from 'node:events';
import { OrgctlError, ServiceError, UsageError } from '../errors.ts';
import { isObject } from '../json-object.ts';
import { once } from '../once.ts';
import { createSecrets } from '../secrets/secrets.ts';
import type { Resource } from '../wire/json-api.ts';
import type { FeatureSet } from '../wire/resources.ts';
import { createAuditTokens } from './audit-token.ts';
import { createAuditTrail } from './audit-trail.ts';
import { type Caller, toCaller, toTokenId, UNKNOWN_CALLER } from './caller.ts';
import { type Call, type CallAnswer, type Client, createClient, readObject, readOnce, readResource } from './client.ts';
import { type ApiAddress, isNamed } from './diagnosis/address.ts';
import type { Evidence } from './diagnosis/evidence.ts';
import { createGenericRequests } from './generic-request.ts';
import type { Answer } from './http.ts';
import { createResourceList } from './lists.ts';
import { createMemberships } from './memberships.ts';
import { createPace } from './pace.ts';
import type { PageOptions } from './page.ts';
import type { ListReading } from './pages.ts';
import { createPermits } from './permits.ts';
import { createPlans } from './plans.ts';
import type { PrivateRegistry } from './private-registry.ts';
import { toUnreadableError } from './problem.ts';
import { createProviders } from './providers.ts';
import { listPublicVersions } from './public-registry.ts';
import { createTeams } from './teams.ts';
import { createTokens } from './tokens.ts';
import { createTransport, type TransportOptions } from './transport.ts';

/** The service as orgctl sees it: one member a resource. */
export type Service = ReturnType<typeof createService>;

export interface ServiceOptions extends TransportOptions {
  /** Milliseconds for one request, and for the POST that makes a token. */
  readonly timeout: number;
  readonly creationTimeout: number;
  readonly maxRetries: number;
  readonly random: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly warn: (text: string) => void;
}

export function createService(options: ServiceOptions) {
  // Ends requests that are still on their way, or wait to be sent again, when a list is not read to its end.
  const closing = new AbortController();
  const signal = AbortSignal.any([options.signal, closing.signal]);
  // Every request on its way listens to it.
  setMaxListeners(0, signal);
  const transport = createTransport({ ...options, signal });
  const client: Client = createClient({ ...options, signal, transport, pace: createPace(options) });
  const plans = createPlans(client);
  const permits = createPermits(plans.findOrganization);
  /** Where the service has its API, asked without the token, once. */
  const findAddress = once(
    async (): Promise<ApiAddress> => await (await import('./diagnosis/explain.ts')).findAddress({ ...options, signal }),
  );
  const openExplain = once(async () => {
    const { createExplain } = await import('./diagnosis/explain.ts');
    return createExplain({ transport: { ...options, signal }, findAddress, isOwn: client.isOwn });
  });
  /** The account this token acts as. Throws ServiceError where the service refuses, or does not say. */
  const showCaller = async (): Promise<Resource> => readResource(await client.read({ operation: 'show-account' })).data;
  const tokens = createTokens(client, options.creationTimeout, options.warn);
  return {
    auditTokens: createAuditTokens(client, tokens),
    auditTrail: createAuditTrail(client, options.warn),
    memberships: createMemberships(client, options.warn),
    plans,
    permits,
    providers: createProviders(client, options.warn),
    /** Versions of private providers, with their files and keys. */
    async openPrivateRegistry(): Promise<PrivateRegistry> {
      const { createPrivateRegistry } = await import('./private-registry.ts');
      return createPrivateRegistry(client, options.baseUrl, options.warn);
    },
    teams: createTeams(client, options.warn),
    /** Of every kind. */
    tokens,
    generic: createGenericRequests(client, options),
    /**
     * All feature sets, or those that an organization may have (document: Endpoints, Feature sets). Without page parameters
     * the service answers with all of them.
     */
    listFeatureSets(organization: string | undefined, page: PageOptions): ListReading<FeatureSet> {
      const call: Call =
        organization === undefined
          ? { operation: 'list-feature-sets' }
          : { operation: 'list-organization-feature-sets', parameters: { organization } };
      return createResourceList(client, call, { paginate: false, page, warn: options.warn });
    },
    /** The versions of a public provider, newest first (document: Versioning). */
    listPublicVersions: (namespace: string, name: string) =>
      listPublicVersions(client, options.baseUrl, { namespace, name }, options.warn),
    /**
     * What only a server of the sandbox does, in plain JSON, without a token. Gives the memberships that came of it; undefined
     * in a dry run. Throws UsageError where no sandbox answers.
     */
    acceptInvitation: (email: string, organization: string | undefined) =>
      acceptInvitation(client, options.baseUrl, { email, ...(organization === undefined ? {} : { organization }) }),
    /** What the answers so far said of the service. */
    identity: client.seen,
    /** Asks which service this is, by one cheap request. False when its answer does not say. */
    async identify(): Promise<boolean> {
      // Every answer has the headers, even a refusal, so its status does not matter.
      await client.read({ operation: 'ping', maxRetries: 0 }).catch((error: unknown) => {
        if (!(error instanceof OrgctlError)) throw error;
      });
      return isNamed(client.seen);
    },
    showCaller,
    /** Whom the account acts for, by one reading. Never throws. */
    identifyCaller: (): Promise<Caller> => showCaller().then(toCaller, () => UNKNOWN_CALLER),
    /** Which token this is, by its id; undefined where the service does not say. Throws like `showCaller`. */
    async identifyToken(): Promise<{ readonly id: string | undefined; readonly caller: Caller }> {
      const account = await showCaller();
      return { id: toTokenId(account), caller: toCaller(account) };
    },
    /** The id of that account; undefined where the service does not say. Never throws. */
    findCaller: (): Promise<string | undefined> =>
      showCaller().then(
        ({ id }) => id,
        () => undefined,
      ),
    /** The error; with what a few readings prove of a refusal in it, where it is an answer of this service. Never throws. */
    async explain(error: OrgctlError): Promise<OrgctlError> {
      return await (await openExplain())(error);
    },
    /** One reading, once, whatever its status. Throws ConnectionError. */
    ask: (call: Call): Promise<Answer> => readOnce(transport, call, options.timeout),
    /** Who the token belongs to and what it reaches, by a few readings. Never throws. */
    async examineCaller(organization: string | undefined): Promise<Evidence> {
      const { gatherEvidence } = await import('./diagnosis/explain.ts');
      return await gatherEvidence({ operation: 'generic', organization }, '', { ...options, signal });
    },
    /** A text made of answers, their headers too, without the token in it. */
    redact: createSecrets(options.token).redactText,
    /** Whether this error comes from a request to it. */
    isOwn: client.isOwn,
    baseUrl: options.baseUrl,
    findAddress,
    async close(): Promise<void> {
      closing.abort();
      await transport.close();
    },
  };
}

async function acceptInvitation(
  client: Client,
  { origin }: URL,
  body: { readonly email: string; readonly organization?: string },
): Promise<readonly object[] | undefined> {
  const call = { operation: 'accept-invitation', parameters: { email: body.email }, body } as const;
  const read = (answer: CallAnswer): readonly object[] => {
    const { accepted } = readObject(answer);
    if (Array.isArray(accepted) && accepted.every(isObject)) return accepted;
    throw toUnreadableError(answer, 'the body has no list of members');
  };
  const written = await client.write({ ...call, read }).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.status !== 404) throw error;
    throw new UsageError(`${origin} is not a sandbox, or one that can't do this yet`, {
      hint: 'Use the base URL that sandbox serve has printed. On a real service only the invited person can accept.',
    });
  });
  return written?.value;
}
