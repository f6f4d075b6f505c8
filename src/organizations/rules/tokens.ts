import { isObject, type JsonObject } from '../../lib/json.ts';
import { formatUtc, parseInstant } from '../../lib/time.ts';
import { describeHidden, judge, parsePast, parseSpan, type Rule } from '../evidence.ts';

export const tokenExpiry: Rule = {
  failsWhen: 'a token expires within this time, or has expired',
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
      const unsure = rows.filter((row) => row.id !== null && !isKnown(row));
      const doubts = [error, describeHiddenTokens(rows), ...describeHidden('expiry', nameTokens(unsure))];
      return judge(ending, doubts, `none expires within ${value}`);
    };
  },
};

export const unusedTokens: Rule = {
  failsWhen: 'a token that is older has not been used for this long',
  initial: '90d',
  prepare(value, now) {
    const since = parseSpan(value, now, -1);
    return async ({ tokens }) => {
      const { value: rows = [], error } = await tokens();
      const shown = rows.filter(({ id }) => id !== null);
      const unused = shown.filter((row) => isUnusedSince(row, since, now));
      const unsure = shown.filter((row) => isUnusedSince(row, since, now) === undefined);
      const doubts = [error, describeHiddenTokens(rows), ...describeHidden('last use', nameTokens(unsure))];
      return judge(nameTokens(unused), doubts, `none unused for ${value}`);
    };
  },
};

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
      const isUnused = token && isUnusedSince(token, since, now);
      const last = token?.['last-used-at'];
      const use = typeof last === 'string' ? `last used ${formatDay(last)}` : 'never used';
      const doubts = [
        entitled.error ?? (isEntitled !== true && 'audit-logging not shown'),
        offered.error,
        read.error,
        describeHiddenTokens(rows),
        token && isUnused === undefined && 'last use not shown',
      ];
      const isNone = read.value !== undefined && rows.length === 0;
      const isSure = isEntitled === true && offered.value === true && (isNone || isUnused);
      return judge(isSure ? [token ? use : 'none'] : [], doubts, use);
    };
  },
};

function nameTokens(rows: JsonObject[]): string[] {
  return rows.map(({ token }) => String(token));
}

/** `2026-11-21` */
function formatDay(text: string): string {
  const instant = parseInstant(text);
  return instant === undefined ? text : formatUtc(instant).slice(0, 10);
}

/** Tokens that the service may not have shown: `organization, team tokens not shown` */
function describeHiddenTokens(rows: JsonObject[]): string | false {
  const hidden = rows.filter(({ id }) => id === null);
  const reasons = hidden.flatMap(({ error }) => (isObject(error) ? [String(error.message)] : []));
  const names = `${hidden.map(({ kind }) => kind).join(', ')} tokens not shown`;
  return hidden.length > 0 && [names, ...new Set(reasons)].join('; ');
}

/** A token that was never used counts from its creation. Undefined if that can't be known. */
function isUnusedSince(row: JsonObject, since: number, now: number): boolean | undefined {
  const { 'last-used-at': last } = row;
  const created = parsePast(row['created-at'], now);
  if (created !== undefined && created > since) return false;
  const used = last === null ? created : parsePast(last, now);
  return used === undefined ? undefined : used <= since;
}
