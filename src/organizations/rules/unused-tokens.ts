import { describeHidden, describeHiddenTokens, isUnusedSince, judge } from '../evidence.ts';
import { parseSpan, type Rule } from '../rule.ts';

export const unusedTokens: Rule = {
  failsWhen: 'a token that is older was not used for so long',
  initial: '90d',
  prepare(value, now) {
    const since = parseSpan(value, now, -1);
    return async ({ tokens }) => {
      const { value: rows = [], error } = await tokens();
      const shown = rows.filter(({ id }) => id !== null);
      const unused = shown.filter((row) => isUnusedSince(row, since)).map(({ token }) => String(token));
      const unsure = shown.filter((row) => isUnusedSince(row, since) === undefined).map(({ token }) => String(token));
      return judge(
        unused,
        [error, describeHiddenTokens(rows), ...describeHidden('last use', unsure)],
        `none unused for ${value}`,
      );
    };
  },
};
