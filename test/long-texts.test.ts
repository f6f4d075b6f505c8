import { expect, test } from 'vitest';
import { parseFault } from '../src/sandbox/faults.ts';
import { toServiceError } from '../src/service/problem.ts';
import { chooseProxy } from '../src/service/proxy.ts';
import { organizationStateDirectory } from '../src/settings/directories.ts';
import { withoutTrailingSlashes } from '../src/trailing-slashes.ts';

/** Read in a time that grows with the length and no faster. Where it grew with its square, these would take hours. */

const LONG = 1_000_000;

test('slashes within an address', () => {
  const text = `${'/'.repeat(LONG)}x`;
  expect(withoutTrailingSlashes(text)).toBe(text);
  expect(withoutTrailingSlashes(`${text}${'/'.repeat(LONG)}`)).toBe(text);
  expect(withoutTrailingSlashes('/')).toBe('');
});

test('a web page that begins its title again and again', () => {
  const page = `<html>${'<title'.repeat(LONG)}`;
  const answer = {
    status: 502,
    headers: {},
    text: page,
    origin: 'https://tfe.example.com',
    request: { method: 'GET', path: '/' },
  };
  const { reasons } = toServiceError(answer, { operation: 'list-teams', what: 'list teams', path: '/' });
  expect(reasons).toEqual(['web page']);
});

test('colons in NO_PROXY', () => {
  const proxies = { https: 'http://proxy.example:3128', except: `${':'.repeat(LONG)}[]` };
  expect(chooseProxy(new URL('https://service.example'), proxies)?.url.host).toBe('proxy.example:3128');
});

test('dots in the name of an organization', () => {
  const name = `x${'.'.repeat(LONG)}x`;
  expect(organizationStateDirectory('/state', 'sandbox', name)).toBe(`/state/sandbox/${name}`);
});

test('blanks in a fault', () => {
  expect(() => parseFault(`GET x${' '.repeat(LONG)}y`)).toThrow('it has another form');
  expect(parseFault(`GET${' '.repeat(LONG)}/things${'\t'.repeat(LONG)}:${' '.repeat(LONG)}503`)).toEqual({
    method: 'GET',
    words: '/things',
    when: { kind: 'always' },
    action: { kind: 'status', status: 503 },
  });
});
