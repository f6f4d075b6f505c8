import { isObject } from '../../json-object.ts';
import { withoutTrailingSlashes } from '../../trailing-slashes.ts';
import { API_PATH } from '../../wire/json-api.ts';
import type { Answer } from '../http.ts';
import { OPERATIONS } from '../operations.ts';
import { IN_BETWEEN, parseJson } from '../problem.ts';

/** Is this the service, and where is its API? Pure; the one answer for list, auth status, login, doctor and api. */

/** Where the API is. Unknown: the service is in trouble, or says who it is and not where its API is. */
export type ApiAddress =
  | { readonly at: 'here' | 'nowhere' | 'unknown' }
  | { readonly at: 'elsewhere'; readonly baseUrl: string };

/** What is asked, without the token: relative to the base URL, to the origin, and to the usual address. */
export const ADDRESS_QUESTIONS = {
  ping: OPERATIONS.ping.request.path,
  discovery: OPERATIONS.discover.request.path,
  /** A route of the document: without a token the service answers 401 to it, and 404 to what is no route. */
  route: OPERATIONS['list-own-memberships'].request.path,
} as const;

export interface AddressAnswers {
  readonly ping: Answer | undefined;
  readonly route: Answer | undefined;
  readonly discovery: Answer | undefined;
  /** Below the usual path; undefined also where that is the base URL, or was not asked. */
  readonly usualPing?: Answer | undefined;
  readonly usualRoute?: Answer | undefined;
}

export function judgeAddress(baseUrl: URL, answers: AddressAnswers): ApiAddress {
  const { ping, route, discovery, usualPing, usualRoute } = answers;
  const here = toAddress(baseUrl);
  if (isPong(ping)) return { at: 'here' };
  const named = readDiscovery(discovery, baseUrl);
  if (named !== undefined) return named === here ? { at: 'here' } : { at: 'elsewhere', baseUrl: named };
  if (isRouted(route)) return { at: 'here' };
  if (isPong(usualPing) || isRouted(usualRoute)) return { at: 'elsewhere', baseUrl: baseUrl.origin + API_PATH };
  const isSilent = isInTrouble(ping) || isInTrouble(route);
  return { at: isSilent || [ping, route, usualPing].some(namesService) ? 'unknown' : 'nowhere' };
}

export function toAddress({ origin, pathname }: URL): string {
  return origin + withoutTrailingSlashes(pathname);
}

export const UNKNOWN_ANSWERER = 'Unknown: what answered instead, such as a proxy or login portal.';

export function describeAddress(
  address: ApiAddress,
  baseUrl: URL,
): { readonly finding: string; readonly reasons: readonly string[]; readonly hint: string } | undefined {
  const here = toAddress(baseUrl);
  if (address.at === 'elsewhere') {
    return {
      finding: `${here} is not the API's address`,
      reasons: [],
      hint: `The API is at ${address.baseUrl}. Set that as the base URL.`,
    };
  }
  if (address.at !== 'nowhere') return undefined;
  return {
    finding: `${here} doesn't answer like HCP Terraform or Terraform Enterprise`,
    reasons: [UNKNOWN_ANSWERER],
    hint: `Check the host name; ${IN_BETWEEN}.`,
  };
}

export interface ServiceIdentity {
  readonly appName: string | undefined;
  readonly enterpriseVersion: string | undefined;
  /** The number that it has since 1.0.3 beside that of the month. */
  readonly enterpriseNumber: string | undefined;
  readonly apiVersion: string | undefined;
}

export function readIdentity({ headers }: Pick<Answer, 'headers'>): ServiceIdentity {
  return {
    appName: headers['tfp-appname'],
    enterpriseVersion: headers['x-tfe-version'],
    enterpriseNumber: headers['x-tfe-current-version'],
    apiVersion: headers['tfp-api-version'],
  };
}

/** The header that says that it is Terraform Enterprise; undefined where none does. */
export function findEnterpriseHeader(identity: ServiceIdentity): string | undefined {
  const { appName, enterpriseVersion, enterpriseNumber } = identity;
  if (enterpriseVersion !== undefined) return `X-TFE-Version: ${enterpriseVersion}`;
  if (enterpriseNumber !== undefined) return `X-TFE-Current-Version: ${enterpriseNumber}`;
  return appName === 'Terraform Enterprise' ? `TFP-AppName: ${appName}` : undefined;
}

/** Whether it says what it is. */
export function isNamed(identity: ServiceIdentity): boolean {
  return identity.appName !== undefined || findEnterpriseHeader(identity) !== undefined;
}

/**
 * Assumed: no other program sends the headers by which a service with this API says what it is, such as
 * TFP-API-Version.
 */
function namesService(answer: Answer | undefined): boolean {
  return answer !== undefined && Object.values(readIdentity(answer)).some((value) => value !== undefined);
}

function isPong(answer: Answer | undefined): boolean {
  return answer !== undefined && answer.status >= 200 && answer.status <= 299 && namesService(answer);
}

/** A route of the API answered: what is no route is answered 404. */
export function isRouted(answer: Answer | undefined): boolean {
  return answer !== undefined && answer.status !== 404 && !isInTrouble(answer) && isOwnForm(answer);
}

export function isInTrouble(answer: Answer | undefined): boolean {
  return answer === undefined || answer.status >= 500 || answer.status === 429;
}

export function isOwnForm(answer: Answer): boolean {
  const body = parseJson(answer.text);
  return isObject(body) && ('data' in body || Array.isArray(body['errors']));
}

/** The address that the discovery document names, where it is one of this origin: a token belongs to no other. */
function readDiscovery(answer: Answer | undefined, { origin }: URL): string | undefined {
  const services = answer?.status === 200 ? parseJson(answer.text) : undefined;
  const named = isObject(services) ? services['tfe.v2'] : undefined;
  if (typeof named !== 'string' || !URL.canParse(named, origin)) return undefined;
  const url = new URL(named, origin);
  return url.origin === origin ? toAddress(url) : undefined;
}
