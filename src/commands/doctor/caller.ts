import type { Context } from '../../context.ts';
import { ConnectionError, UsageError } from '../../errors.ts';
import { isObject, toText } from '../../json-object.ts';
import { diagnose, type Evidence, isAuditToken, isPerson, isReached, listNames } from '../../service/diagnosis.ts';
import { parseJson } from '../../service/problem.ts';
import { path } from '../../service/query.ts';
import type { Service } from '../../service/service.ts';
import type { Answer } from '../../service/transport.ts';
import { attention, type Finding, failed, failedBy, ok } from './finding.ts';

/** Whose token it is, and whether it reaches the organization and its audit trail token. */
export async function examineCaller(context: Context, service: Service): Promise<readonly Finding[]> {
  const organization = findOrganization(context);
  if (typeof organization === 'object') return [failedBy('organization', organization)];
  try {
    const evidence = await service.examineCaller(organization);
    if (evidence.own === 'unauthorized') {
      const fix = 'Set ORGCTL_TOKEN to a valid token of this service.';
      return [failed('caller', 'not-authenticated', 'the service refuses the token (401)', fix)];
    }
    const caller = describeCaller(evidence);
    if (organization === undefined) {
      return [caller, attention('organization', 'none is named', 'Name it with --org or ORGCTL_ORG.')];
    }
    const reach = describeReach(organization, evidence);
    if (reach.status !== 'ok') return [caller, reach];
    return [caller, reach, await examineAuditToken(context, service, organization, evidence)];
  } catch (error) {
    if (error instanceof ConnectionError) return [failedBy('service', error)];
    throw error;
  }
}

/** Undefined where none is named; the error for a name that cannot be one. */
function findOrganization(context: Context): string | undefined | UsageError {
  if (context.settings.org.value === undefined && !context.optionGiven('sandbox')) return undefined;
  try {
    return context.organization();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}

function describeCaller(evidence: Evidence): Finding {
  const { own, account } = evidence;
  if (isPerson(own)) {
    const names = own.filter(({ isActive }) => isActive).map((each) => each.organization);
    return ok('caller', names.length === 0 ? 'a user, in no organization yet' : `a user, in ${listNames(names)}`);
  }
  if (isAuditToken(evidence)) return ok('caller', 'an audit trail token, which reads the audit trail and nothing else');
  if (typeof account === 'object') return ok('caller', `the service account ${account.service}`);
  if (account === 'user') return ok('caller', 'a user, in no organization');
  return attention('caller', 'nothing tells whose token it is', 'Check the base URL and the token.');
}

function describeReach(organization: string, evidence: Evidence): Finding {
  const call = { operation: undefined, organization };
  if (isReached(call, evidence)) return ok('organization', `${organization} is reached`);
  const {
    verdict,
    reasons,
    hint = 'Check the name of the organization and which token is in use.',
  } = diagnose(call, evidence);
  if (verdict === 'wrong-token-kind') {
    return attention('organization', `an audit trail token cannot ask for ${organization}`, hint);
  }
  const told = reasons.map((reason) => reason.replace(/^found: /, '')).join('; ');
  return failed('organization', 'not-found', verdict === 'unknown' ? `${organization} is not reached` : told, hint);
}

const CHECK = 'audit token';

async function examineAuditToken(
  context: Context,
  service: Service,
  organization: string,
  evidence: Evidence,
): Promise<Finding> {
  // The sandbox knows of no entitlements.
  const isEntitled = context.optionGiven('sandbox')
    ? undefined
    : readAttributes(await service.ask(path`/organizations/${organization}/entitlement-set`))?.['audit-logging'];
  if (isEntitled === false) {
    return attention(CHECK, `${organization} is not entitled to audit logging`, 'Check the plan of the organization.');
  }
  const answer = await service.ask(path`/organizations/${organization}/authentication-token`, 'token=audit-trails');
  const token = readAttributes(answer);
  if (token !== undefined) return describeToken(organization, token, context.host.now());
  const call = { operation: 'show-audit-token', organization } as const;
  const { verdict, reasons, hint = 'Ask an owner of the organization.' } = diagnose(call, evidence);
  if (verdict === 'absent' || isEntitled === true) {
    const rest = isEntitled === true ? 'is entitled to one' : 'is entitled to one shows when it is made';
    return ok(CHECK, `none is known; ${isEntitled === true ? '' : 'whether '}${organization} ${rest}`);
  }
  return attention(CHECK, reasons.map((reason) => reason.replace(/^found: /, '')).join('; '), hint);
}

function describeToken(organization: string, token: Readonly<Record<string, unknown>>, now: number): Finding {
  const { 'created-at': made, 'expired-at': expires } = token;
  const there = `${organization} has one, made ${toText(made) ?? 'at a time nobody tells'}`;
  if (typeof expires !== 'string') return ok(CHECK, `${there}, without an end`);
  return Date.parse(expires) <= now
    ? attention(CHECK, `${there}, which expired ${expires}`, 'Make another with audit-token rotate.')
    : ok(CHECK, `${there}, until ${expires}`);
}

function readAttributes({ status, text }: Answer): Readonly<Record<string, unknown>> | undefined {
  const document = status === 200 ? parseJson(text) : undefined;
  const data = isObject(document) ? document['data'] : undefined;
  const attributes = isObject(data) ? data['attributes'] : undefined;
  return isObject(attributes) ? attributes : undefined;
}
