import {
  ConnectionError,
  describeItem,
  type FailedItem,
  listMeanings,
  OrgctlError,
  type RequestReference,
  reword,
  ServiceError,
} from '../../errors.ts';
import { foldName } from '../../names.ts';
import { capitalize } from '../../text/sentence.ts';
import { API_PATH } from '../../wire/json-api.ts';
import { type Call, readOnce } from '../client.ts';
import type { Answer } from '../http.ts';
import { type Reading, toRequest } from '../operations.ts';
import { LARGEST_PAGE } from '../pages.ts';
import { isAboutPage, toServiceError } from '../problem.ts';
import { createTransport, type Transport, type TransportOptions } from '../transport.ts';
import {
  ADDRESS_QUESTIONS,
  type AddressAnswers,
  type ApiAddress,
  describeAddress,
  findEnterpriseHeader,
  isInTrouble,
  isRouted,
  judgeAddress,
  readIdentity,
  toAddress,
  UNKNOWN_ANSWERER,
} from './address.ts';
import { type Evidence, readAccount, readAddresses, readAuditTrail, readOwn, readReach } from './evidence.ts';
import { chooseReading, MOST_READINGS, type Question, toFirstEvidence, toRefusedCall } from './refusal.ts';
import { type Diagnosis, diagnose } from './verdict.ts';

/**
 * Finds out what a refusal means: by at most three readings with the token, and where none of them reaches the API, by at
 * most five without it. Writes nothing, and never makes people wait long.
 */

/** Milliseconds for all readings with the token together, and for all without it. */
const PATIENCE = 5_000;

const REFUSALS: readonly number[] = [401, 403, 404, 405];

interface ExplainOptions {
  readonly transport: TransportOptions;
  readonly findAddress: () => Promise<ApiAddress>;
  /** Whether an answer belongs to a request of this service: others have other tokens. */
  readonly isOwn: (error: ServiceError | ConnectionError) => boolean;
  readonly patience?: number;
}

/** Of more things than this that were refused for themselves the rest is left as it is. */
const MOST_OBJECTS = 20;

/**
 * Gives the error, and what was found out of the refusals in it. What is known of the caller and of an organization is read
 * once. Never throws.
 */
export function createExplain(options: ExplainOptions): (error: OrgctlError) => Promise<OrgctlError> {
  const { transport, isOwn, patience = PATIENCE } = options;
  const gather = createGather();
  const findings = new WeakMap<RequestReference, Promise<Found | undefined>>();
  const explained = new WeakSet<OrgctlError>();

  const find = (refusal: Refusal): Promise<Found | undefined> => {
    const { request } = refusal.error;
    const signal = AbortSignal.any([transport.signal, AbortSignal.timeout(patience)]);
    const found =
      findings.get(request) ??
      findOut(refusal, gather, { ...options, transport: { ...transport, signal } })
        // The error itself is reported in any case.
        .catch(() => undefined);
    findings.set(request, found);
    return found;
  };
  const explainOne = async (error: OrgctlError): Promise<OrgctlError> => {
    const refusal = findRefusal(error);
    if (refusal === undefined || !isOwn(refusal.error) || explained.has(error)) return error;
    const found = await find(refusal);
    const better = found === undefined ? error : addFinding(error, refusal.error, found);
    explained.add(better);
    return better;
  };
  return async (error) => {
    const items: FailedItem[] = [];
    for (const [index, failed] of error.items.entries()) {
      items.push(index < MOST_OBJECTS ? { ...failed, error: await explainOne(failed.error) } : failed);
    }
    return items.length === 0 ? await explainOne(error) : replaceItems(error, items);
  };
}

interface Refusal {
  readonly error: ServiceError | ConnectionError;
  /** The answer is in the service's own form: it hides what it does not permit. */
  readonly isHidden: boolean;
}

/** The refusal worth a question: the error itself, or what it comes from. */
function findRefusal(error: OrgctlError): Refusal | undefined {
  if (error instanceof ServiceError) {
    if (error.status === 404 && error.errors.length > 0) return { error, isHidden: true };
    return REFUSALS.includes(error.status) && error.errors.length === 0 ? { error, isHidden: false } : undefined;
  }
  if (error instanceof ConnectionError) {
    return error.failure === 'not-the-service' ? { error, isHidden: false } : undefined;
  }
  return error.cause instanceof OrgctlError ? findRefusal(error.cause) : undefined;
}

/** Each explained error takes the place of the original. */
function replaceItems(error: OrgctlError, items: readonly FailedItem[]): OrgctlError {
  const pairs = error.items.flatMap((before, index) => {
    const now = items[index];
    return now === undefined || now.error === before.error ? [] : [[describeItem(before), describeItem(now)] as const];
  });
  if (pairs.length === 0) return error;
  const lines = new Map(pairs);
  const meant = listMeanings(error.items);
  const reasons = error.reasons
    .filter((reason) => !meant.includes(reason))
    .map((reason) => lines.get(reason) ?? reason);
  return reword(error, {
    reasons: [...new Set([...reasons, ...lines.values(), ...listMeanings(items)])],
    ...(error.hint === undefined || error.hint === error.items[0]?.error.hint ? { hint: items[0]?.error.hint } : {}),
    items,
  });
}

type Found = Omit<Diagnosis, 'verdict'> & { readonly verdict: Diagnosis['verdict'] | 'other-address' };

async function findOut(
  { error, isHidden }: Refusal,
  gather: typeof gatherEvidence,
  options: ExplainOptions,
): Promise<Found | undefined> {
  const { baseUrl } = options.transport;
  if (isHidden && error instanceof ServiceError && error.asked !== undefined) {
    const call = toRefusedCall(error.asked, error.request.method);
    const evidence = await gather(call, error.asked.path, options.transport);
    if (evidence.isApi === true) return diagnose(call, evidence);
    const other = describeAddress(await options.findAddress(), baseUrl);
    return other === undefined ? diagnose(call, evidence) : { verdict: 'other-address', ...other };
  }
  const address = await options.findAddress();
  const isPage = isAboutPage(error);
  if (address.at !== 'here') {
    const other = describeAddress(address, baseUrl);
    if (other === undefined) return undefined;
    const { finding, hint } = other;
    // It is known that something else answered.
    if (isPage && address.at === 'nowhere') return { verdict: 'other-address', reasons: [`${finding}.`], hint };
    return { verdict: 'other-address', ...other };
  }
  const here = `The API is at ${toAddress(baseUrl)} all the same`;
  // Services with the same API, but not all of it, say so in words of their own.
  if (!isPage && error instanceof ServiceError && error.status === 404) {
    return {
      verdict: 'unknown',
      reasons: [`${here}, so this service probably has no such route.`],
      hint: 'If it should have this one, check the proxy settings.',
    };
  }
  if (!isPage && error instanceof ServiceError && error.status === 401) {
    return { verdict: 'unknown', reasons: [`${here}, so it was probably the service that rejected it.`] };
  }
  return {
    verdict: 'unknown',
    reasons: [`${here}.`, ...(isPage ? [] : [UNKNOWN_ANSWERER])],
    hint: 'Try again. If it happens again, check the proxy settings.',
  };
}

function addFinding(error: OrgctlError, refusal: OrgctlError, found: Found): OrgctlError {
  const { verdict, finding, reasons, hint } = found;
  const isUnknown = verdict === 'unknown';
  if (refusal !== error) {
    // An error that was made of the refusal says better what it means and what to do next.
    if (isUnknown) return error;
    // The reasons of a usage error are what the refusal could mean.
    const known = error.exit === 'usage' ? [] : error.reasons;
    return reword(error, {
      reasons: [...known, toSentences(found)],
      ...(verdict === 'other-address' && hint !== undefined ? { hint } : {}),
    });
  }
  // What it could mean is no help where there is a command to see what there is.
  if (isUnknown && error.next.length > 0) return error;
  // What is proved stands in the place of what it could have been.
  const known = error instanceof ServiceError ? (isUnknown ? error.meanings : []) : error.reasons;
  return reword(error, {
    ...(finding === undefined ? {} : { message: finding, isClear: true }),
    reasons: [...known, ...reasons],
    ...(isUnknown && hint === undefined ? {} : { hint, next: [] }),
  });
}

/** The finding and its reasons as sentences. */
function toSentences({ finding, reasons }: Found): string {
  const first = finding === undefined ? [] : [`${finding.replace(/^(?:you|your|the|this)\b/, capitalize)}.`];
  return [...first, ...reasons].join(' ');
}

/** A `gatherEvidence` that remembers answers, and asks again only for the thing that the refusal is about. */
function createGather(): typeof gatherEvidence {
  let caller: Evidence = {};
  let objects = 0;
  const organizations = new Map<string, Evidence>();
  return async (call, below, options) => {
    const name = foldName(call.organization ?? '');
    const enough: Evidence = objects < MOST_OBJECTS ? {} : { object: 'unknown' };
    const evidence = await gatherEvidence(call, below, options, { ...caller, ...organizations.get(name), ...enough });
    const { object, organization, providers, known, ...ofCaller } = evidence;
    if (object !== undefined) objects += 1;
    caller = ofCaller;
    organizations.set(name, {
      ...(organization === undefined ? {} : { organization }),
      ...(providers === undefined ? {} : { providers }),
      ...(known === undefined ? {} : { known }),
    });
    return evidence;
  };
}

/** `below`: the path of the call below the base URL. `known`: from earlier readings, which are not repeated. */
export async function gatherEvidence(
  call: Question,
  below: string,
  options: TransportOptions,
  known: Evidence = {},
): Promise<Evidence> {
  const transport = createTransport(options);
  let evidence = { ...known, ...toFirstEvidence(call) };
  let left = known.trouble === undefined ? MOST_READINGS : 0;
  const ask: Ask = async (asked) => {
    left -= 1;
    const answer = await read(transport, asked);
    if (answer instanceof ConnectionError) {
      evidence = { trouble: answer, ...evidence };
      return undefined;
    }
    evidence = {
      ...(isInTrouble(answer)
        ? { trouble: toServiceError(answer, { ...toRequest(asked), what: 'find out who you are' }) }
        : {}),
      ...evidence,
      ...(isRouted(answer) ? { isApi: true } : {}),
      ...(findEnterpriseHeader(readIdentity(answer)) === undefined ? {} : { isEnterprise: true }),
    };
    return answer;
  };
  try {
    while (left > 0) {
      const reading = chooseReading(call, evidence);
      if (reading === undefined) break;
      const learned = await READINGS[reading](ask, call, below);
      evidence = { ...evidence, ...learned };
    }
    return evidence;
  } finally {
    await transport.close();
  }
}

type Ask = (call: Call) => Promise<Answer | undefined>;

const ONE = { query: [['page[size]', 1]] } as const;
/** A page of names, to suggest those that were probably meant. */
const SOME = { query: [['page[size]', LARGEST_PAGE]] } as const;

/** What each reading adds. `below` is the path of the call that was refused. */
const READINGS: Readonly<Record<Reading, (ask: Ask, call: Question, below: string) => Promise<Partial<Evidence>>>> = {
  async own(ask) {
    const call = { operation: 'list-own-memberships' } as const;
    const answer = await ask({ ...call, query: [['include', 'teams']] });
    // The document knows no such parameter.
    return { own: readOwn(answer?.status === 400 ? await ask(call) : answer) };
  },
  account: async (ask) => ({ account: readAccount(await ask({ operation: 'show-account' })) }),
  organization: async (ask, { organization = '' }) => ({
    organization: readReach(await ask({ operation: 'list-members', parameters: { organization }, ...ONE })),
  }),
  async providers(ask, { organization = '' }) {
    const answer = await ask({ operation: 'list-providers', parameters: { organization }, ...SOME });
    return { providers: readReach(answer), known: readAddresses(answer) };
  },
  object: async (ask, _, path) => ({ object: readReach(await ask({ operation: 'generic', method: 'GET', path })) }),
  'audit-trail': async (ask) => ({
    'audit-trail': readAuditTrail(await ask({ operation: 'list-audit-trail', ...ONE })),
  }),
};

/** Where the API is, asked without the token. Throws only what stops the run. */
export async function findAddress(options: TransportOptions): Promise<ApiAddress> {
  const late = AbortSignal.timeout(PATIENCE);
  try {
    return await askForAddress({ ...options, signal: AbortSignal.any([options.signal, late]) });
  } catch (error) {
    if (options.signal.aborted || error !== late.reason) throw error;
    return { at: 'unknown' };
  }
}

async function askForAddress(options: TransportOptions): Promise<ApiAddress> {
  const { baseUrl } = options;
  const { ping, discovery, route } = ADDRESS_QUESTIONS;
  const transport = createTransport({ ...options, baseUrl: new URL(baseUrl.origin), token: undefined });
  const ask = async (path: string): Promise<Answer | undefined> => {
    const answer = await read(transport, { operation: 'generic', method: 'GET', path });
    return answer instanceof ConnectionError ? undefined : answer;
  };
  const below = toAddress(baseUrl).slice(baseUrl.origin.length);
  try {
    const [pinged, routed, discovered] = await Promise.all([ask(below + ping), ask(below + route), ask(discovery)]);
    const answers: AddressAnswers = { ping: pinged, route: routed, discovery: discovered };
    const address = judgeAddress(baseUrl, answers);
    if (address.at === 'here' || address.at === 'elsewhere' || below === API_PATH) return address;
    const [usualPing, usualRoute] = await Promise.all([ask(API_PATH + ping), ask(API_PATH + route)]);
    return judgeAddress(baseUrl, { ...answers, usualPing, usualRoute });
  } finally {
    await transport.close();
  }
}

async function read(transport: Transport, call: Call): Promise<Answer | ConnectionError> {
  return await readOnce(transport, call, PATIENCE).catch((error: unknown) => {
    if (error instanceof ConnectionError) return error;
    throw error;
  });
}
