import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Member } from '../../../src/old/people/member.ts';
import { toName } from '../../../src/old/people/teams.ts';
import { matchPeople, type Wanted } from '../../../src/old/roster/match.ts';
import {
  findLeavers,
  makePlan,
  type Plan,
  type PlanRules,
  type Step,
  type TeamFacts,
} from '../../../src/old/roster/plan.ts';
import { toTeamFacts } from '../../../src/old/roster/plan-roster.ts';
import { parseRoster } from '../../../src/old/roster/roster.ts';
import { renderRoster, toRosterEntries } from '../../../src/old/roster/roster-text.ts';

/** `sso` is filled by single sign-on, and `hidden` can't be seen. */
const TEAMS: ReadonlyMap<string, TeamFacts> = new Map(
  ['owners', 'platform', 'audit', 'security', 'sso'].map((name) => [
    `team-${name}`,
    { name, isOwners: name === 'owners', isManaged: name === 'sso' },
  ]),
);
const RESOURCES = [...TEAMS].map(([id, { name, isManaged }]) => ({
  id,
  type: 'teams',
  attributes: { name, 'sso-team-id': isManaged ? 'group' : null },
}));

const toTeams = (...names: readonly string[]) => names.map((name) => ({ id: `team-${name}`, name }));
const toFound = (names: readonly string[]) => toTeams(...names).map((team) => ({ ...team, asked: team.name }));

function toMember(email: string | undefined, more: Partial<Member> = {}): Member {
  return {
    id: `ou-${email ?? 'hidden'}`,
    email,
    username: undefined,
    status: 'active',
    teams: toTeams('platform'),
    userId: `user-${email}`,
    isServiceAccount: false,
    isScimManaged: undefined,
    hasSecondFactor: undefined,
    organization: 'acme',
    ...more,
  };
}

function toWanted(email: string, ...teams: readonly string[]): Wanted {
  return { email, teams: toFound(teams), line: 1 };
}

const RULES: PlanRules = {
  protects: undefined,
  pruneTeams: false,
  includeManaged: false,
  isSelf: ({ id }) => id === 'ou-me',
  teams: TEAMS,
};
const protects = ({ id, teams }: Member): 'self' | 'owner' | undefined =>
  id === 'ou-me' ? 'self' : teams?.some((team) => team.id === 'team-owners') === false ? undefined : 'owner';
const PRUNE = { protects };
const TEAMS_TOO = { protects, pruneTeams: true };

function plan(wanted: readonly Wanted[], members: readonly Member[], rules: Partial<PlanRules> = {}): Plan {
  const matched = matchPeople(wanted, members, { organization: 'acme', place: 'line' });
  expect(matched.problems).toEqual([]);
  return makePlan(matched, members, { ...RULES, ...rules });
}

function describeStep(step: Step): string {
  switch (step.action) {
    case 'remove':
      return `remove ${step.member.id}`;
    case 'invite':
      return `invite ${step.wanted.email} ${step.teams.map(toName).join(' ')}`;
    case 'teams':
      return [...step.add.map((team) => `+${toName(team)}`), ...step.remove.map((team) => `-${toName(team)}`)].join(
        ' ',
      );
  }
}

const tell = ({ steps, kept }: Plan): readonly string[] => [
  ...steps.map(describeStep),
  ...kept.map(({ action, member }) => `${action} ${member.id}`),
];

const ANA = 'ana@example.com';

describe('one person', () => {
  test.each<
    [
      what: string,
      wanted: readonly Wanted[],
      members: readonly Member[],
      rules: Partial<PlanRules>,
      steps: readonly string[],
    ]
  >([
    ['is wanted and absent', [toWanted(ANA, 'platform')], [], {}, [`invite ${ANA} platform`]],
    ['is wanted and there', [toWanted(ANA, 'platform')], [toMember(ANA)], TEAMS_TOO, []],
    [
      'is there under another case',
      [toWanted('ANA@example.com', 'platform')],
      [toMember('Ana@Example.com')],
      TEAMS_TOO,
      [],
    ],
    ['is invited and wanted', [toWanted(ANA)], [toMember(ANA, { status: 'invited' })], PRUNE, []],
    ['lacks teams', [toWanted(ANA, 'platform', 'audit', 'security')], [toMember(ANA)], PRUNE, ['+audit +security']],
    ['has more teams', [toWanted(ANA)], [toMember(ANA)], PRUNE, []],
    ['has more teams, with prune-teams', [toWanted(ANA)], [toMember(ANA)], TEAMS_TOO, ['-platform']],
    ['moves', [toWanted(ANA, 'audit')], [toMember(ANA)], TEAMS_TOO, ['+audit -platform']],
    ['has a row without teams', [{ email: ANA, line: 1 }], [toMember(ANA)], TEAMS_TOO, []],
    [
      'is named by user',
      [{ user: 'ANA', teams: toFound(['audit']), line: 1 }],
      [toMember(ANA, { username: 'ana' })],
      PRUNE,
      ['+audit'],
    ],
    ['is named by id', [{ id: `ou-${ANA}`, line: 1 }], [toMember(ANA)], PRUNE, []],
    ['is named by the id of the user', [{ id: `user-${ANA}`, line: 1 }], [toMember(ANA)], PRUNE, []],
    [
      'was removed since the row was written by id',
      [{ ...toWanted(ANA, 'audit'), id: 'ou-gone' }],
      [],
      PRUNE,
      [`invite ${ANA} audit`],
    ],
    [
      'has another address now',
      [{ ...toWanted('old@example.com', 'platform'), user: 'ana' }],
      [toMember(ANA, { username: 'ana' })],
      TEAMS_TOO,
      [],
    ],
    ['is not wanted', [], [toMember(ANA)], {}, [`extra ou-${ANA}`]],
    ['is not wanted, with prune', [], [toMember(ANA)], PRUNE, [`remove ou-${ANA}`]],
    ['is not wanted, with prune-teams alone', [], [toMember(ANA)], { pruneTeams: true }, [`extra ou-${ANA}`]],
    ['is invited and not wanted', [], [toMember(ANA, { status: 'invited' })], PRUNE, [`remove ou-${ANA}`]],
    ['is an owner', [], [toMember(ANA, { teams: toTeams('platform', 'owners') })], PRUNE, [`keep-owner ou-${ANA}`]],
    ['may be an owner', [], [toMember(ANA, { teams: undefined })], PRUNE, [`keep-owner ou-${ANA}`]],
    ['is the caller', [], [toMember(ANA, { id: 'ou-me' })], PRUNE, ['keep-self ou-me']],
    ['has a hidden address', [], [toMember(undefined)], PRUNE, ['keep-unnamed ou-hidden']],
    ['has an odd address', [], [toMember('root@localhost')], PRUNE, ['keep-unnamed ou-root@localhost']],
    [
      'stays in owners',
      [toWanted(ANA, 'audit')],
      [toMember(ANA, { teams: toTeams('owners', 'platform') })],
      TEAMS_TOO,
      ['+audit -platform'],
    ],
    ['is added to owners', [toWanted(ANA, 'owners')], [toMember(ANA)], PRUNE, ['+owners']],
    ['is the caller, and moves', [toWanted(ANA, 'audit')], [toMember(ANA, { id: 'ou-me' })], TEAMS_TOO, ['+audit']],
    [
      'stays in a team that is not seen',
      [toWanted(ANA, 'platform')],
      [toMember(ANA, { teams: toTeams('platform', 'hidden') })],
      TEAMS_TOO,
      [],
    ],
  ])('%s', (_, wanted, members, rules, steps) => {
    expect(tell(plan(wanted, members, rules))).toEqual(steps);
  });
});

describe('what is managed elsewhere', () => {
  const inTeam = toMember(ANA, { teams: toTeams('platform', 'sso') });
  const [inactive, account, provisioned] = [
    toMember(ANA, { status: 'inactive' }),
    toMember(undefined, { isServiceAccount: true, username: 'api-team' }),
    toMember(ANA, { isScimManaged: true }),
  ];

  test.each([
    ['a member of a managed team', inTeam],
    ['an inactive member', inactive],
    ['a service account', account],
    ['an identity of SCIM', provisioned],
  ])('%s stays, and is added to other teams', (_, member) => {
    const row = { id: member.id, teams: toFound(['audit']), line: 1 };
    expect(tell(plan([], [member], PRUNE))).toEqual([`keep-managed ${member.id}`]);
    expect(tell(plan([row], [member], TEAMS_TOO))).toEqual(['+audit']);
    expect(plan([row], [member], TEAMS_TOO).left.keptTeams).toBe(1);
    const all = { ...TEAMS_TOO, includeManaged: true };
    expect(tell(plan([row], [member], all))).toEqual([
      member === inTeam ? '+audit -platform -sso' : '+audit -platform',
    ]);
    expect(tell(plan([], [member], all))).toEqual([`remove ${member.id}`]);
  });

  test('a managed team is not written to, and counted', () => {
    const { left, ...rest } = plan([toWanted(ANA, 'sso', 'platform')], [toMember(ANA)], TEAMS_TOO);
    expect([tell({ left, ...rest }), left.managedTeams]).toEqual([[], 1]);
    expect(tell(plan([toWanted(ANA, 'sso')], [toMember(ANA)], { includeManaged: true }))).toEqual(['+sso']);
  });

  test('nor by an invitation', () => {
    const both = plan([toWanted(ANA, 'sso', 'audit')], []);
    expect([tell(both), both.left.managedTeams, both.left.uninvited]).toEqual([[`invite ${ANA} audit`], 1, 0]);
    const alone = plan([toWanted(ANA, 'sso')], []);
    expect([tell(alone), alone.left.managedTeams, alone.left.uninvited]).toEqual([[], 0, 1]);
    expect(tell(plan([toWanted(ANA, 'sso')], [], { includeManaged: true }))).toEqual([`invite ${ANA} sso`]);
  });
});

describe('rows that are wrong', () => {
  const ADA = toMember('ada@example.com', { username: 'ada' });
  const BEN = toMember('ben@example.com', { username: 'ben' });
  const TWIN = toMember('ada@example.com', { id: 'ou-twin', userId: 'user-twin', username: 'ada2' });

  test.each<[what: string, rows: readonly Omit<Wanted, 'line'>[], problems: readonly string[]]>([
    [
      'no one',
      [{ user: 'eve' }, { id: 'ou-1' }],
      [
        '1: acme has no member eve, and only an email can be invited',
        '2: acme has no member ou-1, and only an email can be invited',
      ],
    ],
    [
      'one person twice',
      [{ user: 'ben' }, { email: 'BEN@example.com' }],
      ['2: BEN@example.com is ben@example.com, who is in line 1 already'],
    ],
    [
      'one invitee twice',
      [{ email: 'eve@example.com', id: 'ou-1' }, { email: 'EVE@example.com' }],
      ['2: EVE@example.com is in line 1 already'],
    ],
    [
      'two people',
      [
        { user: 'ben', email: 'eve@example.com' },
        { id: BEN.id, user: 'ada' },
      ],
      ['2: 2 people of acme match: ben@example.com (ou-ben@example.com), ada@example.com (ou-ada@example.com)'],
    ],
    [
      'several accounts with one address',
      [{ email: 'ada@example.com' }],
      ['1: 2 people of acme match: ada@example.com (ou-ada@example.com), ada@example.com (ou-twin)'],
    ],
    ['one of several accounts', [{ email: 'ada@example.com', user: 'ada2' }, { user: 'ada' }], []],
  ])('%s', (_, rows, problems) => {
    const wanted = rows.map((row, index) => ({ ...row, line: index + 1 }));
    const matched = matchPeople(wanted, [ADA, BEN, TWIN], { organization: 'acme', place: 'line' });
    expect(matched.problems.map(({ line, text }) => `${line}: ${text}`)).toEqual(problems);
  });
});

const anyName = fc.constantFrom(...'abcdefgh');
const anyEmail = anyName.map((name) => `${name}@example.com`);
const anyTeams = fc.subarray(['owners', 'platform', 'audit', 'security', 'sso']);
const anyRow = fc
  .record({
    name: anyName,
    key: fc.constantFrom('email', 'user', 'both'),
    teams: fc.option(anyTeams, { nil: undefined }),
  })
  .map(
    ({ name, key, teams }): Wanted => ({
      ...(key === 'user' ? {} : { email: `${name}@example.com` }),
      ...(key === 'email' ? {} : { user: name }),
      ...(teams === undefined ? {} : { teams: toFound(teams) }),
      line: 1,
    }),
  );
const anyRows = fc.uniqueArray(anyRow, { selector: ({ email, user }) => email?.charAt(0) ?? user });
const anyMembers = fc.uniqueArray(
  fc
    .record({
      email: fc.oneof({ weight: 8, arbitrary: anyEmail }, fc.constantFrom(undefined, 'root@localhost')),
      teams: fc.oneof(
        { weight: 8, arbitrary: fc.subarray(['owners', 'platform', 'audit', 'security', 'sso', 'hidden']) },
        fc.constant(undefined),
      ),
      status: fc.constantFrom('active', 'active', 'invited', 'inactive', undefined),
      isServiceAccount: fc.constantFrom(false, false, true),
      isScimManaged: fc.constantFrom(undefined, false, false, true),
      isCaller: fc.boolean(),
    })
    .map(({ email, teams, isCaller, ...more }) =>
      toMember(email, {
        ...more,
        id: isCaller && email === 'a@example.com' ? 'ou-me' : `ou-${(email ?? 'hidden').replace(/\W/g, '')}`,
        username: email?.charAt(0),
        teams: teams === undefined ? undefined : toTeams(...teams),
      }),
    ),
  { selector: ({ id }) => id },
);
const anyRules: fc.Arbitrary<PlanRules> = fc
  .record({ prune: fc.boolean(), pruneTeams: fc.boolean(), includeManaged: fc.boolean() })
  .map(({ prune, ...rest }) => ({ ...RULES, ...rest, protects: prune ? protects : undefined }));

/** What an organization is after a plan: the model of what apply does. */
function applyTo(members: readonly Member[], { steps }: Plan): readonly Member[] {
  const byId = new Map(members.map((member) => [member.id, member]));
  for (const step of steps) {
    if (step.action === 'remove') byId.delete(step.member.id);
    else if (step.action === 'invite') {
      const member = toMember(step.wanted.email, { status: 'invited', teams: toTeams(...step.teams.map(toName)) });
      byId.set(`${member.id}-new`, { ...member, id: `${member.id}-new` });
    } else {
      const gone = new Set(step.remove.map(({ id }) => id));
      const teams = [...(step.member.teams ?? []).filter(({ id }) => !gone.has(id)), ...step.add];
      byId.set(step.member.id, { ...step.member, teams: teams.map(({ id, name }) => ({ id, name })) });
    }
  }
  return [...byId.values()];
}

/** Rows that name no one, and an invitation without a team, are refused before. */
function planOf(rows: readonly Wanted[], members: readonly Member[], rules: PlanRules): Plan | undefined {
  const matched = matchPeople(rows, members, { organization: 'acme', place: 'line' });
  const usable = matched.problems.length === 0 && matched.absent.every(({ teams = [] }) => teams.length > 0);
  return usable ? makePlan(matched, members, rules) : undefined;
}

const isManagedPerson = ({ status, isServiceAccount, isScimManaged, teams = [] }: Member): boolean =>
  status === 'inactive' ||
  isServiceAccount === true ||
  isScimManaged === true ||
  teams.some(({ id }) => id === 'team-sso');

test('after a plan is done, the next one is empty', () => {
  let planned = 0;
  fc.assert(
    fc.property(anyRows, anyMembers, anyRules, (rows, members, rules) => {
      const first = planOf(rows, members, rules);
      if (first === undefined) return;
      planned += first.steps.length;
      const after = applyTo(members, first);
      expect(planOf(rows, after, rules)?.steps).toEqual([]);
    }),
    { numRuns: 1000 },
  );
  expect(planned).toBeGreaterThan(100);
});

test('everyone wanted and everyone there is accounted for once', () => {
  fc.assert(
    fc.property(anyRows, anyMembers, anyRules, (rows, members, rules) => {
      const made = planOf(rows, members, rules);
      if (made === undefined) return;
      const ids = [...made.steps, ...made.kept].flatMap((step) => ('member' in step ? [step.member.id] : []));
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length + made.present).toBe(members.length);
      const invited = made.steps.filter(({ action }) => action === 'invite').length + made.left.uninvited;
      const named = made.present + made.steps.filter(({ action }) => action === 'teams').length;
      expect(invited + named).toBe(rows.length);
    }),
  );
});

test('no one loses what the rules protect', () => {
  fc.assert(
    fc.property(anyRows, anyMembers, anyRules, (rows, members, rules) => {
      const made = planOf(rows, members, rules);
      if (made === undefined) return;
      for (const step of made.steps) {
        const teams =
          step.action === 'teams' ? [...step.add, ...step.remove] : step.action === 'invite' ? step.teams : [];
        if (!rules.includeManaged) expect(teams.map(toName)).not.toContain('sso');
        if (step.action === 'remove') {
          expect(rules.protects?.(step.member)).toBeUndefined();
          expect(rules.protects).toBeDefined();
          expect(rules.includeManaged || !isManagedPerson(step.member)).toBe(true);
          expect(step.member.isServiceAccount === true || step.member.email?.endsWith('@example.com')).toBe(true);
        }
        if (step.action === 'teams' && step.remove.length > 0) {
          expect(rules.pruneTeams).toBe(true);
          expect(rules.isSelf(step.member)).toBe(false);
          expect(rules.includeManaged || !isManagedPerson(step.member)).toBe(true);
          const names = step.remove.map(toName);
          expect(names).not.toContain('owners');
          expect(names).not.toContain('hidden');
        }
      }
      const leavers = findLeavers(made);
      expect(new Set(leavers.map((step) => ('member' in step ? step.member.id : ''))).size).toBe(leavers.length);
    }),
  );
});

test('a roster made of who is there plans nothing, whatever the options', async () => {
  await fc.assert(
    fc.asyncProperty(anyMembers, anyRules, fc.constantFrom('yaml', 'json'), async (members, rules, kind) => {
      const text = renderRoster([{ organization: 'acme', entries: toRosterEntries(members, RESOURCES) }], {
        isSeveral: false,
        kind: kind as 'yaml' | 'json',
      });
      const { rows, problems } = await parseRoster(text, 'stdin');
      expect(problems).toEqual([]);
      const facts = toTeamFacts(RESOURCES);
      const byName = new Map([...facts].map(([id, { name }]) => [name, id]));
      const wanted = rows.map(({ teams, ...row }): Wanted => {
        if (teams === undefined) return row;
        return { ...row, teams: teams.map((asked) => ({ asked, id: byName.get(asked) ?? asked })) };
      });
      const matched = matchPeople(wanted, members, { organization: 'acme', place: 'line' });
      const made = makePlan(matched, members, { ...rules, teams: facts });
      expect([matched.problems, matched.absent, made.steps, made.kept]).toEqual([[], [], [], []]);
      expect(Object.values(made.left)).toEqual([0, 0, 0, 0]);
    }),
  );
});
