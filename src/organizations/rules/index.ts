import { UsageError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import { mapAll } from '../../lib/problems.ts';
import { joinNames, suggest } from '../../lib/text.ts';
import type { Rule } from '../evidence.ts';
import { membersWithout2fa, owners, pendingInvitations } from './people.ts';
import { settings, twoFactorRequired } from './settings.ts';
import { adminTeams } from './teams.ts';
import { auditTrailToken, tokenExpiry, unusedTokens } from './tokens.ts';

const RULES: Record<string, Rule> = {
  'two-factor-required': twoFactorRequired,
  'members-without-2fa': membersWithout2fa,
  owners,
  'admin-teams': adminTeams,
  'pending-invitations': pendingInvitations,
  'token-expiry': tokenExpiry,
  'unused-tokens': unusedTokens,
  'audit-trail-token': auditTrailToken,
  settings,
};

export const INITIAL = Object.fromEntries(Object.entries(RULES).map(([name, { initial }]) => [name, initial]));

/** Returns the initial values as YAML. */
export function formatRules(): string {
  const lines = Object.entries(RULES).map(
    ([name, { failsWhen, initial }]) => `# fails when ${failsWhen}\n${name}: ${formatExpected(initial)}\n`,
  );
  return `# off switches a rule off\n${lines.join('')}`;
}

/** Returns a value as YAML has it. */
function formatExpected(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export type PreparedRule = ReturnType<typeof prepareRules>[number];

/** Leaves out rules that are off. Throws UsageError that names every unknown rule and value. */
export function prepareRules(values: JsonObject, file: string, now: number) {
  const names = Object.keys(INITIAL);
  const entries = Object.entries({ ...INITIAL, ...values }).map(([location, expected]) => ({ location, expected }));
  const used = entries.filter(({ expected }) => expected !== false && expected !== 'off');
  const prepare = ({ location: name, expected }: (typeof used)[number]) => {
    const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
    if (rule) return { name, expected: formatExpected(expected), check: rule.prepare(expected, now) };
    throw new UsageError('no such rule', { hint: suggest(name, names) ?? `Rules: ${joinNames(names)}.` });
  };
  return mapAll(used, prepare, file);
}
