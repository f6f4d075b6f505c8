import { expect, test } from 'vitest';
import { parseMemberRecord } from '../../src/members/member.ts';
import { createPlan, findLeaving, findNewOwners, type PlanRules } from '../../src/members/plan.ts';
import { createPlanRow, findUnshown } from '../../src/members/plan-rows.ts';
import { createTeams } from '../../src/members/teams.ts';

const TEAMS = ['owners', 'audit', 'platform', 'sso'].map((name) => {
  return { id: `team-${name}`, name, isOwners: name === 'owners', isManaged: name === 'sso' };
});
const MEMBERS = Object.entries({
  you: { teams: ['audit'] },
  boss: { teams: ['owners', 'audit'] },
  ada: { teams: ['audit', 'unseen'] },
  sam: { teams: ['sso', 'audit'] },
  idle: { status: 'inactive', teams: ['audit'] },
  scim: { user: { 'is-scim-managed': true } },
  hidden: { email: null },
  bot: { email: null, user: { 'is-service-account': true } },
}).map(([name, { teams = [], ...facts }]: [string, Record<string, unknown> & { teams?: string[] }]) =>
  parseMemberRecord({
    id: name,
    email: name,
    ...facts,
    teams: teams.map((team) => ({ id: `team-${team}`, name: team })),
  }),
);

type Rows = Record<string, string[] | undefined>;

function plan(rows: Rows, rules: Partial<PlanRules>) {
  const { get } = createTeams('acme', TEAMS);
  const listed = Object.entries(rows).map(([email, teams]) => ({ email, teams: teams?.map(get) }));
  const isThere = ({ email }: { email: string }) => MEMBERS.some(({ id }) => id === email);
  const present = new Map(listed.filter(isThere).map(({ email, teams }) => [email, teams]));
  const absent = listed.filter((row) => !isThere(row)).map(({ email, teams = [] }) => ({ email, teams }));
  return createPlan('acme', { present, absent }, MEMBERS, {
    ...{ prune: false, pruneTeams: false, allowOwners: false, includeManaged: false, teams: TEAMS },
    ...{ isCaller: ({ id }) => id === 'you', ownerIds: new Set(['boss']), ...rules },
  });
}

/** `ada +platform -audit`, `-ada`, `+ana audit`, and `ada: why` if they stay. */
function format({ steps, kept, skipped }: ReturnType<typeof plan>): string[] {
  const list = (sign: string, teams: { name: string }[]) => teams.map(({ name }) => ` ${sign}${name}`).join('');
  const lines = steps.map((step) => {
    if (step.action === 'invite') return `+${step.email}${list('', step.teams)}`;
    const { member } = step;
    return step.action === 'remove' ? `-${member.id}` : `${member.id}${list('+', step.add)}${list('-', step.remove)}`;
  });
  return [...lines, ...kept.map(({ member, why }) => `${member.id}: ${why}`), ...skipped];
}

const OWNER = 'boss: an owner';
const UNSEEN = 'hidden: without a visible email';
const LEFT = ['sam', 'idle', 'scim', 'bot'].map((name) => `${name}: managed elsewhere`).toSpliced(3, 0, UNSEEN);
const ALL: Rows = Object.fromEntries(MEMBERS.map(({ id }) => [id, []]));

test.each<[rows: Rows, rules: Partial<PlanRules>, planned: string[]]>([
  [{}, {}, MEMBERS.map(({ id }) => `${id}: not in the roster`)],
  [{}, { prune: true }, ['-ada', 'you: you', OWNER, ...LEFT]],
  [{}, { prune: true, allowOwners: true }, ['-boss', '-ada', 'you: you', ...LEFT]],
  [{ you: [] }, { prune: true, ownerIds: undefined }, MEMBERS.slice(1).map(({ id }) => `${id}: an owner`)],
  [{ you: [] }, { prune: true, includeManaged: true }, ['-ada', '-sam', '-idle', '-scim', '-bot', OWNER, UNSEEN]],
  [ALL, { pruneTeams: true }, ['boss -audit', 'ada -audit', 'you: you']],
  [
    ALL,
    { pruneTeams: true, includeManaged: true },
    ['boss -audit', 'ada -audit', 'sam -sso -audit', 'idle -audit', 'you: you'],
  ],
  [ALL, {}, []],
  [{ ...ALL, ada: undefined, sam: ['sso', 'audit'] }, { pruneTeams: true }, ['boss -audit', 'you: you']],
  [
    { ...ALL, ada: ['team-platform', 'SSO'], scim: ['platform'], ana: ['audit', 'sso'], eve: ['sso'] },
    {},
    ['ada +platform', 'scim +platform', '+ana audit', 'ada: sso', 'ana: sso', 'eve: sso'],
  ],
])('%#: a roster of %j with %j', (rows, rules, planned) => {
  expect(format(plan(rows, rules))).toEqual(planned);
});

test('who leaves something, who becomes an owner, and what a plan shows', () => {
  const rows = { you: ['audit', 'owners'], boss: ['owners'], ana: ['owners'], eve: ['audit'] };
  const { steps } = plan(rows, { prune: true, pruneTeams: true, includeManaged: true });
  const name = (step: (typeof steps)[number]) => (step.action === 'invite' ? step.email : step.member.id);
  expect(findLeaving(steps).map(name)).toEqual(['boss', 'ada', 'sam', 'idle', 'scim', 'bot']);
  expect(findNewOwners(steps).map(name)).toEqual(['you', 'ana']);
  const shown = steps.map(createPlanRow);
  const unshown = (other: object[]) => findUnshown(steps, JSON.stringify(other), 'plan.json').length;
  expect(unshown([...shown].reverse())).toBe(0);
  for (const key of ['action', 'id', 'email', 'status', 'organization', 'teams', 'teams-add', 'teams-remove']) {
    const other = key === 'organization' ? { id: 'x' } : 'x';
    expect(unshown(shown.map((row) => ({ ...row, [key]: other })))).toBe(shown.length);
  }
});
