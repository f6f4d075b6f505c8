import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AUTHORITY, GOOD, KEY, SELF_SIGNED } from '../support/certificates.ts';
import { createFolder } from '../support/files.ts';
import {
  continueUnasked,
  type Fault,
  type Front,
  htmlOf502,
  oversize,
  pass,
  redirectTo,
  refuse,
  replaceAnswer,
  resetAfter,
  resetBefore,
  silenceAfter,
  silenceBefore,
  startFront,
  times,
  truncate,
} from '../support/front.ts';
import { startService } from '../support/service.ts';

/**
 * A write whose end can be read, and one whose end can't, with every way a request can fail. The fault concerns the requests of the operation itself;
 * readings before it, and those afterwards that find out whether it took effect, succeed.
 */

interface Operation {
  argv: string;
  /** Where the POST goes, after one reading. */
  path: string;
  /** A failure after that reading has a row on stdout. */
  hasRow: boolean;
  /** Completes "can't …". */
  what: string;
}

const PROVIDER: Operation = {
  argv: 'providers create public/hashicorp/null',
  path: '/organizations/acme/registry-providers',
  hasRow: true,
  what: 'add providers to acme',
};
const TOKEN: Operation = {
  argv: 'audit-token generate --yes',
  path: '/organizations/acme/authentication-token',
  hasRow: false,
  what: 'create an audit trail token of acme',
};

/** The first line of the error. */
const MESSAGES = {
  refused: "can't reach HOST: it refused the connection",
  dns: "can't reach HOST: the host name was not found",
  tls: "can't reach HOST: its certificate is self-signed",
  reset: 'the connection to HOST broke before an answer came',
  redirected: 'HOST answered 307, a redirect to http://ELSEWHEREPATH',
  late: 'HOST did not answer within 0.8 s',
  429: "can't WHAT: too many requests",
  500: "can't WHAT: HOST answered 500",
  502: 'HOST answered 502 with a web page ("502 Bad Gateway")',
  503: "can't WHAT: HOST answered 503",
  unknown: 'unknown whether this happened: WHAT',
} as const;

/**
 * `reads` are all GET requests that arrived, `writes` all others, `done` the writes the service acted on with success.
 * Reads and writes that are left out are none, and then so is what was done.
 */
interface Cell {
  reads?: number;
  writes?: number;
  done?: number;
  exit: number;
  says?: keyof typeof MESSAGES;
}

/** What is wrong where the operation itself is sent to. */
type Place = 'nobody listens' | 'no such name' | 'another certificate';
/** What happens to the requests of the operation; the argument is another origin. */
type Strike = (elsewhere: string) => Fault;
type Row = [fault: string, strike: Strike, write: Cell, token: Cell, place?: Place];

/** One POST, with an unknown effect. */
const createUnknown = (done: number): Cell => ({ reads: 1, writes: 1, done, exit: 11, says: 'unknown' });

/** Read before, written, and found. */
const FOUND_DONE: Cell = { reads: 2, writes: 1, done: 1, exit: 0 };
/** Read before, written, and not found: never sent again. */
const notDone = (says: keyof typeof MESSAGES): Cell => ({ reads: 2, writes: 1, done: 0, exit: 9, says });

const LIMITED: Cell = { reads: 1, writes: 2, done: 1, exit: 0 };
const TOO_MANY: Cell = { reads: 1, writes: 5, done: 0, exit: 8, says: 429 };
const unreached = (says: keyof typeof MESSAGES, reads = 0): Cell => ({ reads, exit: 9, says });
const pause = (seconds: string) => ({ 'retry-after': seconds });
const NOT_STRUCK = () => pass;

/** The cells are of a write whose effect can be read, and of the POST of the token. */
const TABLE: Row[] = [
  ['a refused connection', NOT_STRUCK, unreached('refused', 1), unreached('refused', 1), 'nobody listens'],
  ['a name that is not found', NOT_STRUCK, unreached('dns'), unreached('dns'), 'no such name'],
  ['a certificate signed by itself', NOT_STRUCK, unreached('tls', 1), unreached('tls', 1), 'another certificate'],
  ['a reset before it is acted on, once', () => times(1, resetBefore), notDone('reset'), createUnknown(0)],
  ['a reset after it was acted on, once', () => times(1, resetAfter), FOUND_DONE, createUnknown(1)],
  ['100 that was not asked for', () => continueUnasked, FOUND_DONE, createUnknown(1)],
  ['429, once', () => times(1, refuse(429, { 'x-ratelimit-reset': '0.5' })), LIMITED, LIMITED],
  ['429, every time', () => refuse(429, pause('1')), TOO_MANY, TOO_MANY],
  ['500, once', () => times(1, refuse(500)), notDone(500), createUnknown(0)],
  [
    '500 although it was done',
    () => replaceAnswer({ status: 500, headers: {}, body: '' }),
    FOUND_DONE,
    createUnknown(1),
  ],
  ['502 with a page, once', () => times(1, htmlOf502), notDone(502), createUnknown(0)],
  ['503 that asks for a pause, once', () => times(1, refuse(503, pause('2'))), notDone(503), createUnknown(0)],
  ['no answer in time, and nothing done', () => silenceBefore, notDone('late'), createUnknown(0)],
  ['no answer in time, although it was done', () => silenceAfter, FOUND_DONE, createUnknown(1)],
  ['an answer cut off, once', () => times(1, truncate), FOUND_DONE, createUnknown(1)],
  ['an answer of more than 64 MiB', () => oversize, FOUND_DONE, createUnknown(1)],
  ['a redirect to another origin', redirectTo, notDone('redirected'), createUnknown(0)],
];

for (const [fault, strike, write, token, place] of TABLE) {
  test(fault, async () => {
    const timeout = fault.startsWith('no answer in time') ? '800ms' : '30s';
    const outcomes = [PROVIDER, TOKEN].map((operation) => strikeOperation(operation, place, strike, timeout));
    expect(await Promise.all(outcomes)).toEqual([createOutcome(write, PROVIDER), createOutcome(token, TOKEN)]);
  });
}

test('where every answer comes after a 100, no token is created', async () => {
  const service = await startService();
  const front = await startFront(service.sandbox, continueUnasked);
  const { code } = await service.run(['audit-token', 'generate', '--yes'], { env: { ORGCTL_BASE_URL: front.url } });
  expect({ code, writes: front.requests.filter(({ isWrite }) => isWrite).length }).toEqual({ code: 9, writes: 0 });
});

/** How a command ends, as in a cell of the table. */
function createOutcome({ reads = 0, writes = 0, done = 0, exit, says }: Cell, operation: Operation) {
  const { path, what, hasRow } = operation;
  const text = says && MESSAGES[says].replace('PATH', `/api/v2${path}`).replace('WHAT', what);
  return {
    reads,
    writes,
    done,
    exit,
    says: text ?? 'no error',
    isResult: exit === 0 || (hasRow && reads > 0),
    elsewhere: 0,
  };
}

async function strikeOperation(operation: Operation, place: Place | undefined, strike: Strike, timeout: string) {
  const service = await startService();
  const elsewhere = await startFront(service.sandbox);
  const fault = strike(elsewhere.origin);
  const path = `/api/v2${operation.path}`;
  const front = await startFront(
    service.sandbox,
    async (passing) => {
      if (place !== undefined) leave(place, front);
      const isIt = passing.isWrite && passing.target.split('?')[0] === path;
      // The next request comes on a new connection.
      if (place !== undefined) passing.outgoing.setHeader('connection', 'close');
      await (isIt ? fault : pass)(passing);
    },
    { tls: place === 'another certificate' ? { key: KEY, cert: GOOD } : undefined },
  );

  const home = createFolder();
  const authority = join(home, 'authority.pem');
  writeFileSync(authority, AUTHORITY);
  const host = place === 'no such name' ? 'orgctl-test.invalid' : `127.0.0.1:${front.port}`;
  const { code, stdout, stderr } = await service.run(`${operation.argv} --timeout ${timeout}`.split(' '), {
    home,
    env: { ORGCTL_BASE_URL: place === 'no such name' ? `https://${host}` : front.url, ORGCTL_CA_FILE: authority },
  });
  // Notes and warnings may precede the error.
  const [, message = 'no error'] = /^orgctl: (.*)$/m.exec(stderr) ?? [];
  return {
    reads: front.requests.filter(({ isWrite }) => !isWrite).length,
    writes: front.requests.filter(({ isWrite }) => isWrite).length,
    done: front.done.length,
    exit: code,
    says: message.replaceAll(elsewhere.origin, 'http://ELSEWHERE').replaceAll(host, 'HOST'),
    isResult: stdout !== '',
    elsewhere: elsewhere.requests.length,
  };
}

/** After the reading before the operation, the service is gone or replaced. */
function leave(place: Place, front: Front): void {
  if (front.requests.length !== 1) return;
  if (place === 'another certificate') front.showCertificate({ key: KEY, cert: SELF_SIGNED });
  else front.stopListening();
}
