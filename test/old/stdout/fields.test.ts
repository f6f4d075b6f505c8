import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/old/errors.ts';
import type { AnyColumns } from '../../../src/old/stdout/columns.ts';
import { checkFieldNames, getField, pickFields } from '../../../src/old/stdout/fields.ts';
import type { FlatRecord } from '../../../src/old/stdout/flatten.ts';

const record: FlatRecord = {
  id: 'ou-1',
  'attributes.id': 'theirs',
  'a.b': { c: 'dotted' },
  a: { 'b.c': 'inner dotted', b: { d: 'nested' } },
  user: { id: 'user-1', username: null, 'two-factor': { enabled: true } },
  teams: [{ id: 'team-1', name: 'owners' }, { id: 'team-2' }],
  none: [],
  gone: null,
};

describe('getField', () => {
  it.each([
    ['id', 'ou-1'],
    ['attributes.id', 'theirs'],
    ['a.b.c', 'dotted'],
    ['a.b.d', 'nested'],
    ['user.username', null],
    ['user.two-factor.enabled', true],
    ['teams.name', ['owners', null]],
    ['teams.id', ['team-1', 'team-2']],
    ['teams.sso', null],
    ['none.name', []],
    ['gone.name', null],
    ['id.length', null],
    ['missing', null],
    ['constructor', null],
    ['__proto__', null],
    ['user.toString', null],
    ['', null],
    ['.', null],
    ['user.', null],
  ])('%s', (path, value) => {
    expect(getField(record, path)).toEqual(value);
  });

  it('finds a member named __proto__', () => {
    expect(getField(JSON.parse('{"__proto__":{"a":1}}'), '__proto__.a')).toBe(1);
  });
});

describe('pickFields', () => {
  it('makes one key of a path, in the order asked, null for what is missing', () => {
    expect(JSON.stringify(pickFields(record, ['teams.name', 'id', 'nothing', '__proto__']))).toBe(
      '{"teams.name":["owners",null],"id":"ou-1","nothing":null,"__proto__":null}',
    );
  });
});

describe('checkFieldNames', () => {
  const listed = { shown: ['id', 'status'], fields: ['user.username'] };
  const columns: AnyColumns = { ...listed, name: 'memberships', shape: 'resource' };
  const check = (names: string[], records: object[] = []) => {
    try {
      checkFieldNames(names, columns, records as Record<string, unknown>[]);
    } catch (error) {
      expect(error).toBeInstanceOf(UsageError);
      const { message, hint } = error as UsageError;
      return [message, hint];
    }
    return 'known';
  };

  it.each(['id', 'user.username,status', 'user.two-factor.enabled', 'teams.name', 'gone'])('%s is known', (names) => {
    expect(check(names.split(','), [record])).toBe('known');
  });

  it('names the unknown one and lists those of the view; one of the data may have been meant too', () => {
    expect(check(['zetta'], [{ zeta: 1, id: 'x', user: { id: 'y' } }])).toEqual([
      'unknown field: zetta',
      'Did you mean zeta? It has: id, status, user.username.',
    ]);
  });

  it('names several, without what a terminal would obey', () => {
    expect(check(['x\u001b[2J', 'id', 'y'], [{ 'z\u202e': 1 }])).toEqual([
      'unknown fields: x, y',
      'It has: id, status, user.username.',
    ]);
  });

  it('knows only the view where there is no data', () => {
    expect(check(['zeta'])).toEqual(['unknown field: zeta', 'It has: id, status, user.username.']);
  });
});
