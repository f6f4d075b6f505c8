import type { DeliveryReport, RotationInput, RotationResult } from '../rotation/types.ts';
import type { Confirmation } from '../stderr/prompt.ts';
import type { Sentence } from '../stdout/columns.ts';
import { toFullTime, toRelativeTime } from '../text/time.ts';
import type { ResourceDocument } from '../wire/json-api.ts';

/** Tokens and rotations as people read them. `now` in milliseconds. */

/** `created 20 days ago, never used`; empty where the service says neither. */
export function describeToken({ data }: ResourceDocument, now: number): string {
  const { 'created-at': created, 'last-used-at': used } = data.attributes ?? {};
  return [
    typeof created === 'string' ? `created ${toRelativeTime(created, now)}` : '',
    typeof used === 'string' ? `used ${toRelativeTime(used, now)}` : used === null ? 'never used' : '',
  ]
    .filter((text) => text !== '')
    .join(', ');
}

/** `; it expires in 90 days (2027-02-20 00:20 UTC)`; nothing where the service does not say. */
export function describeExpiry(expiredAt: string | null | undefined, now: number): string {
  if (expiredAt === undefined) return '';
  return `; it ${expiredAt === null ? 'never expires' : `expires ${toFullTime(expiredAt, now)}`}`;
}

/** What a new token replaces: undefined where nothing is known of it. */
export type Replaced = ResourceDocument | 'nothing' | undefined;

/** Completes the sentence "Would …". `expiredAt` undefined: the service decides. */
export function describeReplacement(
  organization: string,
  replaced: Replaced,
  expiredAt: string | null | undefined,
  now: number,
): string {
  const toExpiry = (token: string): string => {
    if (expiredAt === undefined) return `the service decides when ${token} expires`;
    return `${token} ${expiredAt === null ? 'would never expire' : `would expire ${toFullTime(expiredAt, now)}`}`;
  };
  if (replaced === 'nothing') return `create ${organization}'s audit trail token; ${toExpiry('it')}`;
  const old = replaced === undefined ? '' : describeToken(replaced, now);
  return `replace ${organization}'s audit trail token${old === '' ? '' : ` (${old})`}; ${toExpiry('the new one')}`;
}

/** Asks whether one token may be replaced. `expiredAt` undefined: the service decides. */
export function toReplacementQuestion(
  organization: string,
  replaced: Replaced,
  expiredAt: string | null | undefined,
  now: number,
): Confirmation {
  const expiry =
    expiredAt === undefined
      ? 'The service decides when the new token expires.'
      : `The new token${describeExpiry(expiredAt, now).replace('; it', '')}.`;
  if (replaced === 'nothing') {
    return { question: `Create ${organization}'s audit trail token?`, consequences: [expiry] };
  }
  const old = replaced === undefined ? 'if it has one' : describeToken(replaced, now);
  const consequence = `${organization}'s current token${old === '' ? '' : ` (${old})`} stops working at once.`;
  return { question: `Replace ${organization}'s audit trail token?`, consequences: [consequence, expiry] };
}

type Conditions = Pick<RotationInput, 'ifExpiresWithin' | 'ifOlderThan'>;

/** A sentence for each thing that a rotation did. Without a delivery it changed nothing. */
export function describeRotation(
  result: RotationResult,
  delivery: DeliveryReport | undefined,
  conditions: Conditions,
  now: number,
): readonly Sentence[] {
  const { organization, sinks } = result;
  if (delivery === undefined) return [{ sign: '=', text: describeUnchanged(result, conditions, now) }];
  const expiry = describeExpiry(result['expired-at'], now);
  return [
    delivery.isNew
      ? { sign: '✓', text: `Created ${organization}'s new audit trail token${expiry}` }
      : { sign: '=', text: `${organization}'s token is the one of the unfinished rotation${expiry}` },
    ...sinks.map(({ sink, delivered }): Sentence => {
      const failure = delivery.failures.get(sink);
      return delivered
        ? { sign: '✓', text: `Delivered to ${sink}` }
        : { sign: '✗', text: `Not delivered to ${sink}${failure === undefined ? '' : `: ${failure}`}` };
    }),
    describeVerification(result),
  ];
}

/** Why a rotation changed nothing, and when one will. */
export function describeUnchanged(
  { organization, 'created-at': created, 'expired-at': expires }: RotationResult,
  { ifExpiresWithin, ifOlderThan }: Conditions,
  now: number,
): string {
  const dates = [
    ifExpiresWithin === undefined ? Number.NaN : Date.parse(expires ?? '') - ifExpiresWithin,
    ifOlderThan === undefined ? Number.NaN : Date.parse(created ?? '') + ifOlderThan,
  ].filter((date) => !Number.isNaN(date));
  const facts = [
    typeof expires === 'string' ? `it expires ${toRelativeTime(expires, now)}` : '',
    expires === null ? 'it never expires' : '',
    expires === undefined && created !== undefined ? `it was created ${toRelativeTime(created, now)}` : '',
    dates.length === 0 ? '' : `rotation is due from ${toDate(Math.min(...dates))}`,
  ].filter((text) => text !== '');
  return `Left ${organization}'s audit trail token alone${facts.length === 0 ? '' : `: ${facts.join('; ')}`}.`;
}

function toDate(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

const PASSED: Readonly<Record<RotationResult['checks'][number]['check'], string>> = {
  metadata: 'it is the current token',
  'audit-trail': 'it reads the audit trail',
  command: '--verify-command accepts it',
};

function describeVerification(result: RotationResult): Sentence {
  const { verified, checks } = result;
  if (verified !== true) return { sign: verified === null ? '!' : '✗', text: describeUnverified(result) };
  const passed = checks.flatMap(({ check, passed: isPassed }) => (isPassed === true ? [PASSED[check]] : []));
  return { sign: '✓', text: `Verified: ${passed.join(', ').replace(/, (?=[^,]*$)/, ', and ')}` };
}

/** `Not verified: the audit trail has no events yet, or can't be read` */
export function describeUnverified({ verified, checks }: Pick<RotationResult, 'verified' | 'checks'>): string {
  const doubts = checks.filter(({ passed }) => passed === verified).map(({ detail }) => detail);
  return `Not verified: ${doubts.length === 0 ? 'the rotation was interrupted' : doubts.join('; ')}`;
}
