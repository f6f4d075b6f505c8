import { OrgctlError, ServiceError } from '../lib/errors.ts';
import { isSameName, suggest } from '../lib/text.ts';
import type { Client } from './client.ts';
import { listOwnOrganizations, type OwnOrganization } from './organizations.ts';

/**
 * The service answers 404 to what is absent and to what is not permitted. One reading, of the caller's own memberships,
 * tells which of four it is: not a member, not accepted yet, no permission, absent. Never throws.
 */
export async function explainNotFound(error: OrgctlError, client: Client): Promise<OrgctlError> {
  if (!(error instanceof ServiceError) || error.status !== 404 || error.call?.org === undefined) return error;
  const { org } = error.call;
  try {
    const own = await listOwnOrganizations(client);
    return explain(
      error,
      org,
      own.find(({ name }) => isSameName(name, org)),
      own,
    );
  } catch (reason) {
    if (reason instanceof OrgctlError) return error;
    throw reason;
  }
}

function explain(
  error: ServiceError,
  org: string,
  membership: OwnOrganization | undefined,
  own: OwnOrganization[],
): ServiceError {
  const { what, who, isAboutOrg } = error.call ?? { what: '' };
  const reword = (message: string, reasons: string[], hint?: string): ServiceError =>
    new ServiceError('not-found', message, error, { reasons, hint, cause: error });
  if (!membership) {
    const names = own.map(({ name }) => name);
    const known =
      names.length === 0 ? 'You are a member of no organization.' : `Your organizations: ${names.join(', ')}.`;
    return reword(`you are not a member of ${org}`, [], suggest(org, names) ?? known);
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
