import { OrgctlError } from '../../errors.ts';

/** `name` is a sink's, `reason` says why it has not got the secret. */
export function toUndelivered(name: string, reason: string, cause?: unknown): OrgctlError {
  return new OrgctlError('not-delivered', `${name} did not get the new token`, { reasons: [reason], cause });
}
