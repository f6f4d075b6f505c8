import type { Asked } from '../input/confirmations.ts';
import { type RetiringToken, toWords } from '../rotation/journal.ts';
import { toName } from '../rotation/names.ts';
import type { DeliveryReport, RotationInput, RotationResult, Unfinished } from '../rotation/types.ts';
import type { Sentence } from '../stdout/columns.ts';
import { toFullTime, toRelativeTime, toUtc } from '../text/time.ts';
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

/** Completes the sentence "Would …". `hidden`: whether there is one is not known. `expiredAt` undefined: the service decides. */
export function describeReplacement(
  name: string,
  replaced: Exclude<Replaced, undefined> | 'hidden',
  expiredAt: string | null | undefined,
  now: number,
): string {
  const toExpiry = (token: string): string => {
    if (expiredAt === undefined) return `the service decides when ${token} expires`;
    return `${token} ${expiredAt === null ? 'would never expire' : `would expire ${toFullTime(expiredAt, now)}`}`;
  };
  if (replaced === 'nothing') return `create ${name}; ${toExpiry('it')}`;
  if (replaced === 'hidden') return `create or replace ${name} (no token is shown to you); ${toExpiry('the new one')}`;
  const old = describeToken(replaced, now);
  return `replace ${name}${old === '' ? '' : ` (${old})`}; ${toExpiry('the new one')}`;
}

/** What a dry run says of a rotation that did not end. */
export function describeUnfinished(which: Which, { startedAt, next }: Unfinished, now: number): string {
  return `An unfinished rotation of ${toName(which)}, started ${toFullTime(startedAt, now)}: this one would ${NEXT[next]}.`;
}

const NEXT: Readonly<Record<Unfinished['next'], string>> = {
  deliver: 'deliver its token, and create none',
  'find-out': 'first find out what became of its token',
  'start-over': 'start over, since it sent no request',
};

/** The same of an old token. `isAfter`: there must be a new one before. */
export function describeDeletion(organization: string, old: RetiringToken, isAfter: boolean): string {
  const which = `delete ${organization}'s old token ${toWords(old)}`;
  if (isAfter) return `${which}, once the new one is delivered and works`;
  return `${which}, which was kept until ${toUtc(Date.parse(old.from))}`;
}

/** Asks whether one token may be replaced. `expiredAt` undefined: the service decides. */
export function toReplacementQuestion(
  which: Which,
  replaced: Replaced,
  expiredAt: string | null | undefined,
  now: number,
  /** Whether the old one stays until the new one works. */
  isBeside = false,
): Asked<'generate' | 'rotate'> {
  const token = toName(which);
  const expiry =
    expiredAt === undefined
      ? 'The service decides when the new token expires.'
      : `The new token${describeExpiry(expiredAt, now).replace('; it', '')}.`;
  if (replaced === 'nothing') {
    const consequences = [`${which.organization} has no ${which.noun}.`, expiry];
    return { replace: 'Create', token, consequences };
  }
  const old = replaced === undefined ? 'if it has one' : describeToken(replaced, now);
  if (isBeside) {
    const which = old === '' ? '' : ` (${old})`;
    const consequences = [`The old token${which} is deleted once the new one is delivered and works.`, expiry];
    return { replace: 'Replace', token, consequences };
  }
  const consequence = `${which.organization}'s current token${old === '' ? '' : ` (${old})`} stops working at once.`;
  return { replace: 'Replace', token, consequences: [consequence, expiry] };
}

type Which = Pick<RotationInput, 'noun' | 'organization'>;
type Conditions = Pick<RotationInput, 'ifExpiresWithin' | 'ifOlderThan' | 'noun'>;

/** A sentence for each thing that a rotation did. Without a delivery it changed nothing. */
export function describeRotation(
  result: RotationResult,
  delivery: DeliveryReport | undefined,
  conditions: Conditions,
  now: number,
): readonly Sentence[] {
  const { organization, sinks } = result;
  const { noun } = conditions;
  if (delivery === undefined) {
    return [{ sign: '=', text: describeUnchanged(result, conditions, now) }, ...describeRetired(result)];
  }
  const expiry = describeExpiry(result['expired-at'], now);
  return [
    delivery.isNew
      ? { sign: '✓', text: `${describeCreation(result, noun, delivery.isFirst)}${expiry}` }
      : { sign: '=', text: `${toName({ organization, noun })} is the one of the unfinished rotation${expiry}` },
    ...sinks.map(({ sink, delivered }): Sentence => {
      const failure = delivery.failures.get(sink);
      return delivered
        ? { sign: '✓', text: `Delivered to ${sink}` }
        : { sign: '✗', text: `Not delivered to ${sink}${failure === undefined ? '' : `: ${failure}`}` };
    }),
    describeVerification(result),
    ...describeRetired(result),
  ];
}

/** `Created acme's audit trail token (there was none)` */
export function describeCreation(
  { organization, team, description }: RotationResult,
  noun: string,
  isFirst: boolean,
): string {
  if (isFirst) {
    const which = description === undefined ? '' : `${description}; `;
    return `Created ${toName({ organization, noun })} (${which}there was none)`;
  }
  return team === undefined || description === undefined
    ? `Created ${organization}'s new ${noun}`
    : `Created a new token of team ${team.name} in ${organization} (${description})`;
}

export function describeRetired({ retired = [] }: Pick<RotationResult, 'retired'>): readonly Sentence[] {
  return retired.map(({ id, description = '', deleted, 'kept-until': until }): Sentence => {
    const which = description === '' ? id : description;
    if (deleted) return { sign: '✓', text: `Deleted the old one (${which})` };
    if (until !== undefined)
      return { sign: '=', text: `Kept the old one (${which}, ${id}) until ${toUtc(Date.parse(until))}` };
    return { sign: '✗', text: `Not deleted: the old one (${which}, ${id})` };
  });
}

/** Why a rotation changed nothing, and when one will. */
export function describeUnchanged(
  { organization, 'created-at': created, 'expired-at': expires }: RotationResult,
  { ifExpiresWithin, ifOlderThan, noun }: Conditions,
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
  return `Left ${toName({ organization, noun })} alone${facts.length === 0 ? '' : `: ${facts.join('; ')}`}.`;
}

function toDate(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

const PASSED: Readonly<Record<Exclude<RotationResult['checks'][number]['check'], 'account'>, string>> = {
  metadata: 'it is the current token',
  'audit-trail': 'it reads the audit trail',
  command: '--verify-command accepts it',
};

function describeVerification(result: RotationResult): Sentence {
  const { verified, checks } = result;
  if (verified !== true) return { sign: verified === null ? '!' : '✗', text: describeUnverified(result) };
  const passed = checks.flatMap(({ check, passed: isPassed }) => {
    if (isPassed !== true) return [];
    // Of tokens that stand beside each other none is the current one.
    if (check === 'metadata' && result.description !== undefined) return [];
    return [check === 'account' ? describeAccount(result) : PASSED[check]];
  });
  return { sign: '✓', text: `Verified: ${passed.join(', ').replace(/, (?=[^,]*$)/, ', and ')}` };
}

/** What an account says of a secret. */
function describeAccount({ organization, team }: RotationResult): string {
  return team === undefined ? `it is a token of ${organization}` : `it is a token of team ${team.name}`;
}

/** `Not verified: the audit trail has no events yet, or can't be read` */
export function describeUnverified({ verified, checks }: Pick<RotationResult, 'verified' | 'checks'>): string {
  const doubts = checks.filter(({ passed }) => passed === verified).map(({ detail }) => detail);
  return `Not verified: ${doubts.length === 0 ? 'the rotation was interrupted' : doubts.join('; ')}`;
}
