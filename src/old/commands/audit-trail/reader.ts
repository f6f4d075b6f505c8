import type { Context } from '../../context/context.ts';
import { OrgctlError, UsageError } from '../../errors.ts';
import { isSameName } from '../../names.ts';
import type { Caller } from '../../service/caller.ts';
import { findEvidence } from '../../service/enterprise.ts';
import type { Service } from '../../service/service.ts';

/** An empty trail says nothing of the token that reads it. */
export const SAME_ANSWER = "The service answers the same to a token that can't read the audit trail.";

/** Throws for a token that the service answers with an empty list whatever has happened. */
export function refuseReader({ kind, name }: Caller, service: Service, { identity }: Pick<Context, 'identity'>): void {
  if (kind !== 'user' && kind !== 'team') return;
  const isEnterprise = findEvidence(service) !== undefined;
  const account = name === undefined ? '' : ` (${name})`;
  throw new OrgctlError('not-authenticated', `this token can't read the audit trail: it is a ${kind} token${account}`, {
    code: 'wrong-token-kind',
    // Its document has none; one that answers all the same is read.
    reasons: isEnterprise ? ['This is Terraform Enterprise, which has no audit trail by its documentation.'] : [],
    hint: identity.isSandbox
      ? 'Act as one that can: --as org-token or --as audit-token.'
      : isEnterprise
        ? 'If this one has a trail, the organization token reads it.'
        : 'Use the organization token or the audit trail token. See how:',
    ...(identity.isSandbox || isEnterprise ? {} : { next: [['orgctl', 'help', 'jobs']] }),
  });
}

/**
 * Throws for a token that can't read the trail, and UsageError for one of another organization than the one that is meant.
 * `sayStart`: once it may be read.
 */
export async function checkOwner(
  context: Pick<Context, 'identity'>,
  service: Service,
  organization: string,
  sayStart: () => void = () => undefined,
): Promise<Caller> {
  const caller = await service.identifyCaller();
  // Terraform Enterprise says first whether it has a trail at all.
  if (findEvidence(service) === undefined) refuseReader(caller, service, context);
  sayStart();
  const own = caller.organization;
  if (own === undefined || isSameName(own, organization)) return caller;
  throw new UsageError(`this token reads the audit trail of ${own}, not of ${organization}`, {
    hint: `Use a token of ${organization}, or --org ${own}. Nothing was read.`,
  });
}

/** The organization that the command line names. In the sandbox it decides which token is used. */
export function findAsked({ identity }: Pick<Context, 'identity'>): string | undefined {
  return identity.optionGiven('org') && !identity.isSandbox ? identity.organization() : undefined;
}

export const UNCHECKED = 'The token decides whose audit trail is read; --org is not checked.';
