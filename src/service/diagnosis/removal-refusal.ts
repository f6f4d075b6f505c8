import { ServiceError } from '../../errors.ts';
import type { Membership } from '../../wire/resources.ts';

/**
 * A 403 to the removal of a person whom an identity provider manages, with that in place of the one reason that the
 * service's document has. `membership` is as it was read after the refusal. Assumed: that the service refuses it so. Pure.
 */
export function explainRemovalRefusal(
  error: ServiceError,
  membership: Membership,
  names: { readonly person: string; readonly organization: string },
): ServiceError {
  const identity = membership.relationships?.['scim-identity']?.data;
  if (identity === undefined || identity === null) return error;
  const finding = `the identity provider of ${names.organization} manages ${names.person} (SCIM)`;
  return new ServiceError(error.exit, finding, error, {
    code: 'managed-by-identity-provider',
    hint: 'Remove them in the identity provider.',
  });
}
