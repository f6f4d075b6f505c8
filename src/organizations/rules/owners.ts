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
