import type { Context } from '../../context/context.ts';
import { ConnectionError, ServiceError, UsageError } from '../../errors.ts';
import { getMember } from '../../json-object.ts';
import { collect } from '../../reading.ts';
import { toExpiry } from '../../rotation/expiry-check.ts';
import { type Evidence, isAuditToken, isPerson, listOrganizations } from '../../service/diagnosis/evidence.ts';
import { type RefusedCall, toRefusedCall } from '../../service/diagnosis/refusal.ts';
import { diagnose, mayManageToken } from '../../service/diagnosis/verdict.ts';
import { findEvidence } from '../../service/enterprise.ts';
import type { Answer } from '../../service/http.ts';
import { NO_INCLUDE } from '../../service/include.ts';
import { parseJson } from '../../service/problem.ts';
import type { Service } from '../../service/service.ts';
import { describeRejection } from '../../settings/token.ts';
import { listNames } from '../../text/join.ts';
import { examineTokenPolicy } from './expiry-limits.ts';
import { attention, type Finding, failed, failedBy, isFailed, ok, toDetail } from './finding.ts';

/** Whose token it is, and whether it reaches the organization and its audit trail token. */
export async function examineCaller(context: Context, service: Service): Promise<readonly Finding[]> {
  const organization = findOrganization(context);
  if (typeof organization === 'object') return [failedBy('organization', organization)];
  try {
    const evidence = await service.examineCaller(organization);
    if (evidence.own === 'unauthorized') {
      const choice = context.identity.findToken();
      const source = choice.found ? choice.source : '';
      const { hint, next } = describeRejection(source, context.identity.serviceOrigin());
      return [failed('caller', 'not-authenticated', 'the service rejected your token (401)', hint, ...next)];
    }
    const caller = describeCaller(evidence);
    if (isFailed(caller)) return [caller];
    if (organization === undefined) {
      const [first] = isPerson(evidence.own) ? listOrganizations(evidence.own) : [];
      const next = first === undefined ? ['members', 'mine'] : ['settings', 'set', 'org', first];
      const fix = `Add --org <name>, set ORGCTL_ORG, or ${first === undefined ? 'find its name' : 'store a default'}:`;
      return [caller, attention('organization', 'no organization', fix, ['orgctl', ...next])];
    }
    const reach = await examineReach(service, organization, evidence);
    if (isFailed(reach) || isAuditToken(evidence)) return [caller, reach];
    const token = await examineAuditToken(context, service, organization, evidence);
    return [caller, reach, token, ...(await examineTokenPolicy(context, service, organization))];
  } catch (error) {
    if (error instanceof ConnectionError) return [failedBy('service', error)];
    throw error;
  }
}

/** Undefined where none is named; the error for a name that cannot be one. */
function findOrganization({ identity }: Context): string | undefined | UsageError {
  if (identity.settings.org.value === undefined && !identity.isSandbox) return undefined;
  try {
    return identity.organization();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}

function describeCaller(evidence: Evidence): Finding {
  const { own, account, trouble } = evidence;
  if (isPerson(own)) {
    const names = listOrganizations(own);
    return ok('caller', names.length === 0 ? 'a user, in no organization yet' : `a user, in ${listNames(names)}`);
  }
  if (isAuditToken(evidence)) {
    return ok('caller', 'it looks like an audit trail token, which can only read the audit trail');
  }
  if (typeof account === 'object') return ok('caller', `the service account ${account.service}`);
  if (account === 'user') return ok('caller', 'a user, in no organization');
  if (trouble !== undefined) return failedBy('caller', trouble);
  return attention('caller', 'unknown whose token it is', 'Check the token.');
}

/** What is read of the organization is what every command on it begins with. */
async function examineReach(service: Service, organization: string, evidence: Evidence): Promise<Finding> {
  const check = 'organization';
  if (isAuditToken(evidence)) {
    const fix = 'Use the token of a user, a team or the organization.';
    return attention(check, `an audit trail token can't read ${organization}`, fix);
  }
  try {
    await collect(service.memberships.list(organization, {}, NO_INCLUDE, { limit: 1 }), (page) => page);
    return ok(check, `your token can read ${organization}`);
  } catch (error) {
    if (!(error instanceof ServiceError || error instanceof ConnectionError)) throw error;
    const refused = toAbsence(error);
    if (refused === undefined) return failedBy(check, await service.explain(error));
    const { verdict, finding, reasons, hint } = diagnose(refused, { ...evidence, organization: 'refused' });
    // Who can list members is of no interest here.
    const detail = toDetail(
      finding ?? error.message,
      reasons.filter((reason) => !reason.startsWith('Who can')),
    );
    // A member who may not list the others can still do much.
    return verdict === 'missing-permission'
      ? attention(check, detail, hint ?? 'Ask an owner of the organization.')
      : failed(check, 'not-found', detail, hint ?? 'Check the name of the organization and which token is in use.');
  }
}

const CHECK = 'audit-token';

async function examineAuditToken(
  { identity, places }: Context,
  service: Service,
  organization: string,
  evidence: Evidence,
): Promise<Finding> {
  if (findEvidence(service) !== undefined) return ok(CHECK, 'Terraform Enterprise has no audit trail tokens');
  // The sandbox that runs inside the command creates one on every plan.
  const isEntitled = identity.isSandbox
    ? undefined
    : readAttribute(
        await service.ask({ operation: 'show-entitlements', parameters: { organization } }),
        'audit-logging',
      );
  if (isEntitled === false) {
    return attention(CHECK, `the plan of ${organization} has no audit logging`, 'Check the plan of the organization.');
  }
  try {
    const { data } = await service.auditTokens.show(organization);
    return describeToken(organization, data.attributes ?? {}, places.host.now());
  } catch (error) {
    if (!(error instanceof ServiceError || error instanceof ConnectionError)) throw error;
    const refused = toAbsence(error);
    if (refused === undefined) return failedBy(CHECK, error);
    const {
      finding = error.message,
      reasons,
      hint = 'Ask an owner of the organization.',
    } = diagnose(refused, evidence);
    if (isEntitled === true) return ok(CHECK, `the plan of ${organization} has audit logging; ${finding}`);
    return mayManageToken(refused, evidence) === true
      ? ok(CHECK, finding)
      : attention(CHECK, toDetail(finding, reasons), hint);
  }
}

function toAbsence(error: ServiceError | ConnectionError): RefusedCall | undefined {
  if (!(error instanceof ServiceError) || error.asked === undefined) return undefined;
  return error.status === 404 && error.errors.length > 0 ? toRefusedCall(error.asked, 'GET') : undefined;
}

function describeToken(organization: string, token: Readonly<Record<string, unknown>>, now: number): Finding {
  const { 'expired-at': expires } = token;
  const there = `${organization} has one`;
  if (expires === null) return ok(CHECK, `${there}, never expires`);
  if (typeof expires !== 'string') return ok(CHECK, `${there}, unknown when it expires`);
  const detail = `${there}, ${toExpiry(expires, now)}`;
  return Date.parse(expires) <= now
    ? attention(CHECK, detail, 'Replace it with audit-token rotate.')
    : ok(CHECK, detail);
}

function readAttribute({ status, text }: Answer, name: string): unknown {
  return status === 200 ? getMember(parseJson(text), 'data', 'attributes', name) : undefined;
}
