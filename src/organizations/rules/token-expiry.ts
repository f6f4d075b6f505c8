import type { JsonObject } from '../../lib/json.ts';
import { parseInstant } from '../../lib/time.ts';
import { describeHidden, describeHiddenTokens, formatDay, judge } from '../evidence.ts';
import { parseSpan, type Rule } from '../rule.ts';

export const tokenExpiry: Rule = {
  failsWhen: 'a token ends within this time, or has ended',
  initial: '14d',
  prepare(value, now) {
    const soon = parseSpan(value, now, 1);
    return async ({ tokens }) => {
      const { value: rows = [], error } = await tokens();
      const ending = rows.flatMap((row) => {
        const end = String(row.expires ?? row['expired-at']);
        const isEnding = row['is-ttl-rejected'] === true || (parseInstant(end) ?? soon + 1) <= soon;
        return isEnding ? [`${row.token} (${formatDay(end)})`] : [];
      });
      const isShown = (time: unknown): boolean => parseInstant(String(time)) !== undefined;
      // Without one of the two, the policy or the token itself may set an earlier end.
      const isKnown = (row: JsonObject): boolean =>
        row.expires !== undefined &&
        (row['is-ttl-rejected'] ?? false) === false &&
        isShown(row['created-at']) &&
        (row['expired-at'] === null || isShown(row['expired-at']));
      const unsure = rows.filter((row) => row.id !== null && !isKnown(row)).map(({ token }) => String(token));
      return judge(
        ending,
        [error, describeHiddenTokens(rows), ...describeHidden('expiry', unsure)],
        `none ends within ${value}`,
      );
    };
  },
};
