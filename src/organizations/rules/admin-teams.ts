import { isSameName } from '../../lib/text.ts';
import { parseTeam } from '../../members/teams.ts';
import { describeHidden, judge } from '../evidence.ts';
import { createValueError, type Rule } from '../rule.ts';
import { createAccessFix, isAdmin } from '../team-access.ts';

export const adminTeams: Rule = {
  failsWhen: 'another team than owners and these manages members, teams or their access',
  initial: [],
  prepare(value) {
    const allowed = Array.isArray(value) ? value.filter((name) => typeof name === 'string') : undefined;
    if (!allowed || allowed.length !== [value].flat().length) throw createValueError('a list of names', value);
    return async ({ seesTokens, ...organization }) => {
      const { value: teams = [], error } = await organization.teams();
      const others = teams
        .map((team) => ({ team, ...parseTeam(team) }))
        .filter(({ id, name, isOwners }) => {
          return !isOwners && !allowed.some((one) => one === id || isSameName(one, name));
        });
      const sure = others.filter(({ team }) => isAdmin(team));
      const unsure = others.filter(({ team }) => isAdmin(team) === undefined).map(({ name }) => name);
      const doubts = [error, ...describeHidden('access', unsure), !seesTokens && 'not all teams are shown to you'];
      const finding = judge(
        sure.map(({ name }) => name),
        doubts,
        'no other team',
      );
      return { ...finding, fix: sure.flatMap(({ team }) => createAccessFix(team)) };
    };
  },
};
