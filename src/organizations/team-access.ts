import { ACCESSES } from '../api/teams.ts';
import type { Resource } from '../api/types.ts';
import { isObject } from '../lib/json.ts';

const ADMIN = ['manage-membership', 'manage-teams', 'manage-organization-access'];

/** Whether the team can give itself every other right. Undefined if it doesn't show that. */
export function isAdmin({ attributes = {} }: Resource): boolean | undefined {
  const flags = ADMIN.map((name) => readAccess(attributes)[name]);
  // A team without a name could be the owners.
  if (typeof attributes.name === 'string' && flags.includes(true)) return true;
  return flags.every((flag) => flag === false) ? false : undefined;
}

/** The command that takes nothing else away, as words. */
export function createAccessFix({ id, attributes = {} }: Resource): string[][] {
  const access = readAccess(attributes);
  const kept = Object.keys(access).filter((name) => access[name] === true && !ADMIN.includes(name));
  const isManaged = attributes['scim-linked'] === true || attributes['is-unified'] === true;
  // `teams update` takes no others.
  if (isManaged || kept.some((name) => !ACCESSES.includes(name))) return [];
  return [['teams', 'update', id, `--access=${kept.join(',') || 'none'}`]];
}

function readAccess({ 'organization-access': access }: Record<string, unknown>): Record<string, unknown> {
  return isObject(access) ? access : {};
}
