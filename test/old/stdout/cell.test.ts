import { describe, expect, it } from 'vitest';
import { toCellText, toDetails } from '../../../src/old/stdout/cell.ts';

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
    [['team-1', 'team-2'].map((id) => ({ id, type: 'teams' })), 'team-1,team-2'],
    [{ 'can-delete': true }, '{"can-delete":true}'],
    [{ id: 'only' }, '{"id":"only"}'],
    [{}, '{}'],
  ])('%j', (value, text) => {
    expect(toCellText(value)).toBe(text);
  });
});

describe('toDetails', () => {
  it('opens objects one level deep, relationships not at all', () => {
    const whole = { id: '1', user: { id: 'u', type: 'users' } };
    const record = { ...whole, permissions: { a: true, b: { c: 1 } }, list: [1], none: null };
    const shown = { ...whole, 'permissions.a': true, 'permissions.b': { c: 1 }, list: [1], none: null };
    expect(toDetails(record, 'resource')).toEqual(Object.entries(shown));
  });

  it('opens what only looks like a relationship in a record', () => {
    const shown = { 'resource.id': 'at-1', 'resource.type': 'token' };
    expect(toDetails({ resource: { id: 'at-1', type: 'token' } }, 'record')).toEqual(Object.entries(shown));
  });
});
