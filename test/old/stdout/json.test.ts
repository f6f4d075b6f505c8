import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderJson, renderJsonArray, toJsonLine } from '../../../src/old/stdout/json.ts';

const join = (pieces: Iterable<string>) => [...pieces].join('');
const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

describe('renderJsonArray', () => {
  it.each([[[]], [[[]]], [[[], []]], [[[1], [], [{ a: [{}] }, 'x']]], [[['a\nb'], [[]]]]])('%j', (groups) => {
    expect(join(renderJsonArray(groups))).toBe(pretty(groups.flat()));
  });

  it('gives what JSON.stringify gives', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.jsonValue())), (groups) => {
        expect(JSON.parse(join(renderJsonArray(groups)))).toEqual(JSON.parse(pretty(groups.flat(1))));
      }),
    );
  });
});

describe('renderJson', () => {
  it.each([null, 1, 'text', {}, [], { a: undefined, b: [1, { c: [] }] }])('%j', (value) => {
    expect(join(renderJson(value))).toBe(pretty(value));
  });

  it('writes long arrays in pieces and gives the same text', () => {
    const data = Array.from({ length: 2500 }, (_, index) => ({ id: `${index}`, text: 'a\nb', list: [[]] }));
    const document = { jsonapi: { version: '1.0' }, data, gone: undefined, included: [], 'o"dd': data, meta: { a: 1 } };
    const pieces = [...renderJson(document)];
    expect(pieces.length).toBeGreaterThan(6);
    expect(pieces.join('')).toBe(pretty(document));
  });
});

describe('toJsonLine', () => {
  it('is one line', () => {
    expect(toJsonLine({ a: 'x\ny\u009b' })).toBe('{"a":"x\\ny\\u009b"}\n');
  });
});
