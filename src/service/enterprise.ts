import { ConnectionError, UsageError } from '../errors.ts';
import { findEnterpriseHeader } from './diagnosis/address.ts';
import type { Service } from './service.ts';

/**
 * Terraform Enterprise ignores the parameter that names the audit trail token: there the same request acts on the
 * organization's main token. Throws UsageError where the service says that it is that.
 */
export async function refuseEnterprise(service: Service, organization: string, allow: boolean): Promise<void> {
  if (!(await service.identify())) {
    // What breaks the answer to a reading would break the answer with the new token too.
    await service.auditTokens.find(organization).catch((error: unknown) => {
      if (error instanceof ConnectionError && error.failure === 'breaks-http') throw error;
    });
  }
  refuseEvidence(service, organization, allow);
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

export function findEvidence({ identity }: Service): string | undefined {
  return findEnterpriseHeader(identity);
}
