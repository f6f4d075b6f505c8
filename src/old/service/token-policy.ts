import { once } from '../once.ts';
import { DAY, HOUR, MEAN_YEAR, MINUTE, parseDuration, SECOND } from '../when.ts';
import type { PolicyType } from './audit-token.ts';
import { findEvidence } from './enterprise.ts';
import type { Service } from './service.ts';

/** How long an organization lets new tokens be valid. */

/** A limit as a policy has it. */
export interface TokenPolicy {
  readonly milliseconds: number;
  /** `90 days` */
  readonly words: string;
  /** The limit as `--expires` takes it, or the longest such duration below it. */
  readonly text: string;
  /** No one has set it. */
  readonly isDefault: boolean;
}

/** The policy for tokens of one kind, and what it does: each is read once, when it is asked for. */
export function createPolicyReader(service: Service, organization: string, kind: PolicyType = 'audit_trails') {
  const isOn = once(() => service.auditTokens.findPolicySwitch(organization));
  return {
    find: once(() => findTokenPolicy(service, organization, kind)),
    findForce: async ({ isDefault }: TokenPolicy): Promise<PolicyForce> => toForce(await isOn(), isDefault),
  };
}

/** Undefined where the service does not show one. */
async function findTokenPolicy(
  service: Service,
  organization: string,
  kind: PolicyType,
): Promise<TokenPolicy | undefined> {
  // Where the request acts on the main token of the organization, that one's policy counts.
  const type = kind === 'audit_trails' && findEvidence(service) !== undefined ? 'organization' : kind;
  const milliseconds = await service.auditTokens.findMaximum(organization, type);
  return milliseconds === undefined || milliseconds > LONGEST ? undefined : toTokenPolicy(milliseconds);
}

/**
 * What a policy does to a longer expiry. A policy limits only while policies are on. The default is listed by every
 * organization, and what it does where they are on is not known.
 */
export type PolicyForce = 'limits' | 'unknown' | 'none';

function toForce(isOn: boolean | undefined, isDefault: boolean): PolicyForce {
  if (isOn === undefined) return isDefault ? 'none' : 'unknown';
  if (!isOn) return 'none';
  return isDefault ? 'unknown' : 'limits';
}

/** Of the mean Gregorian calendar, by which the service counts its default of two years. */
const MONTH = MEAN_YEAR / 12;
const DEFAULT = 24 * MONTH;
/** What is beyond it limits nothing. */
const LONGEST = 1_000 * 12 * MONTH;

/** `exactly`: only for what loses nothing. */
const UNITS = [
  { length: 12 * MONTH, exactly: true, word: 'year', unit: 'y' },
  { length: MONTH, exactly: true, word: 'month', unit: 'mo' },
  { length: DAY, exactly: true, word: 'day', unit: 'd' },
  { length: HOUR, exactly: true, word: 'hour', unit: 'h' },
  { length: DAY, exactly: false, word: 'day', unit: 'd' },
  { length: HOUR, exactly: false, word: 'hour', unit: 'h' },
  { length: MINUTE, exactly: false, word: 'minute', unit: 'm' },
  { length: SECOND, exactly: false, word: 'second', unit: 's' },
] as const;

/** Above zero. Rounded down where it is in no unit a whole number. */
export function toTokenPolicy(milliseconds: number): TokenPolicy {
  const found = UNITS.find(
    ({ length, exactly }) => milliseconds >= length && !(exactly && milliseconds % length !== 0),
  );
  const { length, word, unit } = found ?? { length: 1, word: 'millisecond', unit: 'ms' };
  const count = Math.floor(milliseconds / length);
  return {
    milliseconds,
    words: `${count} ${word}${count === 1 ? '' : 's'}`,
    text: `${count}${unit}`,
    isDefault: milliseconds === DEFAULT,
  };
}

/** The last moment it allows: two years of the calendar, of 730 or 731 days, are two years of 730.485 days. */
export function toLatest({ milliseconds, text }: TokenPolicy, now: number): number {
  return now + Math.max(milliseconds, parseDuration(text, 'policy', now));
}
