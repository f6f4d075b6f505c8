import type { Context } from '../../context/context.ts';
import { ConnectionError, UsageError } from '../../errors.ts';
import { describeAddress, isInTrouble, readIdentity, toAddress } from '../../service/diagnosis/address.ts';
import type { Answer } from '../../service/http.ts';
import { toRequest } from '../../service/operations.ts';
import { toServiceError } from '../../service/problem.ts';
import { isLoopback } from '../../service/proxy.ts';
import type { Service } from '../../service/service.ts';
import { MINUTE } from '../../when.ts';
import { attention, type Finding, failed, failedBy, ok } from './finding.ts';

const PING = { operation: 'ping' } as const;
/** Milliseconds that a clock may be off. The service gives whole seconds. */
const CLOCK_TOLERANCE = MINUTE;

/** As far as the first answer. Nothing failed where the service answered. */
export async function examineConnection(context: Context, service: Service): Promise<readonly Finding[]> {
  const { now } = context.places.host;
  const { isSandbox } = context.identity;
  const { baseUrl } = service;
  const isOpen = !isSandbox && baseUrl.protocol === 'http:' && !isLoopback(baseUrl.hostname);
  const way = isOpen
    ? [attention('tls', 'plain http: anyone on the network can read your token', 'Use https in the base URL.')]
    : [];
  try {
    const asked = now();
    const answer = await service.ask(PING);
    const answered = now();
    const found = await examineAddress(service, answer);
    return [...way, found, describeClock(answer, asked, answered), describeLimit(answer)];
  } catch (error) {
    // Plain http is refused as usage; whatever else is no failed connection ends the run.
    if (!(error instanceof ConnectionError || error instanceof UsageError)) throw error;
    return [...way, failedBy('service', error)];
  }
}

async function examineAddress(service: Service, answer: Answer): Promise<Finding> {
  const error = toServiceError(answer, toRequest(PING));
  if (error.isClear) return failedBy('service', error);
  const address = await service.findAddress();
  if (address.at === 'here') return ok('service', describeService(answer));
  const other = describeAddress(address, service.baseUrl);
  // A refusal has its own exit in every command. A success that does not come from the service counts as no answer.
  if (other !== undefined) {
    return failed('service', answer.status >= 400 ? error.exit : 'unavailable', other.finding, other.hint);
  }
  if (isInTrouble(answer)) return failedBy('service', error);
  return attention(
    'service',
    `${describeService(answer)}; unknown whether its API is at ${toAddress(service.baseUrl)}`,
    'Check the base URL: it usually ends in /api/v2.',
  );
}

function describeService(answer: Answer): string {
  const { appName, enterpriseVersion, enterpriseNumber = enterpriseVersion, apiVersion } = readIdentity(answer);
  const name = enterpriseNumber === undefined ? appName : `Terraform Enterprise ${enterpriseNumber}`;
  const api = apiVersion === undefined ? undefined : `API ${apiVersion}`;
  const said = [name, api].filter((part) => part !== undefined);
  return said.length === 0 ? `it answers (${answer.status}), but doesn't say what it is` : said.join(', ');
}

function describeClock({ headers }: Answer, asked: number, answered: number): Finding {
  const given = Date.parse(headers['date'] ?? '');
  if (Number.isNaN(given)) return ok('clock', "unknown: the service doesn't send its time");
  // The service gives whole seconds, of a moment between the question and the answer.
  const ahead = Math.max(0, asked - given - 1_000) || Math.min(0, answered - given);
  if (Math.abs(ahead) <= CLOCK_TOLERANCE) return ok('clock', 'matches the service');
  const seconds = Math.round(Math.abs(ahead) / 1_000);
  const amount = seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
  const detail = `this machine is ${amount} ${ahead > 0 ? 'ahead of' : 'behind'} the service`;
  return attention('clock', detail, 'Set the clock: durations such as 90d are counted from it.');
}

function describeLimit({ headers, status }: Answer): Finding {
  const [limit, remaining] = ['x-ratelimit-limit', 'x-ratelimit-remaining'].map((name) => Number(headers[name]));
  if (limit === undefined || remaining === undefined || !(limit > 0) || Number.isNaN(remaining)) {
    return ok('rate-limit', 'none known');
  }
  const detail = `${remaining} of ${limit} requests left`;
  return status === 429 || remaining < limit / 10
    ? attention('rate-limit', detail, 'Run fewer commands with the same token at once.')
    : ok('rate-limit', detail);
}
