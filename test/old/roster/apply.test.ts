import { describe, expect, test } from 'vitest';
import type { Member } from '../../../src/old/people/member.ts';
import { findChanges, findUnshown, parseShownPlan, removeAsShown } from '../../../src/old/roster/apply.ts';
import { makePlan, place, toPlanRecord } from '../../../src/old/roster/plan.ts';

const toTeams = (...ids: readonly string[]) => ids.map((id) => ({ id, name: undefined }));
const ADA: Member = {
  id: 'ou-ada',
  email: 'ada@example.com',
  username: 'ada',
  status: 'active',
  teams: toTeams('team-b', 'team-a'),
  userId: 'user-ada',
  isServiceAccount: false,
  isScimManaged: undefined,
  hasSecondFactor: undefined,
  organization: 'acme',
};

describe('what is read again', () => {
  test.each<[now: Partial<Member>, changes: readonly string[]]>([
    [{}, []],
    [{ teams: toTeams('team-a', 'team-b'), email: 'ADA@example.com', organization: 'Acme' }, []],
    [{ organization: undefined }, []],
    [{ id: 'ou-eve' }, ['id: ou-ada in the plan, now ou-eve']],
    [{ userId: 'user-eve' }, ['user: user-ada in the plan, now user-eve']],
    [{ email: 'eve@example.com' }, ['email: ada@example.com in the plan, now eve@example.com']],
    [{ email: undefined }, ['email: ada@example.com in the plan, now none']],
    [{ status: 'invited' }, ['status: active in the plan, now invited']],
    [
      { teams: toTeams('team-a', 'team-b', 'team-owners') },
      ['teams: team-a, team-b in the plan, now team-a, team-b, team-owners'],
    ],
    [{ teams: toTeams() }, ['teams: team-a, team-b in the plan, now none']],
    [{ teams: undefined }, ['teams: team-a, team-b in the plan, now none']],
    [{ organization: 'globex' }, ['organization: acme in the plan, now globex']],
    [
      { status: 'invited', teams: toTeams() },
      ['status: active in the plan, now invited', 'teams: team-a, team-b in the plan, now none'],
    ],
  ])('%j', (now, changes) => {
    expect(findChanges(ADA, { ...ADA, ...now }, 'acme')).toEqual(changes);
  });
});

test('a membership with null for what comes along is removed like any other', async () => {
  const data = {
    id: ADA.id,
    type: 'organization-memberships',
    attributes: { email: ADA.email, status: ADA.status },
    relationships: {
      teams: { data: (ADA.teams ?? []).map(({ id }) => ({ id, type: 'teams' })) },
      user: { data: { id: ADA.userId ?? '', type: 'users' } },
    },
  };
  const answer = JSON.parse(JSON.stringify({ data, included: null }));
  const doors = { show: async () => answer, remove: async () => true };
  expect(await removeAsShown(doors, ADA, 'acme')).toBe('removed');
});

describe('a plan that was looked at', () => {
  const TEAM = { asked: 'platform', id: 'team-p', name: 'platform' };
  const BEN: Member = { ...ADA, id: 'ou-ben', email: 'ben@example.com' };
  const plan = makePlan(
    {
      rows: new Map([[BEN.id, { email: 'ben@example.com', teams: [TEAM], line: 2 }]]),
      absent: [{ email: 'ana@example.com', teams: [TEAM], line: 1 }],
    },
    [ADA, BEN],
    {
      protects: () => undefined,
      pruneTeams: true,
      includeManaged: false,
      isSelf: () => false,
      teams: new Map(
        ['team-a', 'team-b', 'team-p'].map((id) => [id, { name: id.slice(5), isOwners: false, isManaged: false }]),
      ),
    },
  );
  const records = place(plan.steps, 'acme').map(toPlanRecord);
  const shown = (changed: readonly object[]): number =>
    plan.steps.length -
    findUnshown(place(plan.steps, 'ACME'), parseShownPlan(JSON.stringify(changed), 'plan.json').keys).length;

  test('holds all steps', () => {
    expect(records.map(({ action }) => action)).toEqual(['remove', 'invite', 'teams']);
    expect(records[2]).toMatchObject({
      'teams-add': [{ id: 'team-p', name: 'p' }],
      'teams-remove': [{ name: 'b' }, { name: 'a' }],
    });
    expect(shown(records)).toBe(3);
    expect(shown([...records].reverse())).toBe(3);
    expect(shown([])).toBe(0);
  });

  test.each(['action', 'id', 'email', 'status', 'organization'])('does not show them with another %s', (name) => {
    const other = name === 'organization' ? { id: 'other' } : 'other';
    expect(shown(records.map((record) => ({ ...record, [name]: other })))).toBe(0);
  });

  test('does not show them with other teams', () => {
    expect(
      shown(records.map((record) => ({ ...record, teams: [...record.teams, { id: 'team-owners', name: 'owners' }] }))),
    ).toBe(0);
    expect(shown(records.map((record) => ({ ...record, teams: [...record.teams].reverse() })))).toBe(3);
  });

  test.each(['teams-add', 'teams-remove'] as const)('does not show them with other %s', (name) => {
    expect(shown(records.map((record) => ({ ...record, [name]: [{ id: 'team-o', name: 'other' }] })))).toBe(0);
    expect(shown(records.map((record) => ({ ...record, [name]: [...record[name]].reverse() })))).toBe(3);
  });

  test.each<[text: string, message: string]>([
    ['members: []', 'plan.json is not a plan: it is not JSON'],
    ['{"steps":[]}', 'plan.json is not a plan: it is not an array'],
    ['[{"action":"remove","email":"a@b.example"}]', 'plan.json is not a plan: entry 1 is not a step of a plan'],
    ['[null]', 'plan.json is not a plan: entry 1 is not a step of a plan'],
    [JSON.stringify([{ ...records[0], teams: 'x' }]), 'plan.json is not a plan: entry 1 is not a step of a plan'],
  ])('is refused where it is %s', (text, message) => {
    expect(() => parseShownPlan(text, 'plan.json')).toThrow(message);
  });
});
