import { ACCESSES } from '../../api/teams.ts';
import type { Resource } from '../../api/types.ts';
import { isSameName } from '../../lib/text.ts';
import { findManager, isTeamId, parseTeam, readAccess } from '../../members/teams.ts';
import { createValueError, describeHidden, judge, type Rule } from '../evidence.ts';

const ADMIN = ['manage-membership', 'manage-teams', 'manage-organization-access'];

export const adminTeams: Rule = {
  failsWhen: 'a team other than owners and these manages members, teams or their access',
  initial: [],
  prepare(value) {
    const allowed = Array.isArray(value) ? value.filter((name) => typeof name === 'string') : undefined;
    if (!allowed || allowed.length !== [value].flat().length) throw createValueError('a list of names', value);
    return async ({ seesTokens, ...organization }) => {
      const { value: teams = [], error } = await organization.teams();
      const others = teams.filter((team) => {
        const { id, name, isOwners } = parseTeam(team);
        return !isOwners && !allowed.some((one) => one === id || isSameName(one, name));
      });
      const names = (some: Resource[]): string[] => some.map((team) => parseTeam(team).name);
      const sure = others.filter((team) => isAdmin(team));
      const unsure = names(others.filter((team) => isAdmin(team) === undefined));
      const doubts = [error, ...describeHidden('access', unsure), !seesTokens && 'not all teams are shown to you'];
      return { ...judge(names(sure), doubts, 'no other team'), fix: sure.flatMap(createFix) };
    };
  },
};

/** Whether the team can give itself every other right. Undefined if it doesn't show that. */
function isAdmin({ attributes = {} }: Resource): boolean | undefined {
  const flags = ADMIN.map((name) => readAccess(attributes)?.[name]);
  // A team without a name could be the owners.
  if (typeof attributes.name === 'string' && flags.includes(true)) return true;
  return flags.every((flag) => flag === false) ? false : undefined;
}

/** The command that takes nothing else away, as words. */
function createFix({ id, attributes = {} }: Resource): string[][] {
  const access = readAccess(attributes) ?? {};
  const kept = Object.keys(access).filter((name) => access[name] === true && !ADMIN.includes(name));
  // `teams update` takes no others, and an id must not become an option.
  if (!isTeamId(id) || findManager(attributes) !== undefined || kept.some((name) => !ACCESSES.includes(name)))
    return [];
  return [['teams', 'update', id, `--access=${kept.join(',') || 'none'}`]];
}
