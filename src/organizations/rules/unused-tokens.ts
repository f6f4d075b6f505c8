import { describeHidden, describeHiddenTokens, isUnusedSince, judge, nameToken } from '../evidence.ts';
import { parseSpan, type Rule } from '../rule.ts';

/** Tokens that are older, and were not used for so long. */
export const unusedTokens: Rule = {
  name: 'unused-tokens',
  initial: '90d',
  prepare(value, now) {
    const since = parseSpan(value, now, -1);
    return async ({ tokens }) => {
      const { value: rows = [], error } = await tokens();
      const shown = rows.filter(({ id }) => id !== null);
      const unused = shown.filter((row) => isUnusedSince(row, since)).map(nameToken);
      const unsure = shown.filter((row) => isUnusedSince(row, since) === undefined).map(nameToken);
      return judge(unused, [error, describeHiddenTokens(rows), describeHidden('last use', unsure)], 'none');
    };
  },
};
