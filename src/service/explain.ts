import { addReasons, ConnectionError, OrgctlError, ServiceError } from '../errors.ts';
import { isObject } from '../json-object.ts';
import { withoutTrailingSlashes } from '../trailing-slashes.ts';
import { JSON_API_MEDIA_TYPE } from '../wire/json-api.ts';
import {
  chooseProbe,
  type Diagnosis,
  diagnose,
  type Evidence,
  isOwnForm,
  MOST_PROBES,
  type Probe,
  type RefusedCall,
  readAccount,
  readAuditTrail,
  readOwn,
  readReach,
  toFirstEvidence,
  toRefusedCall,
} from './diagnosis.ts';
import { parseJson } from './problem.ts';
import { path } from './query.ts';
import { type Answer, createTransport, type Transport, type TransportOptions } from './transport.ts';

/** Finds out what a refusal means, by at most three readings. Writes nothing, and never makes anybody wait long. */

/** Milliseconds for all readings together. */
const PATIENCE = 5_000;

const REFUSALS: readonly number[] = [401, 403, 404, 405];
const USUAL_PATH = '/api/v2';

/** The error, and what was found out of the refusal in it. Never throws. */
export async function explain(
  error: OrgctlError,
  options: TransportOptions,
  patience = PATIENCE,
): Promise<OrgctlError> {
  const refusal = findRefusal(error);
  if (refusal === undefined) return error;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(patience)]);
  const patient = { ...options, signal };
  const found = await (refusal.kind === 'hidden' ? explainHidden(refusal.error, patient) : explainForeign(patient))
    // What cannot be found out, or not in time, stays as it was: the error itself has to be told in any case.
    .catch(() => undefined);
  const isWrapped = error.cause instanceof OrgctlError;
  if (found === undefined || (isWrapped && found.verdict === 'unknown')) return error;
  const of = refusal.item === undefined ? '' : `${refusal.item}: `;
  const reasons = found.reasons.map((reason) => of + reason);
  // Whoever made another error of the refusal knows better what to do next.
  const hint = isWrapped ? undefined : found.hint;
  return addReasons(error, { reasons, ...(hint === undefined ? {} : { hint }) });
}

type Refusal = { readonly item?: string } & (
  | { readonly kind: 'hidden'; readonly error: ServiceError }
  /** The answer is not in the service's own form. */
  | { readonly kind: 'foreign' }
);

/** The first refusal worth a question: the error itself, one of its items, or what it comes from. */
function findRefusal(error: OrgctlError): Refusal | undefined {
  if (error instanceof ServiceError) {
    if (error.status === 404 && error.errors.length > 0) return { kind: 'hidden', error };
    return REFUSALS.includes(error.status) && error.errors.length === 0 ? { kind: 'foreign' } : undefined;
  }
  if (error instanceof ConnectionError) return error.failure === 'not-the-service' ? { kind: 'foreign' } : undefined;
  // The command has understood it already, and says what it can do without.
  if (error.exit === 'usage') return undefined;
  for (const { item, error: failure } of error.items) {
    const refusal = findRefusal(failure);
    if (refusal !== undefined) return { ...refusal, item };
  }
  return error.cause instanceof OrgctlError ? findRefusal(error.cause) : undefined;
}

type Ask = (path: string, query?: string) => Promise<Answer | undefined>;

async function explainHidden(error: ServiceError, options: TransportOptions): Promise<Diagnosis> {
  const { pathname } = new URL(options.baseUrl);
  const [whole = ''] = error.request.path.split('?');
  const below = whole.startsWith(pathname) ? whole.slice(withoutTrailingSlashes(pathname).length) : whole;
  const call = toRefusedCall(error.request.method, below);
  return diagnose(call, await gatherEvidence(call, below, options));
}

/** `below`: the path of the call below the base URL. */
export async function gatherEvidence(call: RefusedCall, below: string, options: TransportOptions): Promise<Evidence> {
  const transport = createTransport(options);
  let namesVersion = false;
  let left = MOST_PROBES;
  const ask: Ask = async (path, query = '') => {
    left -= 1;
    const answer = await read(transport, path, query);
    namesVersion ||= answer?.headers['tfp-api-version'] !== undefined;
    return answer;
  };
  try {
    let evidence = toFirstEvidence(call, false);
    while (left > 0) {
      const probe = chooseProbe(call, evidence);
      if (probe === undefined) break;
      evidence = { ...evidence, ...(await PROBES[probe](ask, call, below)), namesVersion };
    }
    return evidence;
  } finally {
    await transport.close();
  }
}

/** What each reading adds. `below` is the path of the call that was refused. */
const PROBES: Readonly<Record<Probe, (ask: Ask, call: RefusedCall, below: string) => Promise<Partial<Evidence>>>> = {
  async own(ask) {
    const own = '/organization-memberships';
    const answer = await ask(own, 'include=teams');
    // The document knows no such parameter.
    return { own: readOwn(answer?.status === 400 ? await ask(own) : answer) };
  },
  account: async (ask) => ({ account: readAccount(await ask('/account/details')) }),
  organization: async (ask, { organization = '' }) => ({
    organization: readReach(
      await ask(path`/organizations/${organization}/organization-memberships`, 'page%5Bsize%5D=1'),
    ),
  }),
  object: async (ask, _call, below) => ({ object: readReach(await ask(below)) }),
  'audit-trail': async (ask) => ({
    'audit-trail': readAuditTrail(await ask('/organization/audit-trail', 'page%5Bsize%5D=1')),
  }),
};

/** Something else answered than the service: another product, or the service's own site. */
async function explainForeign(options: TransportOptions): Promise<Diagnosis> {
  const { origin, pathname } = options.baseUrl;
  const present = origin + withoutTrailingSlashes(pathname);
  const found = await findBaseUrl(options);
  if (found === present) {
    return {
      verdict: 'unknown',
      reasons: [
        `found: the service is at ${present} all the same`,
        'not to be told: what answered in its place, such as a proxy or a portal in between',
      ],
      hint: 'Try again; if it stays so, check the proxy settings.',
    };
  }
  if (found !== undefined) {
    return {
      verdict: 'wrong-base-url',
      reasons: [`found: the API of this service is at ${found}, and not at ${present}`],
      hint: `Name it with: --base-url ${found}`,
    };
  }
  return {
    verdict: 'wrong-host',
    reasons: [
      `found: nothing at ${origin} says that it is such a service`,
      'not to be told: whether a proxy or a portal answers in its place',
    ],
    hint: 'Check the host name of the base URL.',
  };
}

/** Where the service at an origin says its API is. The token stays at home: these questions need none. */
export async function findBaseUrl(options: TransportOptions): Promise<string | undefined> {
  const { origin } = options.baseUrl;
  const transport = createTransport({ ...options, baseUrl: new URL(origin), token: undefined });
  try {
    const discovery = await read(transport, '/.well-known/terraform.json', '');
    const services = discovery?.status === 200 ? parseJson(discovery.text) : undefined;
    const named = isObject(services) ? services['tfe.v2'] : undefined;
    if (typeof named === 'string' && URL.canParse(named, origin)) {
      const url = new URL(named, origin);
      if (url.origin === origin) return origin + withoutTrailingSlashes(url.pathname);
    }
    const usual = await read(transport, `${USUAL_PATH}/ping`, '');
    return usual !== undefined && isService(usual) ? origin + USUAL_PATH : undefined;
  } finally {
    await transport.close();
  }
}

/** Nobody else sends these headers; errors in the form of JSON:API are a weaker sign, and enough at the usual place. */
function isService(answer: Answer): boolean {
  const { headers } = answer;
  if (['tfp-api-version', 'tfp-appname', 'x-tfe-version'].some((name) => headers[name] !== undefined)) return true;
  return (headers['content-type'] ?? '').includes(JSON_API_MEDIA_TYPE) && isOwnForm(answer);
}

/** Undefined where no answer came. */
async function read(transport: Transport, below: string, query: string): Promise<Answer | undefined> {
  try {
    const request = { method: 'GET', path: below, query, body: undefined, mediaType: JSON_API_MEDIA_TYPE } as const;
    return await transport.send({ ...request, timeout: PATIENCE });
  } catch (error) {
    if (error instanceof ConnectionError) return undefined;
    throw error;
  }
}
