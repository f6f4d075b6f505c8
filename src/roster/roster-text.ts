import { countEach } from '../groups.ts';
import { toYamlText } from '../input/yaml-text.ts';
import { foldName } from '../names.ts';
import { teamName } from '../people/find-teams.ts';
import { type Member, toPersonKey } from '../people/member.ts';
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

/** A roster that reads back as these people of this organization. Ends with a newline. */
export function renderRoster(
  { organization, entries }: { readonly organization: string; readonly entries: readonly RosterEntry[] },
  kind: 'yaml' | 'json',
): string {
  if (kind === 'json') return `${JSON.stringify({ organization, members: entries }, undefined, 2)}\n`;
  const members = entries.length === 0 ? ' []\n' : `\n${entries.map(toYamlEntry).join('')}`;
  return `organization: ${toYamlText(organization)}\nmembers:${members}`;
}

function toYamlEntry({ teams, ...key }: RosterEntry): string {
  const [[name, value] = ['id', '']] = Object.entries(key);
  const list = teams === undefined ? '' : `    teams: [${teams.map(toYamlText).join(', ')}]\n`;
  return `  - ${name}: ${toYamlText(value)}\n${list}`;
}

/**
 * The JSON Schema of a roster, for editors: draft 7, the newest that all of them know. It asks for one spelling where the
 * reader takes several.
 */
export const ROSTER_SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'orgctl roster',
  description: 'The people of an organization, and their teams.',
  type: 'object',
  required: ['members'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    organization: { description: 'Which it is of: no other is planned or changed.', type: 'string', minLength: 1 },
    members: {
      description: 'Everyone, each once. Other people are left alone, or removed with --prune.',
      type: 'array',
      items: {
        type: 'object',
        anyOf: [{ required: ['email'] }, { required: ['user'] }, { required: ['id'] }],
        additionalProperties: false,
        properties: {
          email: {
            description: 'Compared without case. Only an email can be invited.',
            type: 'string',
            format: 'email',
            maxLength: 254,
          },
          user: { description: 'The user name, compared without case.', type: 'string', minLength: 1 },
          id: {
            description: 'Of the membership (ou-…) or the user (user-…).',
            type: 'string',
            pattern: '^(ou|user)-[A-Za-z0-9]+$',
          },
          teams: {
            description:
              'Names or ids (team-…). An invitation needs at least one. Without it teams stay as they are; [] means none.',
            type: 'array',
            items: { type: 'string', minLength: 1 },
            uniqueItems: true,
          },
        },
      },
    },
  },
} as const;
