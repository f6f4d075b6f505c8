import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../../src/old/errors.ts';
import { readList, readResource } from '../../../src/old/service/client.ts';

const toAnswer = (document: unknown) => ({
  status: 200,
  headers: {},
  text: JSON.stringify(document),
  origin: 'https://tfe.example.com',
  request: { method: 'GET', path: '/things' },
  what: 'show it',
});

/** What is read without another look later on, where each of these would be a fault of orgctl's. */
const SHAPELESS: Readonly<Record<string, object>> = {
  'no id': { type: 'things' },
  'an empty id': { id: '', type: 'things' },
  'attributes that are null': { id: '1', type: 'things', attributes: null },
  'attributes that are a list': { id: '1', type: 'things', attributes: [] },
  'attributes that are a text': { id: '1', type: 'things', attributes: 'name' },
  'relationships that are a text': { id: '1', type: 'things', relationships: 'teams' },
  'a relationship that is a text': { id: '1', type: 'things', relationships: { user: 'ana' } },
  'a relationship to a text': { id: '1', type: 'things', relationships: { user: { data: 'user-1' } } },
  'a relationship to nothing named': { id: '1', type: 'things', relationships: { user: { data: {} } } },
  'a list of relationships with a null': { id: '1', type: 'things', relationships: { teams: { data: [null] } } },
};

const SHAPES: Readonly<Record<string, object>> = {
  'nothing but its name': { id: '1', type: 'things' },
  'unknown members': { id: '1', type: 'things', attributes: { a: [1, { b: null }] }, more: 1 },
  'relationships of all kinds': {
    id: '1',
    type: 'things',
    relationships: {
      user: { data: { id: 'user-1', type: 'users' } },
      teams: { data: [{ id: 'team-1', type: 'teams', meta: {} }] },
      none: { data: null },
      elsewhere: { links: { related: '/x' } },
      nothing: null,
    },
  },
};

describe("what is no resource is none of the service's answers", () => {
  it.each(Object.entries(SHAPELESS))('%s', (_name, resource) => {
    const good = { id: '2', type: 'things' };
    expect(() => readResource(toAnswer({ data: resource }))).toThrow(ConnectionError);
    expect(() => readResource(toAnswer({ data: good, included: [resource] }))).toThrow(ConnectionError);
    expect(() => readList(toAnswer({ data: [good, resource] }))).toThrow(ConnectionError);
    expect(() => readList(toAnswer({ data: [good], included: [resource] }))).toThrow(ConnectionError);
  });
});

describe('what is one comes through as it is', () => {
  it.each(Object.entries(SHAPES))('%s', (_name, resource) => {
    expect(readResource(toAnswer({ data: resource }))).toEqual({ data: resource });
    expect(readList(toAnswer({ data: [resource] }))).toEqual({ data: [resource] });
  });
});
