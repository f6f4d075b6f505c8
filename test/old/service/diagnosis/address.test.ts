import { expect, test } from 'vitest';
import { type AddressAnswers, type ApiAddress, judgeAddress } from '../../../../src/old/service/diagnosis/address.ts';
import type { Answer } from '../../../../src/old/service/http.ts';

const toAnswer = (status: number, body: unknown = '', headers: Answer['headers'] = {}): Answer => ({
  status,
  headers,
  text: typeof body === 'string' ? body : JSON.stringify(body),
  origin: 'https://tfe.example.com',
  request: { method: 'GET', path: '/' },
});

const HEADERS = { 'tfp-api-version': '2.6' };
const ABSENT = toAnswer(404, { errors: [{ status: '404' }] });
const PONG = toAnswer(204, '', HEADERS);
const REFUSED = toAnswer(401, { errors: [{ status: '401' }] });
const PAGE = toAnswer(200, '<html>');
const named = (path: string): Answer => toAnswer(200, { 'tfe.v2': path });
const ELSEWHERE = { at: 'elsewhere', baseUrl: 'https://tfe.example/api/v2' } as const;
const NOWHERE: AddressAnswers = { ping: ABSENT, route: ABSENT, discovery: ABSENT };

test.each<[what: string, answers: Partial<AddressAnswers>, address: ApiAddress]>([
  ['the ping route', { ping: PONG }, { at: 'here' }],
  ['the ping route, whatever is discovered', { ping: PONG, discovery: named('/api/v2/') }, { at: 'here' }],
  ["a ping without the service's headers", { ping: toAnswer(204) }, { at: 'nowhere' }],
  ['a route that wants a token', { route: REFUSED }, { at: 'here' }],
  ['a login page', { ping: PAGE, route: toAnswer(401, '<html>') }, { at: 'nowhere' }],
  ['discovery, here', { discovery: named('/base/') }, { at: 'here' }],
  ['discovery, elsewhere', { discovery: named('/api/v2/') }, ELSEWHERE],
  ['discovery, in full', { discovery: named('https://tfe.example/api/v2') }, ELSEWHERE],
  ['discovery, at another origin', { discovery: named('https://other.example/api/v2') }, { at: 'nowhere' }],
  ['discovery before a route that wants a token', { route: REFUSED, discovery: named('/api/v2') }, ELSEWHERE],
  ['discovery of something else', { discovery: toAnswer(200, { 'modules.v1': '/x' }) }, { at: 'nowhere' }],
  ['the usual ping route', { usualPing: PONG }, ELSEWHERE],
  ['the usual route that wants a token', { usualRoute: REFUSED }, ELSEWHERE],
  ['the same refusal everywhere', { usualPing: ABSENT, usualRoute: ABSENT }, { at: 'nowhere' }],
  ["the service's headers, and no API", { ping: toAnswer(404, '', HEADERS) }, { at: 'unknown' }],
  ['trouble', { ping: toAnswer(503), route: toAnswer(503) }, { at: 'unknown' }],
  ['too many requests', { route: toAnswer(429, { errors: [{ status: 429 }] }) }, { at: 'unknown' }],
  ['no answer', { ping: undefined }, { at: 'unknown' }],
])('%s', (_what, answers, address) => {
  expect(judgeAddress(new URL('https://tfe.example/base/'), { ...NOWHERE, ...answers })).toEqual(address);
});
