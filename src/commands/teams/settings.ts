import { ACCESSES } from '../../api/teams.ts';
import { pickUnmet } from '../../cli/changes.ts';
import { collectList, option } from '../../cli/options.ts';
import { UsageError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import { suggest } from '../../lib/text.ts';
import { readAccess } from '../../members/teams.ts';

const NONE = 'none';
const ACCESS = 'organization-access';

/** The service grants the second with the first (facts), so it is no difference. */
const IMPLIED: Record<string, string> = { 'manage-projects': 'manage-workspaces', 'read-projects': 'read-workspaces' };

export const SETTING_OPTIONS = [
  option('--visibility <who>', 'who sees the team: its members, or everybody', { choices: ['secret', 'organization'] }),
  option('--access <names>', "access to the organization, such as manage-teams, or 'none'", {
    parse: parseAccess,
    complete: () => [...ACCESSES, NONE],
  }),
] as const;

function parseAccess(text: string, name: string, previous?: string[]): string[] {
  const names = collectList(text, name, previous);
  const unknown = names.find((each) => each !== NONE && !ACCESSES.includes(each));
  if (unknown !== undefined) {
    const hint = suggest(unknown, ACCESSES) ?? `Accesses: ${ACCESSES.join(', ')}.`;
    throw new UsageError(`${name}: unknown access '${unknown}'`, { hint });
  }
  if (names.includes(NONE) && names.length > 1) throw new UsageError(`${name}: 'none' can't be used with other names`);
  return names;
}

export interface Asked {
  name?: string | undefined;
  visibility?: string | undefined;
  access?: string[] | undefined;
}

/** Name, visibility and each access by its name. */
export function readSettings(attributes: JsonObject): JsonObject {
  return { name: attributes.name, visibility: attributes.visibility, ...readAccess(attributes) };
}

/** What the team with these attributes lacks of what was asked, and each other access that it has. */
export function findChanges({ access, ...asked }: Asked, attributes: JsonObject): JsonObject {
  const shown = readSettings(attributes);
  const changes: JsonObject = { ...asked };
  if (access) {
    const named = access.filter((name) => name !== NONE);
    const kept = named.flatMap((name) => [name, IMPLIED[name]]);
    const others = Object.keys(shown).filter((name) => shown[name] === true && !kept.includes(name));
    for (const name of others) changes[name] = false;
    for (const name of named) changes[name] = true;
    // Only a team that shows its access is known to have none.
    if (named.length === 0 && !readAccess(attributes)) changes[ACCESS] = {};
  }
  return pickUnmet(changes, shown);
}

/** Returns the attributes as requests have them. */
export function createAttributes({ name, visibility, ...access }: JsonObject): JsonObject {
  return { name, visibility, [ACCESS]: Object.keys(access).length > 0 ? access : undefined };
}
