import { countEach } from '../groups.ts';
import { toYamlText } from '../input/yaml-text.ts';
import { foldName } from '../names.ts';
import { type Member, toPersonKey } from '../people/member.ts';
import { teamName } from '../resources/team.ts';
import type { Resource } from '../wire/json-api.ts';

/** One key, and the teams where they are known. */
export interface RosterEntry {
  readonly email?: string;
  readonly user?: string;
  readonly id?: string;
  readonly teams?: readonly string[];
}

/**
 * Everyone, each by an address, a user name or an id that means no one else, with their teams by name where a name means one team,
 * and else by id.
 */
export function toRosterEntries(members: readonly Member[], teams: readonly Resource[]): readonly RosterEntry[] {
  const counts = countEach(teams.map(teamName));
  const names = new Map(
    teams
      .map((team) => [team.id, teamName(team)] as const)
      .filter(([, name]) => counts.get(name) === 1 && isPlain(name)),
  );
  const emails = countEach(members.map(toPersonKey));
  const users = countEach(members.map(toUserKey));
  const toKey = (member: Member): RosterEntry => {
    const [email, user] = [toPersonKey(member), toUserKey(member)];
    if (email !== undefined && emails.get(email) === 1) return { email: member.email ?? email };
    return user !== undefined && users.get(user) === 1 ? { user: member.username ?? user } : { id: member.id };
  };
  return members.map((member) => ({
    ...toKey(member),
    ...(member.teams === undefined ? {} : { teams: member.teams.map(({ id }) => names.get(id) ?? id) }),
  }));
}

/** Undefined where a roster can't hold the name as it is. */
function toUserKey({ username = '' }: Member): string | undefined {
  return username === '' || username !== username.trim() || /\p{Cc}/u.test(username) ? undefined : foldName(username);
}

/** Whether a roster that holds this name is read as holding this name. */
function isPlain(name: string): boolean {
  return name !== '' && name === name.trim() && !/^(?:id|name):|^team-[A-Za-z0-9]+$|[;,\p{Cc}]/u.test(name);
}

export interface OrganizationPeople {
  readonly organization: string;
  readonly entries: readonly RosterEntry[];
}

/** A roster that reads back as these people of these organizations. Ends with a newline. */
export function renderRoster(
  rosters: readonly OrganizationPeople[],
  { isSeveral, kind }: { readonly isSeveral: boolean; readonly kind: 'yaml' | 'json' },
): string {
  const [only] = isSeveral ? [] : rosters;
  if (kind === 'json') {
    const lists = rosters.map(({ organization, entries }) => [organization, { members: entries }] as const);
    const value =
      only === undefined
        ? { organizations: Object.fromEntries(lists) }
        : { organization: only.organization, members: only.entries };
    return `${JSON.stringify(value, undefined, 2)}\n`;
  }
  if (only !== undefined) return `organization: ${toYamlText(only.organization)}\n${toYamlMembers(only, '')}`;
  return `organizations:\n${rosters
    .map((one) => `  ${toYamlText(one.organization)}:\n${toYamlMembers(one, '    ')}`)
    .join('')}`;
}

function toYamlMembers({ entries }: OrganizationPeople, indent: string): string {
  if (entries.length === 0) return `${indent}members: []\n`;
  return `${indent}members:\n${entries.map((entry) => toYamlEntry(entry, indent)).join('')}`;
}

function toYamlEntry({ teams, ...key }: RosterEntry, indent: string): string {
  const [[name, value] = ['id', '']] = Object.entries(key);
  const list = teams === undefined ? '' : `${indent}    teams: [${teams.map(toYamlText).join(', ')}]\n`;
  return `${indent}  - ${name}: ${toYamlText(value)}\n${list}`;
}
