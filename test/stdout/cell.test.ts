import { describe, expect, it } from 'vitest';
import { toCellText, toDetails } from '../../src/stdout/cell.ts';

describe('toCellText', () => {
  it.each([
    [null, ''],
    [undefined, ''],
    ['', ''],
    ['text', 'text'],
    [true, 'true'],
    [false, 'false'],
    [0, '0'],
    [5.0, '5'],
    [-2.5, '-2.5'],
    [[], ''],
    [['a', 'b'], 'a,b'],
    [{ id: 'team-1', type: 'teams', name: 'owners', username: 'x' }, 'owners'],
    [{ id: 'user-1', type: 'users', username: 'ana', email: 'ana@example.com' }, 'ana'],
    [{ id: 'user-1', type: 'users', username: null, email: 'ana@example.com' }, 'ana@example.com'],
    [{ id: 'user-1', type: 'users', name: '', username: 7 }, 'user-1'],
    [{ id: 'user-1', type: 'users' }, 'user-1'],
    [
      [
        { id: 'team-1', type: 'teams' },
        { id: 'team-2', type: 'teams', name: 'ops' },
      ],
      'team-1,ops',
    ],
    [{ 'can-delete': true }, '{"can-delete":true}'],
    [{ id: 'only' }, '{"id":"only"}'],
    [{}, '{}'],
  ])('%j', (value, text) => {
    expect(toCellText(value)).toBe(text);
  });
});

describe('toDetails', () => {
  it('opens objects one level deep, relationships not at all', () => {
    const record = {
      id: '1',
      user: { id: 'u', type: 'users' },
      permissions: { a: true, b: { c: 1 } },
      list: [1],
      none: null,
    };
    expect(toDetails(record, 'resource')).toEqual([
      ['id', '1'],
      ['user', { id: 'u', type: 'users' }],
      ['permissions.a', true],
      ['permissions.b', { c: 1 }],
      ['list', [1]],
      ['none', null],
    ]);
  });

  it('opens what only looks like a relationship in a record', () => {
    expect(toDetails({ resource: { id: 'at-1', type: 'token', action: 'create' } }, 'record')).toEqual([
      ['resource.id', 'at-1'],
      ['resource.type', 'token'],
      ['resource.action', 'create'],
    ]);
  });
});
