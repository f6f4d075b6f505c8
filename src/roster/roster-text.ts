import { toYamlText } from '../input/yaml-text.ts';
import { teamName } from '../people/find-teams.ts';
import { type Member, toPersonKey } from '../people/member.ts';
import type { Resource } from '../wire/json-api.ts';

export interface RosterEntry {
  readonly email: string;
  readonly teams: readonly string[];
}

/** The members whom a roster can name, with their teams by name where a name means one team, and else by id. */
export function toRosterEntries(members: readonly Member[], teams: readonly Resource[]): readonly RosterEntry[] {
  const counts = new Map<string, number>();
  for (const team of teams) counts.set(teamName(team), (counts.get(teamName(team)) ?? 0) + 1);
  const names = new Map(
    teams
      .map((team) => [team.id, teamName(team)] as const)
      .filter(([, name]) => counts.get(name) === 1 && isPlain(name)),
  );
  return members
    .filter((member) => toPersonKey(member) !== undefined)
    .map((member) => ({ email: member.email ?? '', teams: (member.teams ?? []).map(({ id }) => names.get(id) ?? id) }));
}

/** Whether a roster that holds this name is read as holding this name. */
function isPlain(name: string): boolean {
  return name !== '' && name === name.trim() && !/^(?:id|name):|^team-[A-Za-z0-9]+$|[;,\p{Cc}]/u.test(name);
}

/** A roster that reads back as these people. Ends with a newline. */
export function renderRoster(entries: readonly RosterEntry[], kind: 'yaml' | 'json'): string {
  if (kind === 'json') return `${JSON.stringify({ members: entries }, undefined, 2)}\n`;
  if (entries.length === 0) return 'members: []\n';
  return `members:\n${entries
    .map(({ email, teams }) => `  - email: ${toYamlText(email)}\n    teams: [${teams.map(toYamlText).join(', ')}]\n`)
    .join('')}`;
}
