import { copyError, OrgctlError, ServiceError } from '../lib/errors.ts';
import { isSameName, suggest } from '../lib/text.ts';
import type { Client } from './client.ts';
import { isRefused } from './not-found.ts';
import { listOwnOrganizations, type OwnOrganization } from './organizations.ts';

/**
 * A 404 may mean absence or missing permission. The caller's own memberships tell which: not a member, invitation not
 * accepted, no permission, or absent. An explained error has no call, so nothing explains it again.
 */
export function createExplainer(client: Client): (error: OrgctlError) => Promise<OrgctlError> {
  let own: Promise<OwnOrganization[]> | undefined;
  return async (error) => {
    if (!(error instanceof ServiceError) || error.status !== 404 || error.call?.org === undefined) return error;
    try {
      own ??= listOwnOrganizations(client);
      return explain(error, error.call, error.call.org, await own);
    } catch (reason) {
      if (isRefused(reason)) {
        const { pathname } = (await client.connect()).baseUrl;
        const why = /^\/api\/v2\/?$/.test(pathname)
          ? "Your token is not a person's. An audit trail token reads only the audit trail."
          : `Your token is not a person's, or the base URL is wrong: its path is ${pathname}.`;
        return reword(error, error.message, [...error.reasons, why], error.hint);
      }
      if (reason instanceof OrgctlError) return error;
      throw reason;
    }
  };
}

function explain(
  error: ServiceError,
  { action, who, isAboutOrg, absent }: NonNullable<ServiceError['call']>,
  org: string,
  own: OwnOrganization[],
): ServiceError {
  const membership = own.find(({ name }) => isSameName(name, org));
  if (own.length === 0) {
    const reason = 'Your token is not a member of any organization; team and organization tokens never are.';
    return reword(error, error.message, [...error.reasons, reason], error.hint);
  }
  if (!membership) {
    const names = own.map(({ name }) => name);
    const hint = suggest(org, names) ?? `Your organizations: ${names.join(', ')}.`;
    return reword(error, `you are not a member of ${org}`, [], hint);
  }
  if (membership.status !== 'active') {
    const message = `you are ${membership.status} in ${org}, not an active member`;
    return reword(error, message, [], 'Accept the invitation in your email first.');
  }
  if (membership.isOwner) {
    const reasons = error.reasons.filter((reason) => reason !== who);
    return reword(error, absent ?? `can't ${action}: not found (you are an owner of ${org})`, reasons);
  }
  const isNoOwner = membership.isOwner === false;
  return who && isAboutOrg && isNoOwner ? reword(error, `you don't have permission to ${action}`, [who]) : error;
}

function reword(error: ServiceError, message: string, reasons: string[], hint?: string): ServiceError {
  return copyError(error, { message, reasons, hint, call: undefined });
}
