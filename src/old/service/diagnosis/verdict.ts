import { listNames } from '../../text/join.ts';
import { askMeant, findNear } from '../../text/near.ts';
import { listCallers, OPERATIONS, type Operation, type OperationName } from '../operations.ts';
import { type Evidence, isAuditToken, isPerson, listOrganizations, readAccountName } from './evidence.ts';
import { findMembership, isMember, type Question, type RefusedCall } from './refusal.ts';

/**
 * What a refusal means, as far as a few readings prove it. The service answers 404 to what is absent and to what is not
 * permitted; what it lets the same token read proves more. Pure.
 */

/** `absent`: permission is proved not to be the reason. `unknown`: nothing decides between the two. */
export type Verdict =
  | 'invalid-token'
  | 'wrong-token-kind'
  | 'organization-not-reached'
  | 'missing-permission'
  | 'absent'
  | 'unknown';

/** The reasons say what is proved, those that begin with "Unknown:" what is not. */
export interface Diagnosis {
  readonly verdict: Verdict;
  /** What the refusal means: the message. */
  readonly finding?: string;
  readonly reasons: readonly string[];
  readonly hint?: string;
}

/** On Terraform Enterprise, which knows no audit trail token, the same requests are about the organization's own. */
const ON_ENTERPRISE: Partial<Record<OperationName, OperationName>> = {
  'generate-audit-token': 'generate-organization-token',
  'delete-audit-token': 'delete-organization-token',
  'show-audit-token': 'show-organization-token',
};

/** Says what is proved, and names what is not. */
export function diagnose(call: RefusedCall, evidence: Evidence): Diagnosis {
  const operation = evidence.isEnterprise === true ? ON_ENTERPRISE[call.operation] : undefined;
  if (operation === undefined) return diagnoseAs(call, evidence);
  const diagnosis = diagnoseAs({ ...call, operation }, evidence);
  const reason = 'Terraform Enterprise has no audit trail tokens: there this is about the organization token.';
  return { ...diagnosis, reasons: [...diagnosis.reasons, reason] };
}

function diagnoseAs(call: RefusedCall, evidence: Evidence): Diagnosis {
  if (evidence.own === 'unauthorized') {
    return {
      verdict: 'invalid-token',
      finding: 'your token is no longer valid',
      reasons: ['The same token was just rejected (401).'],
      hint: 'Use a new token.',
    };
  }
  if (isAuditToken(evidence)) {
    return {
      verdict: 'wrong-token-kind',
      finding: `you can't ${call.what} with an audit trail token`,
      reasons: ['It can only read the audit trail.'],
      hint: 'Use the token of a user, a team or the organization.',
    };
  }
  return (
    explainEdition(call, evidence) ??
    explainUnreached(call, evidence) ??
    (isReached(call, evidence) ? explainWithin(call, evidence) : explainWithout(call, evidence)) ?? {
      verdict: 'unknown',
      reasons: toUnseen(call, evidence),
    }
  );
}

/** Of a path that only the caller knows there is nothing to choose among. */
function toUnseen({ operation }: RefusedCall, { trouble }: Evidence): readonly string[] {
  if (operation === 'generic') return [];
  return [trouble === undefined ? "Your token can't see which of these is true." : 'Unknown: which of these is true.'];
}

function isReached(call: RefusedCall, { own, organization, providers, object }: Evidence): boolean {
  if (call.organization === undefined) return false;
  return [organization, providers, object].includes('reached') || isMember(call, own);
}

/**
 * By the document feature sets exist in the hosted edition only. Assumed: the audit trail exists in the hosted edition
 * only, as feature sets do.
 */
function explainEdition({ operation }: RefusedCall, { isEnterprise }: Evidence): Diagnosis | undefined {
  if (isEnterprise !== true) return undefined;
  if (operation === 'list-audit-trail') {
    return {
      verdict: 'absent',
      finding: 'this is Terraform Enterprise, which has no audit trail',
      reasons: ['The audit trail exists in the hosted edition only.'],
      hint: 'Its logs have the events: an administrator of it can forward them.',
    };
  }
  if (operation !== 'list-feature-sets' && operation !== 'list-organization-feature-sets') return undefined;
  return {
    verdict: 'absent',
    finding: 'this is Terraform Enterprise, which has no feature sets',
    reasons: ['Feature sets exist in the hosted edition only.'],
    hint: 'Check the base URL: is it the service you mean?',
  };
}

function explainUnreached(
  call: RefusedCall,
  { own, account, organization, providers }: Evidence,
): Diagnosis | undefined {
  const name = call.organization;
  if (name === undefined) return undefined;
  const unknown = `Unknown: whether an organization named ${name} exists.`;
  const membership = findMembership(call, own);
  if (membership?.status === 'active') return undefined;
  if (membership !== undefined) return explainInactive(name, membership.status);
  if (isPerson(own) || (Array.isArray(own) && account === 'user')) {
    const names = listOrganizations(own);
    const hint = askMeant(findNear(name, names));
    const others =
      names.length === 0 ? 'You are a member of no organization.' : `Your organizations: ${listNames(names, ',')}.`;
    return {
      verdict: 'organization-not-reached',
      finding: `you are not a member of ${name}`,
      reasons: [hint === undefined ? `${unknown} ${others}` : unknown],
      ...(hint === undefined ? {} : { hint }),
    };
  }
  const isRefused = organization === 'refused' || providers === 'refused';
  const isService = typeof account === 'object';
  if (!isRefused || !(isService || Array.isArray(own))) return undefined;
  return {
    verdict: 'organization-not-reached',
    finding: `your token can't ${call.what}`,
    reasons: [isService ? `It acts as ${account.service}.` : 'It is a member of no organization.', unknown],
    hint: 'Check the name: a token of a team or an organization works only in its own organization.',
  };
}

function explainInactive(name: string, status: string | undefined): Diagnosis | undefined {
  if (status === undefined) return undefined;
  return status === 'invited'
    ? {
        verdict: 'organization-not-reached',
        finding: `you are invited to ${name} and haven't accepted yet`,
        reasons: [],
        hint: 'Accept the invitation in the email, then run the command again.',
      }
    : {
        verdict: 'organization-not-reached',
        finding: `you are not an active member of ${name}`,
        reasons: [`The service calls you ${status} there.`],
        hint: `Ask an owner of ${name}.`,
      };
}

function explainWithin(call: RefusedCall, evidence: Evidence): Diagnosis | undefined {
  const name = call.organization ?? '';
  const reached = `${name} exists, and your token can read it.`;
  switch (call.operation) {
    case 'invite-member':
    case 'find-invitees':
    case 'create-provider':
      return toMissing(call, reached);
    case 'list-members':
      // The document does not say who can.
      return evidence.organization === 'refused'
        ? {
            verdict: 'missing-permission',
            finding: `the service doesn't show you the members of ${name}`,
            reasons: [reached],
            hint: 'Use the token of an owner.',
          }
        : undefined;
    case 'get-provider':
      return explainNoProvider(call, evidence);
    case 'delete-provider':
      return evidence.object === 'reached'
        ? toMissing(call, 'The provider exists, and your token can read it.')
        : evidence.object === 'refused'
          ? explainNoProvider(call, evidence)
          : undefined;
    case 'generate-audit-token':
    case 'delete-audit-token':
    case 'show-audit-token':
    case 'generate-organization-token':
    case 'delete-organization-token':
    case 'show-organization-token':
      return explainToken(call, call.operation, reached, evidence);
    default:
      return explainOther(call, reached, evidence);
  }
}

/** A 404 to an owner means that the service lacks the route, where the path names nothing but the organization. */
function explainOther(call: RefusedCall, reached: string, { own }: Evidence): Diagnosis {
  const { assumedAbsence }: Operation = OPERATIONS[call.operation];
  const isNameless = call.object === '' && call.operation !== 'generic';
  if (isNameless && assumedAbsence !== undefined && findMembership(call, own)?.isOwner === true) {
    return {
      verdict: 'absent',
      finding: assumedAbsence,
      reasons: [`${call.organization} exists, and you are one of its owners, so permission is not the reason.`],
      hint: 'Check the base URL: is it the service you mean?',
    };
  }
  return {
    verdict: 'unknown',
    reasons: [reached, "Unknown: whether the service has no such thing, or doesn't show it to you."],
    hint: isNameless
      ? 'Try the token of an owner: where that is refused too, the service has none.'
      : `Check the ${call.operation === 'generic' ? 'path' : 'other names'}.`,
  };
}

/** By the document every member may view all providers. */
function explainNoProvider(call: RefusedCall, { own, providers, known = [] }: Evidence): Diagnosis | undefined {
  const { organization = '', object } = call;
  if (!isMember(call, own) && providers !== 'reached') return undefined;
  // The whole addresses are alike wherever the namespace is the same.
  const toName = (address: string): string => address.slice(address.lastIndexOf('/') + 1).toLowerCase();
  const [nearest] = findNear(toName(object), known.map(toName));
  const near = known.filter((address) => toName(address) === nearest).slice(0, 3);
  return {
    verdict: 'absent',
    finding: `${organization} has no provider ${object}`,
    reasons: [
      providers === 'reached'
        ? `Your token can list ${organization}'s providers, so permission is not the reason.`
        : `You are a member of ${organization}, and members can read all of its providers.`,
    ],
    hint: askMeant(near) ?? 'Check the registry, the namespace and the name.',
  };
}

/** What it means that a token is not there. Completes "acme …". */
const NO_TOKEN = {
  'generate-audit-token': {
    finding: 'is probably not entitled to audit logging',
    hint: 'Check the plan of the organization.',
  },
  'delete-audit-token': {
    finding: 'has no audit trail token',
    hint: 'There is nothing to delete, unless you mean another organization.',
  },
  'show-audit-token': {
    finding: "has no audit trail token, or this service can't show one",
    hint: 'If it has none, audit-token generate creates one; if it has one, that replaces it.',
  },
  'generate-organization-token': {
    finding: "can't have an organization token on this service",
    hint: 'Check the name of the organization.',
  },
  'delete-organization-token': {
    finding: "has no organization token, or this service can't delete it",
    hint: 'There is nothing to delete, unless you mean another organization.',
  },
  'show-organization-token': {
    finding: "has no organization token, or this service can't show it",
    hint: 'Check the name of the organization.',
  },
};

/** No reason but a missing permission is in the document: the others are assumed. */
function explainToken(
  call: RefusedCall,
  operation: keyof typeof NO_TOKEN,
  reached: string,
  evidence: Evidence,
): Diagnosis {
  const name = call.organization ?? '';
  const isAllowed = mayManageToken(call, evidence);
  if (isAllowed === false) return toMissing(call, `You are a member of ${name}, and not in its owners team.`);
  if (isAllowed === undefined) {
    const token = operation.endsWith('audit-token') ? 'audit trail token' : 'organization token';
    return {
      verdict: 'unknown',
      reasons: [reached, `Unknown: whether you have permission to manage its ${token}.`],
      hint: 'Use a token of an owner, of the owners team or of the organization.',
    };
  }
  const { finding, hint } = NO_TOKEN[operation];
  return {
    verdict: 'absent',
    finding: `${name} ${finding}`,
    reasons: ['Your token can manage it, so permission is not the reason.'],
    hint,
  };
}

/** Whether the token may manage the audit trail token of the organization; undefined where nothing proves it. */
export function mayManageToken(call: Question, { own, account }: Evidence): boolean | undefined {
  if (isPerson(own)) return findMembership(call, own)?.isOwner;
  return typeof account === 'object' && readAccountName(account.service) === 'organization' ? true : undefined;
}

/** For what belongs to no organization, or to one about which nothing is known. */
function explainWithout(call: RefusedCall, evidence: Evidence): Diagnosis | undefined {
  switch (call.operation) {
    case 'remove-member':
      return evidence.object === 'reached'
        ? toMissing(call, 'The member exists, and your token can read it.')
        : evidence.object === 'refused'
          ? explainMember(call, evidence)
          : undefined;
    case 'add-team-members':
    case 'remove-team-members':
      return evidence.object === 'reached'
        ? toMissing(call, 'The team exists, and your token can read it.')
        : undefined;
    case 'generate-team-token':
      // Its team was found before.
      return call.isByPath === true ? undefined : toMissing(call, 'The team exists, and your token can see it.');
    case 'show-member':
      return explainMember(call, evidence);
    case 'list-audit-trail':
      return {
        verdict: 'unknown',
        // Assumed: the hosted service gives a token without permission an empty audit trail, and no 404.
        reasons: ['As far as is known, a token without permission gets an empty audit trail, and no 404.'],
        hint: 'Check the base URL: is it the service you mean?',
      };
    default:
      return undefined;
  }
}

/** Who may manage the memberships of an organization sees them: elsewhere a 404 can be a missing permission. */
function explainMember({ object }: RefusedCall, { own, account }: Evidence): Diagnosis | undefined {
  const hint = 'Check the id: members list shows those of an organization.';
  if (typeof account === 'object' && readAccountName(account.service) === 'organization') {
    return {
      verdict: 'absent',
      finding: `your organization has no member ${object}`,
      reasons: [`Your token acts as ${account.service}.`, 'Unknown: whether another organization has one.'],
      hint,
    };
  }
  if (!isPerson(own)) return undefined;
  const owned = listOrganizations(own.filter(({ isOwner }) => isOwner === true));
  if (owned.length === 0) return undefined;
  const others = listOrganizations(own).filter((name) => !owned.includes(name));
  return {
    verdict: 'absent',
    finding: `no member ${object} in ${listNames(owned, ' or')}`,
    reasons: [
      `You are an owner of ${listNames(owned)}, so permission is not the reason.`,
      `Unknown: whether ${others.length === 0 ? '' : `${listNames(others)} or `}another organization has one.`,
    ],
    hint,
  };
}

function toMissing(call: RefusedCall, found: string): Diagnosis {
  const operation: Operation = OPERATIONS[call.operation];
  const what = operation.permission?.replace(':organization', call.organization ?? '') ?? call.what;
  return {
    verdict: 'missing-permission',
    finding: `you don't have permission to ${what}`,
    reasons: [found, ...listCallers(operation)],
  };
}
