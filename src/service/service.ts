import { setMaxListeners } from 'node:events';
import { OrgctlError, ServiceError, UsageError } from '../errors.ts';
import { isObject } from '../json-object.ts';
import { createSecrets } from '../secrets/secrets.ts';
import type { Resource } from '../wire/json-api.ts';
import { type AuditTokens, createAuditTokens } from './audit-token.ts';
import { type AuditTrail, createAuditTrail } from './audit-trail.ts';
import { type Caller, toCaller, UNKNOWN_CALLER } from './caller.ts';
import { type Call, type Client, createClient, readObject, readOnce, readResource } from './client.ts';
import type { ApiAddress, ServiceIdentity } from './diagnosis/address.ts';
import type { Evidence } from './diagnosis/evidence.ts';
import { createGenericRequests, type GenericRequests } from './generic-request.ts';
import type { Answer } from './http.ts';
import type { Inspection } from './inspect.ts';
import { createResourceList } from './lists.ts';
import { createMemberships, type Memberships } from './memberships.ts';
import type { OperationCall } from './operations.ts';
import { createPace } from './pace.ts';
import type { PageOptions } from './page.ts';
import type { ListReading } from './pages.ts';
import { toUnreadableError } from './problem.ts';
import { createProviders, type Providers } from './providers.ts';
import { createPublicRegistry, type PublicRegistry } from './public-registry.ts';
import { createTeams, type Teams } from './teams.ts';
import { createTransport, type TransportOptions } from './transport.ts';

/** The service as orgctl sees it: one member a resource. */
export interface Service {
  readonly featureSets: FeatureSets;
  readonly auditTokens: AuditTokens;
  readonly auditTrail: AuditTrail;
  readonly memberships: Memberships;
  readonly providers: Providers;
  readonly teams: Teams;
  readonly publicRegistry: PublicRegistry;
  readonly generic: GenericRequests;
  readonly sandboxServer: SandboxServer;
  /** What the answers so far said of the service. */
  readonly identity: ServiceIdentity;
  /** Asks which service this is, by one cheap request. False when its answer does not say. */
  identify(): Promise<boolean>;
  /** The account this token acts as. Throws ServiceError where the service refuses, or does not say. */
  showCaller(): Promise<Resource>;
  /** Whom the account acts for, by one reading. Never throws. */
  identifyCaller(): Promise<Caller>;
  /** The id of that account; undefined where the service does not say. Never throws. */
  findCaller(): Promise<string | undefined>;
  /**
   * The error; with what a few readings prove of a refusal in it, where it is an answer of this service. Never throws.
   */
  explain(error: OrgctlError): Promise<OrgctlError>;
  /** One reading, once, whatever its status. Throws ConnectionError. */
  ask(call: OperationCall): Promise<Answer>;
  /** Who the token belongs to and what it reaches, by a few readings. Never throws. */
  examineCaller(organization: string | undefined): Promise<Evidence>;
  /** How the service is reached. Throws UsageError for a proxy that is no URL. */
  inspect(): Promise<Inspection>;
  /** A text made of answers, their headers too, without the token in it. */
  redact(text: string): string;
  readonly baseUrl: URL;
  /** Where the service has its API, asked without the token, once. */
  findAddress(): Promise<ApiAddress>;
  close(): Promise<void>;
}

export interface ServiceOptions extends TransportOptions {
  /** Milliseconds for one request, and for the POST that makes a token. */
  readonly timeout: number;
  readonly creationTimeout: number;
  readonly maxRetries: number;
  readonly random: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly warn: (text: string) => void;
}

export function createService(options: ServiceOptions): Service {
  // A list that is not read to its end leaves requests on their way, and some that wait to be sent again.
  const closing = new AbortController();
  const signal = AbortSignal.any([options.signal, closing.signal]);
  // Every request on its way listens to it.
  setMaxListeners(0, signal);
  const transport = createTransport({ ...options, signal });
  const client: Client = createClient({ ...options, signal, transport, pace: createPace(options) });
  let address: Promise<ApiAddress> | undefined;
  const findAddress = (): Promise<ApiAddress> => {
    address ??= import('./diagnosis/explain.ts').then((room) => room.findAddress({ ...options, signal }));
    return address;
  };
  return {
    featureSets: createFeatureSets(client, options.warn),
    auditTokens: createAuditTokens(client, options.creationTimeout),
    auditTrail: createAuditTrail(client, options.warn),
    memberships: createMemberships(client, options.warn),
    providers: createProviders(client, options.warn),
    teams: createTeams(client, options.warn),
    publicRegistry: createPublicRegistry(client, options.baseUrl, options.warn),
    generic: createGenericRequests(client, options.warn),
    sandboxServer: createSandboxServer(client, options.baseUrl),
    identity: client.seen,
    identify: () => identify(client),
    showCaller: () => showCaller(client),
    identifyCaller: () => showCaller(client).then(toCaller, () => UNKNOWN_CALLER),
    findCaller: () =>
      showCaller(client).then(
        ({ id }) => id,
        () => undefined,
      ),
    async explain(error) {
      const { explain } = await import('./diagnosis/explain.ts');
      return await explain(error, { transport: { ...options, signal }, findAddress, isOwn: client.isOwn });
    },
    ask: (call) => readOnce(transport, call, options.timeout),
    async examineCaller(organization) {
      const { gatherEvidence } = await import('./diagnosis/explain.ts');
      return await gatherEvidence({ operation: 'generic', organization }, '', { ...options, signal });
    },
    async inspect() {
      const { inspectConnection } = await import('./inspect.ts');
      return await inspectConnection({ ...options, signal });
    },
    redact: createSecrets(options.token).redactText,
    baseUrl: options.baseUrl,
    findAddress,
    async close() {
      closing.abort();
      await transport.close();
    },
  };
}

async function showCaller(client: Client): Promise<Resource> {
  return readResource(await client.read({ operation: 'show-account' })).data;
}

async function identify(client: Client): Promise<boolean> {
  // Every answer carries the headers, a refusal too: only their absence leaves the question open.
  await client.read({ operation: 'ping', maxRetries: 0 }).catch((error: unknown) => {
    if (!(error instanceof OrgctlError)) throw error;
  });
  return client.seen.appName !== undefined || client.seen.enterpriseVersion !== undefined;
}

/** Feature sets (document: Endpoints, Feature sets). Without page parameters the service answers with all of them. */
interface FeatureSets {
  /** All of them, or those that an organization may have. */
  list(organization: string | undefined, page: PageOptions): ListReading;
}

function createFeatureSets(client: Client, warn: (text: string) => void): FeatureSets {
  return {
    list(organization, page) {
      const call: Call =
        organization === undefined
          ? { operation: 'list-feature-sets' }
          : { operation: 'list-organization-feature-sets', parameters: { organization } };
      return createResourceList(client, call, { paginate: false, page, warn });
    },
  };
}

/** What a server of the sandbox does besides being the service. At the origin, in plain JSON, without a token. */
interface SandboxServer {
  /** The memberships that came of it; undefined in a dry run. Throws UsageError where no sandbox answers. */
  accept(email: string, organization: string | undefined): Promise<readonly object[] | undefined>;
}

function createSandboxServer(client: Client, baseUrl: URL): SandboxServer {
  return {
    async accept(email, organization) {
      const written = await client
        .write({
          operation: 'accept-invitation',
          parameters: { email },
          body: { email, ...(organization === undefined ? {} : { organization }) },
          read(answer) {
            const { accepted } = readObject(answer);
            if (Array.isArray(accepted) && accepted.every(isObject)) return accepted;
            throw toUnreadableError(answer, 'the body holds no list of memberships');
          },
        })
        .catch((error: unknown) => {
          throw error instanceof ServiceError && error.status === 404 ? toNoSandboxError(baseUrl) : error;
        });
      return written?.value;
    },
  };
}

function toNoSandboxError(baseUrl: URL): UsageError {
  return new UsageError(`${baseUrl.origin} is not a sandbox, or one that cannot do this yet`, {
    hint: 'Name the base URL that sandbox serve has printed. On a real service only the invited person can accept.',
  });
}
