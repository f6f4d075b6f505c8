import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonText } from '../../src/old/json-object.ts';
import { readList } from '../../src/old/service/client.ts';

const nested = (depth: number, open = '[', close = ']'): string => open.repeat(depth) + close.repeat(depth);

describe('JSON of others', () => {
  it('is what JSON.parse makes of it', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseJsonText(text)).toEqual(JSON.parse(text));
      }),
    );
    expect(Object.keys(parseJsonText('{"__proto__":1}') as object)).toEqual(['__proto__']);
  });

  it.each(['', '[', '{"a"}', '"\\"', '[1,]'])('is refused where it is none: %s', (text) => {
    expect(() => parseJsonText(text)).toThrow(SyntaxError);
  });

  it.each([
    ['lists', nested(501)],
    ['objects', `${'{"a":'.repeat(501)}1${'}'.repeat(501)}`],
    ['both', `${'[{"a":'.repeat(251)}1${'}]'.repeat(251)}`],
    ['far too deep', nested(1_000_000)],
  ])('is refused where it is nested beyond use: %s', (_name, text) => {
    expect(() => parseJsonText(text)).toThrow('it is nested more than 500 levels deep');
  });

  it.each([
    ['as deep as may be', nested(500)],
    ['many beside each other', `[${Array(2_000).fill('[[]]').join(',')}]`],
    ['brackets in a text', JSON.stringify(['['.repeat(2_000)])],
    ['behind escaped quotation marks', JSON.stringify([`\\"${'['.repeat(2_000)}\\`, '\\', '\\\\"{'.repeat(600)])],
  ])('is taken: %s', (_name, text) => {
    expect(parseJsonText(text)).toEqual(JSON.parse(text));
  });
});

it("an answer nested beyond use is none of the service's", () => {
  const text = `{"data":[{"id":"1","type":"things","attributes":{"a":${nested(20_000)}}}]}`;
  const answer = {
    status: 200,
    headers: {},
    text,
    origin: 'https://tfe.example.com',
    request: { method: 'GET', path: '/things' },
    what: 'list things',
  };
  expect(() => readList(answer)).toThrow("can't list things: status 200, but the body is not");
});
