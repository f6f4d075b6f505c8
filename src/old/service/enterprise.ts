import { ConnectionError, OrgctlError, orUndefined, UsageError } from '../errors.ts';
import { findEnterpriseHeader, isNamed } from './diagnosis/address.ts';
import type { Service } from './service.ts';

/**
 * Terraform Enterprise ignores the parameter that names the audit trail token: there the same request acts on the
 * organization's main token, as with some other services. Throws UsageError where the service says that it is that, or says
 * nothing of itself and shows one token for both.
 */
export async function refuseEnterprise(service: Service, organization: string, allow: boolean): Promise<void> {
  if (!(await service.identify())) {
    // What breaks the answer to a reading would break the answer with the new token too.
    const found = await service.auditTokens.find(organization).catch((error: unknown) => {
      if (error instanceof ConnectionError && error.failure === 'breaks-http') throw error;
    });
    if (!allow && found !== undefined && (await isOrganizationToken(service, organization, found.data.id))) {
      throw new UsageError('this service has no audit trail tokens', {
        reasons: [`It answers for one with ${organization}'s main organization token, on which the request would act.`],
        hint: 'If that is what you want, add --allow-enterprise.',
      });
    }
  }
  refuseEvidence(service, organization, allow);
}

/**
 * Whether the service passes over the parameter that names the audit trail token, though it is not known as Terraform
 * Enterprise: both readings then have one id. Asks only a service that does not say what it is.
 */
export async function isOrganizationToken(service: Service, organization: string, id: string): Promise<boolean> {
  if (isKnown(service)) return false;
  try {
    return (await orUndefined(service.tokens.show({ kind: 'organization', organization })))?.data.id === id;
  } catch (error) {
    if (error instanceof OrgctlError) return false;
    throw error;
  }
}

/** Says so of a new token, and whether it is that: where neither was there before, no reading shows it. */
export async function warnOfOrganizationToken(
  service: Service,
  organization: string,
  id: string | undefined,
  warn: (text: string) => void,
): Promise<boolean> {
  if (id === undefined || !(await isOrganizationToken(service, organization, id))) return false;
  warn(`this service has no audit trail tokens: ${id} is ${organization}'s main organization token`);
  return true;
}

/** Looks again after further answers. */
export function refuseEvidence(service: Service, organization: string, allow: boolean): void {
  const evidence = findEvidence(service);
  if (allow || evidence === undefined) return;
  throw new UsageError('this service is Terraform Enterprise, where audit trail tokens do not exist', {
    reasons: [
      `The service says so: ${evidence}.`,
      `The request would act on ${organization}'s main organization token instead.`,
    ],
    hint: 'If that is what you want, add --allow-enterprise.',
  });
}

/** Whether some answer said what service it is. */
export function isKnown({ identity }: Service): boolean {
  return isNamed(identity);
}

export function findEvidence({ identity }: Service): string | undefined {
  return findEnterpriseHeader(identity);
}
