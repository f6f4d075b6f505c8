import { plural } from '../../lib/text.ts';
import { getField } from '../../output/columns.ts';
import { describeHidden, isPerson, judge, namePerson } from '../evidence.ts';
import { createValueError, type Rule } from '../rule.ts';

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
        !seesPeople && 'not all people are shown to you',
      ];
      return judge(hasSso === false && sure.length > max ? sure : [], doubts, plural(sure.length, 'person', 'people'));
    };
  },
};
