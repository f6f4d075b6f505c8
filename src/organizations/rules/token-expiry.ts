import { formatRelative, parseInstant } from '../../lib/time.ts';
import { describeHidden, judge, listHidden, nameToken } from '../evidence.ts';
import { parseSpan, type Rule } from '../rule.ts';

/** Tokens that end soon, or have ended, by their own end or the organization's policy. */
export const tokenExpiry: Rule = {
  name: 'token-expiry',
  initial: '14d',
  prepare(value, now) {
    const soon = parseSpan(value, now, 1);
    return async ({ tokens }) => {
      const { value: rows = [], error } = await tokens();
      const ending = rows.flatMap((row) => {
        const end = String(row.expires ?? row['expired-at']);
        const isEnding = row['is-ttl-rejected'] === true || (parseInstant(end) ?? soon + 1) <= soon;
        return isEnding ? [`${nameToken(row)} (${formatRelative(end, now)})`] : [];
      });
      const unsure = rows.filter(({ id, expires }) => id !== null && expires === undefined).map(nameToken);
      return judge(ending, [error, ...listHidden(rows), describeHidden('expiry', unsure)], 'none');
    };
  },
};
