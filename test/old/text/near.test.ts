import { expect, test } from 'vitest';
import { askMeant, findNear } from '../../../src/old/text/near.ts';

const TEAMS = ['owners', 'platform', 'Platform-EU', 'security', 'audit'];

test.each<[word: string, known: readonly string[], near: readonly string[]]>([
  ['platfrom', TEAMS, ['platform']],
  ['AUDITS', TEAMS, ['audit']],
  ['securitygroup', TEAMS, ['security']],
  ['ada', ['olive-owner', 'ada-auditor', 'dad'], ['ada-auditor']],
  ['nope', TEAMS, []],
  ['x', ['a', 'b'], []],
  ['', TEAMS, []],
  ['team', ['team1', 'team2', 'team3', 'team4'], ['team1', 'team2', 'team3']],
])('%s', (word, known, near) => {
  expect(findNear(word, known)).toEqual(near);
});

test('a question names them', () => {
  expect(askMeant([])).toBeUndefined();
  expect(askMeant(['ada'])).toBe('Did you mean ada?');
  expect(askMeant(['ada', 'adam', 'adele'])).toBe('Did you mean ada, adam or adele?');
});
