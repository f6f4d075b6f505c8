import { OrgctlError, ServiceError } from '../lib/errors.ts';
import { isSameName, suggest } from '../lib/text.ts';
import type { Client } from './client.ts';
import { listOwnOrganizations, type OwnOrganization } from './organizations.ts';

/**
 * The service answers 404 to what is absent and to what is not permitted. One reading, of the caller's own memberships,
 * tells which of four it is: not a member, not accepted yet, no permission, absent.
 */
export async function explainNotFound(error: OrgctlError, client: Client): Promise<OrgctlError> {
  if (!(error instanceof ServiceError) || error.status !== 404 || error.call?.org === undefined) return error;
  const { org } = error.call;
  try {
    return explain(error, error.call, org, await listOwnOrganizations(client));
  } catch (reason) {
    if (reason instanceof OrgctlError) return error;
    throw reason;
  }
}

function explain(
  error: ServiceError,
  { what, who, isAboutOrg }: NonNullable<ServiceError['call']>,
  org: string,
  own: OwnOrganization[],
): ServiceError {
  const membership = own.find(({ name }) => isSameName(name, org));
  const reword = (message: string, reasons: string[], hint?: string): ServiceError =>
    new ServiceError('not-found', message, error, { reasons, hint, cause: error });
  if (own.length === 0) {
    const reason = 'Your token is a member of no organization; tokens of teams and organizations never are.';
    return reword(error.message, [...error.reasons, reason], error.hint);
  }
  if (!membership) {
    const names = own.map(({ name }) => name);
    return reword(
      `you are not a member of ${org}`,
      [],
      suggest(org, names) ?? `Your organizations: ${names.join(', ')}.`,
    );
  }
  if (membership.status !== 'active') {
    return reword(
      `you are ${membership.status} in ${org}, not an active member`,
      [],
      'Accept the invitation in your email first.',
    );
  }
  if (membership.isOwner) {
    const said = error.reasons.filter((reason) => reason !== who);
    return reword(`can't ${what}: not found`, [
      ...said,
      `You are an owner of ${org}, so permission is not the reason.`,
    ]);
  }
  return who && isAboutOrg ? reword(`you don't have permission to ${what}`, [who]) : error;
}
