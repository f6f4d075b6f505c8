import { UsageError } from '../../errors.ts';
import type { Service } from '../../service/service.ts';

/**
 * Terraform Enterprise ignores the parameter that names the audit trail token: there the same request acts on the
 * organization's main token. Refuses on positive evidence of it; a service that says nothing is let pass.
 */
export async function refuseEnterprise(service: Service, organization: string, allow: boolean): Promise<void> {
  const { appName, enterpriseVersion } = await service.identify();
  if (allow || (appName !== 'Terraform Enterprise' && enterpriseVersion === undefined)) return;
  throw new UsageError('this service is Terraform Enterprise, where audit trail tokens do not exist', {
    reasons: [
      `it says so itself (${enterpriseVersion === undefined ? `TFP-AppName: ${appName}` : `X-TFE-Version: ${enterpriseVersion}`})`,
      `the request would act on the main organization token of ${organization} instead`,
    ],
    hint: 'Only if that is what you want, add --allow-enterprise.',
  });
}
