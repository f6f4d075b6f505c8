import type { Context } from '../../context/context.ts';
import { OrgctlError } from '../../errors.ts';
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
        : 'Use the organization token or the audit trail token.',
  });
}
