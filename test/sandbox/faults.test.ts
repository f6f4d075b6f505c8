import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/lib/errors.ts';
import { createFaultMatcher, type Fault, parseFault } from '../../src/sandbox/faults.ts';

describe('parsing', () => {
  const createFault = (method: string, words: string, action: Fault['action'], nth?: number): Fault => {
    return { method, words, nth, action };
  };
  const commit = { kind: 'reset-after-commit' } as const;
  const unavailable = { kind: 'status', status: 503 } as const;
  test.each<[string, Fault]>([
    ['POST a-token: nth=1 reset-after-commit', createFault('POST', 'a-token', commit, 1)],
    ['GET members: nth=3 503', createFault('GET', 'members', unavailable, 3)],
    ['* *: delay=200ms', createFault('*', '*', { kind: 'delay', milliseconds: 200 })],
    ['* /a: delay=1.5s', createFault('*', '/a', { kind: 'delay', milliseconds: 1500 })],
    ['  delete  x :  html ', createFault('DELETE', 'x', { kind: 'html', status: 502 })],
    ['GET *: html=403', createFault('GET', '*', { kind: 'html', status: 403 })],
    ['GET *: without=a,b', createFault('GET', '*', { kind: 'with', members: ['a', 'b'], value: undefined })],
    ['* *: with=saml-enabled:true', createFault('*', '*', { kind: 'with', members: ['saml-enabled'], value: true })],
    ['* *: with=a:b:c', createFault('*', '*', { kind: 'with', members: ['a'], value: 'b:c' })],
    ['* *: with=a:null', createFault('*', '*', { kind: 'with', members: ['a'], value: null })],
    ['GET *: truncate', createFault('GET', '*', { kind: 'truncate' })],
    ['GET *: reset-before', createFault('GET', '*', { kind: 'reset-before' })],
  ])('%s', (text, fault) => {
    expect(parseFault(text)).toEqual(fault);
  });

  test.each([
    '',
    'FETCH teams: 503',
    'GET teams: 302',
    'GET teams: explode',
    'GET teams: delay=2h',
    'GET teams: html=204',
    'GET teams: truncate=2',
    'GET teams: without=',
    'GET teams: with=saml-enabled',
    'GET teams: with=:true',
    'GET teams: delay=9999999s',
    'GET teams: nth=0 503',
    'GET teams: once 503',
    'GET teams: nth=1',
  ])('%j is refused', (text) => {
    expect(() => parseFault(text)).toThrow(UsageError);
    expect(() => parseFault(text)).toThrow(`can't read the fault "${text}"`);
  });
});

const strikes = (faults: string[], requests: string[]): string[] => {
  const strike = createFaultMatcher(faults.map(parseFault));
  return requests.map((request) => {
    const [method = '', path = ''] = request.split(' ');
    const kinds = strike(method, path).map((action) => (action.kind === 'status' ? action.status : action.kind));
    return kinds.join(' ');
  });
};

test.each<[string, string[], string[], string[]]>([
  ['always', ['GET a: 503'], ['GET /a', 'POST /a', 'GET /b', 'GET /xay'], ['503', '', '', '503']],
  ['any method, any path', ['* *: html'], ['GET /a', 'POST /b'], ['html', 'html']],
  ['the second only', ['GET a: nth=2 503'], ['GET /a', 'GET /b', 'GET /a', 'GET /a'], ['', '', '503', '']],
  ['each counts for itself', ['GET a: nth=1 503', 'GET *: nth=2 429'], ['GET /b', 'GET /a'], ['', '503 429']],
  ['a failed request counts for all', ['* *: nth=1 503', '* *: nth=2 429'], ['GET /a', 'GET /a'], ['503', '429']],
  ['they add up', ['* *: truncate', '* *: 503', '* *: delay=1ms'], ['GET /a'], ['truncate 503 delay']],
])('faults that strike: %s', (_name, faults, requests, expected) => {
  expect(strikes(faults, requests)).toEqual(expected);
});
