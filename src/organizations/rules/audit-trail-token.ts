import { describeHiddenTokens, formatDay, isUnusedSince, judge } from '../evidence.ts';
import { parseSpan, type Rule } from '../rule.ts';

export const auditTrailToken: Rule = {
  failsWhen: 'there is none, or it was not used within this time',
  initial: '2d',
  prepare(value, now) {
    const since = parseSpan(value, now, -1);
    return async ({ entitlements, hasAuditTokens, tokens }) => {
      const [entitled, offered, read] = await Promise.all([entitlements(), hasAuditTokens(), tokens()]);
      const isEntitled = entitled.value?.['audit-logging'];
      if (isEntitled === false) return { status: 'off', found: ['not entitled to audit logging'] };
      if (offered.value === false) return { status: 'off', found: ['the service has no audit trail tokens'] };
      const rows = (read.value ?? []).filter(({ kind }) => kind === 'audit-trail');
      const token = rows.find(({ id }) => id !== null);
      const isUnused = token && isUnusedSince(token, since);
      const last = token?.['last-used-at'];
      const found = typeof last === 'string' ? `last used ${formatDay(last)}` : 'never used';
      const doubts = [
        entitled.error ?? (isEntitled !== true && 'audit-logging not shown'),
        offered.error,
        read.error,
        describeHiddenTokens(rows),
        token && isUnused === undefined && 'last use not shown',
      ];
      const isNone = read.value !== undefined && rows.length === 0;
      const isSure = isEntitled === true && offered.value === true && (isNone || isUnused);
      return judge(isSure ? [token ? found : 'none'] : [], doubts, found);
    };
  },
};
