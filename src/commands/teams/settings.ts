import { collectList, option } from '../../cli/options.ts';
import { OrgctlError, UsageError } from '../../lib/errors.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { joinNames, suggest } from '../../lib/text.ts';
import { formatYes } from '../../output/columns.ts';

/** The service's names (facts). */
const ACCESSES = `manage-membership manage-teams manage-organization-access access-secret-teams manage-policies
  manage-policy-overrides delegate-policy-overrides manage-workspaces manage-vcs-settings manage-agent-pools
  manage-run-tasks manage-projects read-projects read-workspaces manage-providers manage-modules manage-public-providers
  manage-public-modules manage-registry-components manage-registry-artifact-tags
  manage-registry-artifact-version-tags`.split(/\s+/);
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
    throw new UsageError(`${name}: the service has no access '${unknown}'`, { hint });
  }
  if (names.includes(NONE) && names.length > 1) throw new UsageError(`${name}: 'none' goes with no other name`);
  return names;
}

export interface Asked {
  name?: string | undefined;
  visibility?: string | undefined;
  access?: string[] | undefined;
}

/** Name, visibility and each access by its name. */
export type Settings = JsonObject;

export function showsAccess({ [ACCESS]: access }: JsonObject): boolean {
  return isObject(access);
}

function readSettings({ name, visibility, [ACCESS]: access }: JsonObject): Settings {
  return { name, visibility, ...(isObject(access) ? access : {}) };
}

/** What the team with these attributes lacks of what was asked, and each other access that it has. */
export function findChanges({ access, ...asked }: Asked, attributes: JsonObject): Settings {
  const shown = readSettings(attributes);
  const changes: Settings = { ...asked };
  if (access) {
    const named = access.filter((name) => name !== NONE);
    const kept = named.flatMap((name) => [name, IMPLIED[name]]);
    const others = Object.keys(shown).filter((name) => shown[name] === true && !kept.includes(name));
    for (const name of others) changes[name] = false;
    for (const name of named) changes[name] = true;
    // Without access is known only of a team that shows it.
    if (named.length === 0 && !showsAccess(attributes)) changes[ACCESS] = {};
  }
  return pickUnmet(changes, attributes);
}

/** The settings that the team with these attributes doesn't show. */
export function pickUnmet(settings: Settings, attributes: JsonObject): Settings {
  const shown = readSettings(attributes);
  const entries = Object.entries(settings).filter(([name, value]) => value !== undefined && shown[name] !== value);
  return Object.fromEntries(entries);
}

/** As requests have them. */
export function createAttributes({ name, visibility, ...access }: Settings): JsonObject {
  return { name, visibility, [ACCESS]: Object.keys(access).length > 0 ? access : undefined };
}

/** `visibility secret → organization, manage-teams no → yes` */
export function formatChanges(changes: Settings, attributes: JsonObject): string {
  const shown = readSettings(attributes);
  return Object.entries(changes)
    .map(([name, value]) => `${name} ${formatState(shown[name])} → ${formatState(value)}`)
    .join(', ');
}

/** The error of a team that is there, and not as asked: `audit is already in acme, but visibility is secret`. */
export function findUnmet(done: string, unmet: Settings, attributes: JsonObject): OrgctlError | undefined {
  const shown = readSettings(attributes);
  const states = Object.keys(unmet).map((name) => `${name} is ${formatState(shown[name])}`);
  return states.length > 0 ? new OrgctlError('attention', `${done}, but ${joinNames(states)}`) : undefined;
}

function formatState(value: unknown): string {
  return formatYes(value ?? 'unknown', {}, undefined);
}
