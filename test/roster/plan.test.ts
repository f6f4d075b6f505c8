import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Member } from '../../src/people/member.ts';
import { makePlan, type Plan, type Wanted } from '../../src/roster/plan.ts';

const OWNERS = 'team-owners';

const toTeams = (...ids: readonly string[]) => ids.map((id) => ({ id, name: undefined }));

function toMember(email: string | undefined, more: Partial<Member> = {}): Member {
  return {
    id: `ou-${email ?? 'hidden'}`,
    email,
    username: undefined,
    status: 'active',
    teams: toTeams('team-platform'),
    userId: `user-${email}`,
    isServiceAccount: false,
    hasSecondFactor: undefined,
    organization: 'acme',
    ...more,
  };
}

function toWanted(email: string, ...teams: readonly string[]): Wanted {
  return { email, teams: teams.map((asked) => ({ asked, id: `team-${asked}` })), line: 1 };
}

const guardOf =
  (own: string) =>
  ({ id, teams }: Member): 'self' | 'owner' | undefined =>
    id === own ? 'self' : teams?.some((team) => team.id === OWNERS) === false ? undefined : 'owner';
const tell = ({ steps }: Plan): readonly string[] =>
  steps.map((step) => [step.action, 'member' in step ? step.member.id : step.wanted.email].join(' '));

describe('one person', () => {
  const ANA = 'ana@example.com';
  test.each<
    [what: string, wanted: readonly Wanted[], members: readonly Member[], prune: boolean, steps: readonly string[]]
  >([
    ['is wanted and absent', [toWanted(ANA, 'platform')], [], false, [`invite ${ANA}`]],
    ['is wanted and there', [toWanted(ANA, 'platform')], [toMember(ANA)], true, []],
    ['is there under another case', [toWanted('ANA@example.com')], [toMember('Ana@Example.com')], true, []],
    ['is invited and wanted', [toWanted(ANA)], [toMember(ANA, { status: 'invited' })], true, []],
    ['has a status nobody knows', [toWanted(ANA)], [toMember(ANA, { status: 'inactive' })], true, []],
    ['lacks a team', [toWanted(ANA, 'platform', 'audit')], [toMember(ANA)], true, [`teams-missing ou-${ANA}`]],
    ['has more teams', [toWanted(ANA)], [toMember(ANA)], true, []],
    ['is not wanted', [], [toMember(ANA)], false, [`extra ou-${ANA}`]],
    ['is not wanted, with prune', [], [toMember(ANA)], true, [`remove ou-${ANA}`]],
    ['is invited and not wanted', [], [toMember(ANA, { status: 'invited' })], true, [`remove ou-${ANA}`]],
    ['is an owner', [], [toMember(ANA, { teams: toTeams('team-platform', OWNERS) })], true, [`keep-owner ou-${ANA}`]],
    ['may be an owner', [], [toMember(ANA, { teams: undefined })], true, [`keep-owner ou-${ANA}`]],
    ['is the caller', [], [toMember(ANA, { id: 'ou-me' })], true, ['keep-self ou-me']],
    [
      'is the caller and an owner',
      [],
      [toMember(ANA, { id: 'ou-me', teams: toTeams(OWNERS) })],
      true,
      ['keep-self ou-me'],
    ],
    ['has a hidden address', [], [toMember(undefined)], true, ['keep-unnamed ou-hidden']],
    ['has an address no roster can hold', [], [toMember('root@localhost')], true, ['keep-unnamed ou-root@localhost']],
    ['is there twice', [toWanted(ANA)], [toMember(ANA, { id: 'ou-1' }), toMember(ANA, { id: 'ou-2' })], true, []],
  ])('%s', (_, wanted, members, prune, steps) => {
    const plan = makePlan(wanted, members, prune ? guardOf('ou-me') : undefined);
    expect(tell(plan)).toEqual(steps);
  });
});

const anyEmail = fc.constantFrom(...'abcdefgh').map((name) => `${name}@example.com`);
const anyWanted = fc.uniqueArray(
  fc.tuple(anyEmail, fc.subarray(['platform', 'audit'])).map(([email, teams]) => toWanted(email, ...teams)),
  { selector: ({ email }) => email },
);
const anyMembers = fc.uniqueArray(
  fc
    .record({
      email: fc.oneof(anyEmail, fc.constantFrom(undefined, 'root@localhost')),
      teams: fc.option(fc.subarray(toTeams(OWNERS, 'team-platform', 'team-audit')), { nil: undefined }),
      status: fc.constantFrom('active', 'invited', undefined),
    })
    .map(({ email, ...more }) => toMember(email, more)),
  { selector: ({ id }) => id },
);

test('everybody wanted and everybody there is accounted for once', () => {
  fc.assert(
    fc.property(anyWanted, anyMembers, fc.boolean(), (wanted, members, prune) => {
      const plan = makePlan(wanted, members, prune ? guardOf('ou-a@example.com') : undefined);
      const ids = plan.steps.flatMap((step) => ('member' in step ? [step.member.id] : []));
      const invited = plan.steps.flatMap((step) => (step.action === 'invite' ? [step.wanted.email] : []));
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length + plan.present).toBe(members.length);
      const there = new Set(members.map(({ email }) => email));
      expect(invited).toEqual(wanted.map(({ email }) => email).filter((email) => !there.has(email)));
    }),
  );
});

test('nobody is removed who is wanted, an owner, the caller or without a plain address, nor anybody without prune', () => {
  fc.assert(
    fc.property(anyWanted, anyMembers, fc.boolean(), (wanted, members, prune) => {
      const own = 'ou-a@example.com';
      const { steps } = makePlan(wanted, members, prune ? guardOf(own) : undefined);
      const removed = steps.flatMap((step) => (step.action === 'remove' ? [step.member.id] : []));
      const names = new Set(wanted.map(({ email }) => email));
      const expected = members.filter(
        ({ id, email, teams }) =>
          prune &&
          id !== own &&
          email !== undefined &&
          email !== 'root@localhost' &&
          !names.has(email) &&
          teams !== undefined &&
          !teams.some((team) => team.id === OWNERS),
      );
      expect(removed).toEqual(expected.map(({ id }) => id));
    }),
  );
});
