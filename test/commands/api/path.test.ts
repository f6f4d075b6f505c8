import { describe, expect, test } from 'vitest';
import { parseApiPath } from '../../../src/old/commands/api/path.ts';

const BASE = '/api/v2';

describe('a path below the base URL', () => {
  test.each([
    ['/organizations/acme', '/organizations/acme', []],
    ['/', '/', []],
    ['/a b/ü', '/a%20b/%C3%BC', []],
    ['/a%2Fb', '/a%2Fb', []],
    ['/100%25', '/100%25', []],
    ['/a..b/...', '/a..b/...', []],
    ['/api/v3/x', '/api/v3/x', []],
    [
      '/teams?page[size]=5&q=a%26b&q=c+d',
      '/teams',
      [
        ['page[size]', '5'],
        ['q', 'a&b'],
        ['q', 'c d'],
      ],
    ],
  ])('%s', (text, path, query) => {
    expect(parseApiPath(text, BASE)).toEqual({ path, query });
  });
});

describe('what could lead elsewhere is refused', () => {
  test.each([
    ['', "doesn't begin with a slash"],
    ['organizations', "doesn't begin with a slash"],
    ['http://other.example/api/v2/x', 'is an address of its own'],
    ['HTTPS://other.example', 'is an address of its own'],
    ['//other.example/x', 'names another host'],
    ['/../x', 'climbs with dots'],
    ['/a/..', 'climbs with dots'],
    ['/a/./b', 'climbs with dots'],
    ['/%2e%2e/x', 'climbs with dots'],
    ['/.%2E/x', 'climbs with dots'],
    ['/a%2f..%2f..%2fx', 'climbs with dots'],
    ['/%252e%252e/x', 'climbs with dots'],
    ['/a%5c..%5cb', 'climbs with dots'],
    ['/\\other.example', "has a character that paths don't have"],
    ['/a#b', "has a character that paths don't have"],
    ['/a\r\nHost: x', "has a character that paths don't have"],
    ['/a%zz', 'has a percent sign that begins no escape'],
    ['/%252525252525252e', 'is percent-encoded again and again'],
    ['/api/v2/organizations', 'repeats /api/v2, which the base URL ends in'],
    ['/api/v2', 'repeats /api/v2, which the base URL ends in'],
  ])('%j', (text, why) => {
    expect(() => parseApiPath(text, BASE)).toThrow(
      expect.objectContaining({ exit: 'usage', message: `can't use the path '${text}': it ${why}` }),
    );
  });

  test('where the base URL has no path of its own, nothing is repeated', () => {
    expect(parseApiPath('/api/v2/x', '/').path).toBe('/api/v2/x');
  });
});
