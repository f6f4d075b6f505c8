import { expect, test } from 'vitest';
import { matchRows } from '../../src/members/match-roster.ts';
import { parseMemberRecord } from '../../src/members/member.ts';
import type { MemberQuery } from '../../src/members/member-query.ts';
import { createTeams } from '../../src/members/teams.ts';

const MEMBERS = ['ada', 'milo', 'twin', 'bot'].map((name) => {
  const email = { twin: 'ada@x.co', bot: '' }[name] ?? `${name}@x.co`;
  return parseMemberRecord({ id: `ou-${name}`, email, user: { id: `user-${name}`, username: name } });
});
const TEAMS = createTeams('acme', [{ id: 'team-audit', name: 'audit', isOwners: false, isManaged: false }]);
const TWO = 'row 1: several people match:';

test.each<[rows: MemberQuery[], matched: string[], ...said: string[]]>([
  [
    [{ email: 'MILO@x.co' }, { username: 'Bot' }, { email: 'ana@x.co' }],
    ['ou-milo', 'ou-bot', 'ana@x.co'],
  ],
  [
    [{ userId: 'user-milo' }, { id: 'ou-ada', email: 'ada@x.co' }],
    ['ou-milo', 'ou-ada'],
  ],
  [[{ email: 'ada@x.co' }], [], `${TWO} ada@x.co (status unknown) ou-ada, ada@x.co (status unknown) ou-twin`],
  [
    [{ email: 'milo@x.co', username: 'bot' }],
    [],
    `${TWO} milo@x.co (status unknown) ou-milo, bot (status unknown) ou-bot`,
  ],
  [[{ id: 'ou-milo' }, { username: 'milo' }], ['ou-milo'], 'row 2: milo@x.co is in row 1 already'],
  [[{ email: 'ana@x.co' }, { email: 'ANA@x.co' }], ['ana@x.co'], 'row 2: ANA@x.co is in row 1 already'],
  [[{ username: 'ana' }], [], 'row 1: acme has no member ana, and only an email can be invited'],
  [[{ username: 'milo', email: 'old@x.co' }], ['ou-milo'], 'row 1: milo is milo@x.co in acme, not old@x.co'],
  [[{ id: 'ou-gone', email: 'ana@x.co' }], ['ana@x.co'], 'row 1: acme has no member ou-gone, so ana@x.co is invited'],
])('rows %j mean %j', (queries, matched, ...said) => {
  const rows = queries.map((query, at) => ({ location: `row ${at + 1}`, query, teams: ['audit'], org: undefined }));
  const match = matchRows(TEAMS, rows, MEMBERS);
  expect([...match.present.keys(), ...match.absent.map(({ email }) => email)]).toEqual(matched);
  expect([...match.problems.map(({ message }) => message), ...match.warnings]).toEqual(said);
});
