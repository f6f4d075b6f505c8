import { UsageError } from '../lib/errors.ts';
import { findRepeatedKey, isObject, type JsonObject, parseJson } from '../lib/json.ts';
import { createOrgRecord } from '../output/columns.ts';
import type { OrgStep } from './plan.ts';

/** The row that `members plan` prints and `--plan` reads. */
export function createPlanRow(step: OrgStep): JsonObject {
  const isInvitation = step.action === 'invite';
  const teams = isInvitation ? step.teams : (step.member.teams ?? []);
  const list = (some: { id: string; name?: string | undefined }[]): JsonObject[] =>
    some.map(({ id, name }) => ({ id, type: 'teams', name }));
  return {
    action: step.action,
    id: isInvitation ? null : step.member.id,
    type: 'organization-memberships',
    email: isInvitation ? step.email : (step.member.email ?? null),
    status: isInvitation ? null : (step.member.status ?? null),
    teams: list(teams),
    'teams-add': list(step.action === 'teams' ? step.add : []),
    'teams-remove': list(step.action === 'teams' ? step.remove : []),
    organization: createOrgRecord(step.org),
  };
}

/** Returns the rows that a plan does not show. Throws UsageError for text that is not a plan. */
export function findUnshown(rows: JsonObject[], text: string, name: string): JsonObject[] {
  const shown = parseJson(text);
  const isRow = (row: unknown): boolean =>
    isObject(row) && typeof row.action === 'string' && isObject(row.organization);
  if (!Array.isArray(shown) || !shown.every(isRow)) {
    throw new UsageError(`${name} is not a plan`, { hint: 'Print one with `orgctl members plan -o json`.' });
  }
  const repeated = findRepeatedKey(text);
  if (repeated !== undefined) throw new UsageError(`${name}: an object has the key ${repeated} twice`);
  const keys = new Set(shown.map(formatKey));
  return rows.filter((row) => !keys.has(formatKey(row)));
}

function formatKey({ action, id, email, status, organization, ...row }: JsonObject): string {
  const org = isObject(organization) ? organization.id : undefined;
  const ids = [row.teams, row['teams-add'], row['teams-remove']].map((teams) =>
    [teams ?? []]
      .flat()
      .map((team) => (isObject(team) ? team.id : team))
      .sort(),
  );
  return JSON.stringify([action, id, email, status, org, ids]);
}
