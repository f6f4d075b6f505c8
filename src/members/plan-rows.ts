import type { TeamReference } from '../api/teams.ts';
import { UsageError } from '../lib/errors.ts';
import { assertNoRepeatedKey, createOrgRecord, getField, isObject, type JsonObject, parseJson } from '../lib/json.ts';
import type { Member } from './member.ts';
import type { Step } from './plan.ts';

/** The row that `members plan` prints and `--plan` reads. */
export function createPlanRow(step: Step): JsonObject {
  const person: Partial<Member> = step.action === 'invite' ? step : step.member;
  const { id = null, email = null, status = null, teams = [] } = person;
  // The service lists teams in any order, and two plans compare as text.
  const list = (some: TeamReference[]): JsonObject[] =>
    some.map(({ id, name }) => ({ id, type: 'teams', name })).sort((one, other) => (one.id < other.id ? -1 : 1));
  return {
    action: step.action,
    id,
    type: 'organization-memberships',
    email,
    status,
    teams: list(teams),
    'teams-add': list(step.action === 'teams' ? step.add : []),
    'teams-remove': list(step.action === 'teams' ? step.remove : []),
    organization: createOrgRecord(step.org),
  };
}

/** Returns the steps that a plan does not show. Throws UsageError for text that is not a plan. */
export function findUnshown(steps: Step[], text: string, name: string): Step[] {
  const shown = parseJson(text);
  const isRow = (row: unknown): boolean =>
    isObject(row) && typeof row.action === 'string' && isObject(row.organization);
  if (!Array.isArray(shown) || !shown.every(isRow)) {
    throw new UsageError(`${name} is not a plan`, { hint: 'Print one with `orgctl members plan -o json`.' });
  }
  assertNoRepeatedKey(text, name);
  const keys = new Set(shown.map(formatKey));
  return steps.filter((step) => !keys.has(formatKey(createPlanRow(step))));
}

/** Two rows with the same key are the same step: teams and the organization count by their ids. */
function formatKey(row: JsonObject): string {
  const ids = ['organization', 'teams', 'teams-add', 'teams-remove'].map((name) => getField(row[name], 'id'));
  return JSON.stringify([row.action, row.id, row.email, row.status, ...ids]);
}
