import { plural } from '../../lib/text.ts';
import { describeHidden, isPerson, judge, namePerson } from '../evidence.ts';
import { createValueError, type Rule } from '../rule.ts';

export const owners: Rule = {
  failsWhen: 'fewer or more owners can log in',
  initial: '2..5',
  prepare(value) {
    const [min = 0, max = -1] = /^\d{1,9}\.\.\d{1,9}$/.test(String(value)) ? String(value).split('..').map(Number) : [];
    if (min > max) throw createValueError('a range such as 2..5', value);
    return async ({ seesTokens, ...organization }) => {
      const { value: all = [], error } = await organization.owners();
      const sure = all.filter((one) => isPerson(one)).length;
      const unsure = all.filter((one) => isPerson(one) === undefined).map(namePerson);
      const most = sure + unsure.length;
      const isLow = error === undefined && seesTokens && most < min;
      const doubts = [
        error,
        (sure < min || most > max) && describeHidden('status, address or kind of account', unsure),
        !seesTokens && 'not all owners are shown to you',
      ];
      return judge(sure > max || isLow ? [plural(sure, 'owner')] : [], doubts, plural(sure, 'owner'));
    };
  },
};
