import { OPERATIONS, type Operation } from '../operations.ts';
import { describeCallers } from '../problem.ts';
import { type Evidence, isAuditToken, isPerson, listOrganizations, readAccountName } from './evidence.ts';
import { findMembership, isMember, type RefusedCall } from './refusal.ts';

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
  readonly reasons: readonly string[];
  readonly hint?: string;
}

/** Says what is proved, and names what is not. */
export function diagnose(call: RefusedCall, evidence: Evidence): Diagnosis {
  if (evidence.own === 'unauthorized') {
    return {
      verdict: 'invalid-token',
      reasons: ['The same token was just rejected (401): it is no longer valid.'],
      hint: 'Set ORGCTL_TOKEN to a valid token of this service.',
    };
  }
  if (isAuditToken(evidence)) {
    return {
      verdict: 'wrong-token-kind',
      reasons: [
        'This looks like an audit trail token: it reads the audit trail, and was refused its own account and memberships.',
      ],
      hint: 'Use the token of a user, a team or the organization.',
    };
  }
  return (
    explainEdition(call, evidence) ??
    explainUnreached(call, evidence) ??
    (isReached(call, evidence) ? explainWithin(call, evidence) : explainWithout(call, evidence)) ??
    UNKNOWN
  );
}

const UNKNOWN: Diagnosis = { verdict: 'unknown', reasons: ['Unknown: which of these is true.'] };

function isReached(call: RefusedCall, { own, organization, providers, object }: Evidence): boolean {
  if (call.organization === undefined) return false;
  return [organization, providers, object].includes('reached') || isMember(call, own);
}

/** By the document feature sets exist in the hosted edition only. */
function explainEdition({ operation }: RefusedCall, { isEnterprise }: Evidence): Diagnosis | undefined {
  if (isEnterprise !== true) return undefined;
  if (operation !== 'list-feature-sets' && operation !== 'list-organization-feature-sets') return undefined;
  return {
    verdict: 'absent',
    reasons: ['This is Terraform Enterprise. Feature sets exist in the hosted edition only.'],
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
    const others =
      names.length === 0 ? 'You are a member of no organization.' : `Your organizations: ${listNames(names)}.`;
    return {
      verdict: 'organization-not-reached',
      reasons: [`You are not a member of ${name}. ${others}`, unknown],
      hint: 'Check the name of the organization, or ask one of its owners for an invitation.',
    };
  }
  const isRefused = organization === 'refused' || providers === 'refused';
  const isService = typeof account === 'object';
  if (!isRefused || !(isService || Array.isArray(own))) return undefined;
  const what = organization === 'refused' ? 'members' : 'providers';
  return {
    verdict: 'organization-not-reached',
    reasons: [
      isService
        ? `Your token acts as ${account.service}, and can't list the ${what} of ${name}.`
        : `Your token has no memberships, and can't list the ${what} of ${name}.`,
      unknown,
    ],
    hint: 'Check the name of the organization: a token of a team or an organization works in its own one only.',
  };
}

function explainInactive(name: string, status: string | undefined): Diagnosis | undefined {
  if (status === undefined) return undefined;
  const isInvited = status === 'invited';
  const inactive = `You are no active member of ${name}: the service calls your membership ${status}.`;
  return {
    verdict: 'organization-not-reached',
    reasons: [isInvited ? `You are invited to ${name} and haven't accepted yet.` : inactive],
    hint: isInvited
      ? 'Accept the invitation, which came by email, and run the command again.'
      : 'Ask one of its owners.',
  };
}

const MOST_NAMES = 10;

export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES);
  return names.length > shown.length
    ? `${shown.join(', ')} and ${names.length - shown.length} more`
    : shown.join(', ').replace(/, ([^,]+)$/, ' and $1');
}

function explainWithin(call: RefusedCall, evidence: Evidence): Diagnosis | undefined {
  const name = call.organization ?? '';
  const isOwn = isMember(call, evidence.own);
  const reached = isOwn ? `${name} exists, and you are a member` : `${name} exists, and your token can read it`;
  switch (call.operation) {
    case 'invite-member':
    case 'find-invitees':
    case 'create-provider':
      return toMissing(call, `${reached}: you don't have permission.`);
    case 'list-members':
      // The document does not say who may.
      return evidence.organization === 'refused'
        ? {
            verdict: 'missing-permission',
            reasons: [`${reached}: the service doesn't show you its members.`],
            hint: 'Use the token of an owner.',
          }
        : undefined;
    case 'get-provider':
      return explainNoProvider(name, isOwn, evidence);
    case 'delete-provider':
      return evidence.object === 'reached'
        ? toMissing(call, "The provider exists, and your token can read it: you don't have permission to delete it.")
        : evidence.object === 'refused'
          ? explainNoProvider(name, isOwn, evidence)
          : undefined;
    case 'generate-audit-token':
    case 'delete-audit-token':
    case 'show-audit-token':
      return explainAuditToken(call, `${reached}.`, evidence);
    default:
      return {
        verdict: 'unknown',
        reasons: [`${reached}.`, "Unknown: whether the service has no such thing, or doesn't show it to you."],
        hint: 'Check the other names, and who may do this.',
      };
  }
}

/** By the document every member may view all providers. */
function explainNoProvider(name: string, isOwn: boolean, { providers }: Evidence): Diagnosis | undefined {
  if (!isOwn && providers !== 'reached') return undefined;
  return {
    verdict: 'absent',
    reasons: [
      isOwn
        ? `${name} has no such provider: you are a member, and members can view all of them.`
        : `${name} has no such provider: your token can list them, so permission is not the reason.`,
    ],
    hint: 'Check the registry, the namespace and the name.',
  };
}

/** No reason but a missing permission is in the document: the others are assumed. */
function explainAuditToken(call: RefusedCall, reached: string, evidence: Evidence): Diagnosis {
  const { operation, organization: name = '' } = call;
  const may = mayManageToken(call, evidence);
  if (may === false) return toMissing(call, `You are a member of ${name}, and not in its owners team.`);
  if (may === undefined) {
    return {
      verdict: 'unknown',
      reasons: [reached, 'Unknown: whether your token may manage the audit trail token.'],
      hint: 'Use a token of an owner, of the owners team or of the organization.',
    };
  }
  const reason = 'your token may manage it, so permission is not the reason';
  const absence = {
    'generate-audit-token': `${name} may not be entitled to audit logging`,
    'delete-audit-token': `${name} probably has no audit trail token`,
    'show-audit-token': `${name} has no audit trail token, or this service can't show one`,
  };
  return {
    verdict: 'absent',
    reasons: [`${absence[operation as keyof typeof absence]}: ${reason}.`],
    hint:
      operation === 'generate-audit-token'
        ? 'Check the plan of the organization.'
        : 'If it has none, audit-token generate creates one.',
  };
}

/** Whether the token may manage the audit trail token of the organization; undefined where nothing proves it. */
export function mayManageToken(call: RefusedCall, { own, account }: Evidence): boolean | undefined {
  if (isPerson(own)) return findMembership(call, own)?.isOwner;
  return typeof account === 'object' && readAccountName(account.service) === 'organization' ? true : undefined;
}

/** What belongs to no organization, or to one that nothing is known of. */
function explainWithout(call: RefusedCall, evidence: Evidence): Diagnosis | undefined {
  switch (call.operation) {
    case 'remove-member':
      return evidence.object === 'reached'
        ? toMissing(call, "The membership exists, and your token can read it: you don't have permission to remove it.")
        : evidence.object === 'refused'
          ? explainMember(evidence)
          : undefined;
    case 'show-member':
      return explainMember(evidence);
    case 'list-audit-trail':
      return {
        verdict: 'unknown',
        // Assumed: so the hosted service does.
        reasons: ['As far as is known, a token without permission is given an empty audit trail, and no 404.'],
        hint: 'Check the base URL: is it the service you mean?',
      };
    default:
      return undefined;
  }
}

/** Who may manage the memberships of an organization sees them: elsewhere a 404 can be a missing permission. */
function explainMember({ own, account }: Evidence): Diagnosis | undefined {
  const hint = 'Check the id: members list shows those of an organization.';
  if (typeof account === 'object' && readAccountName(account.service) === 'organization') {
    return {
      verdict: 'absent',
      reasons: [
        `Your token acts as ${account.service}, and the organization it belongs to has no such membership.`,
        'Unknown: whether another organization has it.',
      ],
      hint,
    };
  }
  if (!isPerson(own)) return undefined;
  const owned = listOrganizations(own.filter(({ isOwner }) => isOwner === true));
  if (owned.length === 0) return undefined;
  const others = listOrganizations(own).filter((name) => !owned.includes(name));
  return {
    verdict: 'absent',
    reasons: [
      `You are an owner of ${listNames(owned)}, and no such membership exists there.`,
      `Unknown: whether ${others.length === 0 ? '' : `${listNames(others)} or `}another organization has it.`,
    ],
    hint,
  };
}

function toMissing(call: RefusedCall, found: string): Diagnosis {
  const operation: Operation = OPERATIONS[call.operation];
  return {
    verdict: 'missing-permission',
    reasons: [found, describeCallers(operation)],
    hint: 'Use a token with that permission.',
  };
}
