import type { RotationInput } from './types.ts';

type Which = Pick<RotationInput, 'noun' | 'organization'>;

/** `acme's audit trail token` */
export function toName({ organization, noun }: Which): string {
  return `${organization}'s ${noun}`;
}

/** `rotation of acme`: of the token that was the only one at first. */
export function toRotationName({ organization, noun }: Which): string {
  return noun === AUDIT_TRAIL_TOKEN ? `rotation of ${organization}` : `rotation of ${toName({ organization, noun })}`;
}

export const AUDIT_TRAIL_TOKEN = 'audit trail token';
