import { getField, type JsonObject } from '../../lib/json.ts';
import { plural } from '../../lib/text.ts';
import { formatMember, parseMemberRecord } from '../../members/member.ts';
import { createValueError, describeHidden, judge, parsePast, parseSpan, type Rule } from '../evidence.ts';
import { isPerson } from '../organization.ts';

const HIDDEN_PEOPLE = 'not all people are shown to you';

function namePerson(record: JsonObject): string {
  return formatMember(parseMemberRecord(record));
}

export const membersWithout2fa: Rule = {
  failsWhen: 'more active people have no second factor',
  initial: 0,
  prepare(max) {
    if (typeof max !== 'number' || !(Number.isSafeInteger(max) && max >= 0)) throw createValueError('a number', max);
    return async ({ attributes: { 'saml-enabled': hasSso }, seesPeople, ...organization }) => {
      if (hasSso === true) return { status: 'off', found: ['single sign-on'] };
      const { value: members = [], error } = await organization.members();
      const hasFactor = (one: object): unknown => getField(one, 'user.two-factor.enabled');
      const suspects = members.filter((one) => isPerson(one) !== false && hasFactor(one) !== true);
      const sure = suspects.filter((one) => isPerson(one) && hasFactor(one) === false).map(namePerson);
      const unsure = suspects.filter((one) => !isPerson(one) || hasFactor(one) !== false).map(namePerson);
      const doubts = [
        hasSso !== false && 'saml-enabled not shown',
        error,
        ...describeHidden('2FA, status or kind of account', suspects.length > max ? unsure : []),
        !seesPeople && HIDDEN_PEOPLE,
      ];
      return judge(hasSso === false && sure.length > max ? sure : [], doubts, plural(sure.length, 'person', 'people'));
    };
  },
};

export const owners: Rule = {
  failsWhen: 'fewer or more owners can log in',
  initial: '2..5',
  prepare(value) {
    const [, min, max] = (/^(\d{1,9})\.\.(\d{1,9})$/.exec(String(value)) ?? []).map(Number);
    if (min === undefined || max === undefined || min > max) throw createValueError('a range such as 2..5', value);
    return async ({ seesTokens, ...organization }) => {
      const { value: all = [], error } = await organization.owners();
      const names = all.filter((one) => isPerson(one)).map(namePerson);
      const sure = names.length;
      const unsure = all.filter((one) => isPerson(one) === undefined).map(namePerson);
      const most = sure + unsure.length;
      const isLow = error === undefined && seesTokens && most < min;
      const count = plural(sure, 'owner');
      const few = sure > 0 ? `${count}: ${names.sort().join(', ')}` : count;
      const doubts = [
        error,
        ...describeHidden('status, address or kind of account', sure < min || most > max ? unsure : []),
        !seesTokens && 'not all owners are shown to you',
      ];
      if (sure > max) return judge(names, doubts, count);
      return judge(isLow ? [few] : [], doubts, count);
    };
  },
};

export const pendingInvitations: Rule = {
  failsWhen: 'an invitation is older',
  initial: '14d',
  prepare(value, now) {
    const since = parseSpan(value, now, -1);
    return async ({ seesPeople, ...organization }) => {
      const { value: members = [], error } = await organization.members();
      const sure: string[] = [];
      const unsure: string[] = [];
      for (const member of members) {
        const { status, 'created-at': createdAt } = member;
        const created = parsePast(createdAt, now);
        if (status === 'active' || status === 'inactive' || (created ?? since) > since) continue;
        (status === 'invited' && created !== undefined ? sure : unsure).push(namePerson(member));
      }
      const doubts = [error, ...describeHidden('status or date', unsure), !seesPeople && HIDDEN_PEOPLE];
      return judge(sure, doubts, `none is older than ${value}`);
    };
  },
};
