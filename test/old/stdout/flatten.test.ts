import { describe, expect, it } from 'vitest';
import { extend, flatten, indexIncluded } from '../../../src/old/stdout/flatten.ts';
import type { Resource } from '../../../src/old/wire/json-api.ts';

const none = indexIncluded([]);
const ana: Resource = { id: 'user-1', type: 'users', attributes: { username: 'ana', email: 'ana@example.com' } };

/** As text, since the order of the members is part of the promise. */
const toJson = (value: unknown) => JSON.stringify(value);

describe('flatten', () => {
  it('puts id and type first, then attributes, then relationships, then extra', () => {
    const membership: Resource = {
      type: 'organization-memberships',
      id: 'ou-1',
      relationships: {
        user: { data: { id: 'user-1', type: 'users' } },
        teams: { data: [{ id: 'team-1', type: 'teams' }] },
      },
      attributes: { status: 'active', 'new-one': { a: 1 } },
    };
    expect(toJson(flatten(membership, indexIncluded([ana]), { changed: true }))).toBe(
      '{"id":"ou-1","type":"organization-memberships","status":"active","new-one":{"a":1},"user":{"id":"user-1","type":"users","username":"ana","email":"ana@example.com"},"teams":[{"id":"team-1","type":"teams"}],"changed":true}',
    );
  });

  it('keeps null, and leaves out a relationship that has only links', () => {
    const resource: Resource = {
      id: '1',
      type: 'things',
      attributes: { cost: null },
      relationships: { team: { data: null }, versions: { links: { related: '/versions' } }, all: { data: [] } },
    };
    expect(flatten(resource, none)).toEqual({ id: '1', type: 'things', cost: null, team: null, all: [] });
  });

  it('loses nothing on a collision: ours wins, theirs moves', () => {
    const resource: Resource = {
      id: '1',
      type: 'things',
      attributes: { id: 'a', type: 'b', changed: 'c', team: 'd' },
      relationships: { team: { data: null }, id: { data: null }, changed: { data: null } },
    };
    expect(toJson(flatten(resource, none, { changed: false }))).toBe(
      '{"id":"1","type":"things","attributes.id":"a","attributes.type":"b","attributes.changed":"c","team":"d","relationships.team":null,"relationships.id":null,"relationships.changed":null,"changed":false}',
    );
  });

  it('loses nothing on a collision with the name theirs would move to', () => {
    const first: Resource = { id: '1', type: 'things', attributes: { id: 'a', 'attributes.id': 'b' } };
    const second: Resource = { id: '1', type: 'things', attributes: { 'attributes.id': 'b', id: 'a' } };
    expect(flatten(first, none)).toMatchObject({ 'attributes.id': 'a', 'attributes.attributes.id': 'b' });
    expect(flatten(second, none)).toMatchObject({ 'attributes.id': 'b', 'attributes.attributes.id': 'a' });
  });

  it('keeps id and type of a relationship whose included attributes have such names', () => {
    const user: Resource = { id: 'user-1', type: 'users', attributes: { id: 7, type: 'human' } };
    const relationships = { user: { data: { id: 'user-1', type: 'users' } } };
    expect(toJson(flatten({ id: '1', type: 'things', relationships }, indexIncluded([user]))['user'])).toBe(
      '{"id":"user-1","type":"users","attributes.id":7,"attributes.type":"human"}',
    );
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'shows a member named %s',
    (name) => {
      const resource = JSON.parse(
        `{"id":"1","type":"things","attributes":{"${name}":{"polluted":true}},
        "relationships":{"${name}":{"data":null},"user":{"data":{"id":"u","type":"users"}}}}`,
      ) as Resource;
      const user = JSON.parse(`{"id":"u","type":"users","attributes":{"${name}":{"polluted":true}}}`) as Resource;
      const record = flatten(resource, indexIncluded([user]));
      expect(JSON.stringify(record)).toBe(
        `{"id":"1","type":"things","${name}":{"polluted":true},"relationships.${name}":null,` +
          `"user":{"id":"u","type":"users","${name}":{"polluted":true}}}`,
      );
      expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
      expect('polluted' in {}).toBe(false);
    },
  );

  it('takes what is no JSON:API', () => {
    const odd = { id: '1', type: 'things', attributes: null, relationships: { a: null, b: { data: 'text' } } };
    expect(flatten(odd as unknown as Resource, none)).toEqual({ id: '1', type: 'things', b: 'text' });
    const list = { id: '1', type: 'things', attributes: [1] } as unknown as Resource;
    expect(flatten(list, none)).toEqual({ id: '1', type: 'things' });
  });
});

describe('indexIncluded', () => {
  it('takes the first of two with the same type and id', () => {
    const index = indexIncluded([ana, { ...ana, attributes: {} }, { id: 'user-1', type: 'teams' }]);
    expect([...index.values()]).toEqual([ana, { id: 'user-1', type: 'teams' }]);
  });
});

describe('extend', () => {
  it('puts extra last, and moves what it covers', () => {
    expect(toJson(extend({ changed: 'theirs', a: 1 }, { changed: true, b: undefined }))).toBe(
      toJson({ 'attributes.changed': 'theirs', a: 1, changed: true }),
    );
  });
});
