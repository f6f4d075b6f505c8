import { parseInstant } from '../../lib/time.ts';
import { describeHidden, judge, namePerson } from '../evidence.ts';
import { parseSpan, type Rule } from '../rule.ts';

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
        const created = parseInstant(String(createdAt));
        if (status === 'active' || status === 'inactive' || (created ?? since) > since) continue;
        (status === 'invited' && created !== undefined ? sure : unsure).push(namePerson(member));
      }
      return judge(
        sure,
        [error, ...describeHidden('status or date', unsure), !seesPeople && 'not all people are shown to you'],
        `none is older than ${value}`,
      );
    };
  },
};
