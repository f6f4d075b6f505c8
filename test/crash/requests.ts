import { connect } from 'node:net';
import { createRandom } from '../campaign/random.ts';

/** Requests that are nearly right, byte by byte. */

const HEADERS = 'Host: 127.0.0.1\r\nAuthorization: Bearer sandbox.owner\r\nContent-Type: application/vnd.api+json\r\n';

function withBody(line: string, body: unknown): string {
  const text = JSON.stringify(body);
  return `${line} HTTP/1.1\r\n${HEADERS}Content-Length: ${text.length}\r\n\r\n${text}`;
}

const ACME = '/api/v2/organizations/acme';
const REQUESTS: readonly string[] = [
  `GET ${ACME}/organization-memberships?include=user,teams&page%5Bsize%5D=2&filter%5Bstatus%5D=active HTTP/1.1\r\n${HEADERS}\r\n`,
  `GET /api/v2/organization/audit-trail?since=2020-01-01T00:00:00Z&page%5Bnumber%5D=1 HTTP/1.1\r\n${HEADERS}\r\n`,
  `DELETE ${ACME}/registry-providers/public/hashicorp/aws HTTP/1.1\r\n${HEADERS}\r\n`,
  `POST ${ACME}/registry-providers HTTP/1.1\r\n${HEADERS}Transfer-Encoding: chunked\r\n\r\n5\r\n{"dat\r\n5\r\na":1}\r\n0\r\n\r\n`,
  withBody(`POST ${ACME}/registry-providers`, {
    data: {
      type: 'registry-providers',
      attributes: { name: 'aws', namespace: 'hashicorp', 'registry-name': 'public' },
    },
  }),
  withBody(`POST ${ACME}/authentication-token?token=audit-trails`, {
    data: { type: 'authentication-token', attributes: { 'expired-at': '2030-01-01T00:00:00Z' } },
  }),
  withBody(`POST ${ACME}/organization-memberships`, {
    data: {
      type: 'organization-memberships',
      attributes: { email: 'a@b.example' },
      relationships: { teams: { data: [{ type: 'teams', id: 'team-1' }] } },
    },
  }),
];

const WORDS: readonly string[] = [
  ...['\0', '\r', '\n', '\r\n\r\n', ' ', '%', '%00', '%2e%2e/', '../', '&', '?', '#', '"', '\\ud800', '\xff\xfe'],
  ...['Transfer-Encoding: chunked\r\n', 'Content-Length: 5\r\n', 'Expect: 100-continue\r\n', 'Host: evil.example\r\n'],
  ...['Connection: Upgrade\r\nUpgrade: h2c\r\n', 'HTTP/1.0', 'HTTP/0.9', "' OR 1=1 --", '__proto__', 'constructor'],
  ...['null', '[]', '{}', 'true', '1e999', '-1', '9'.repeat(20), 'page[size]=0&', 'page%5Bnumber%5D=1e9&', 'since=x&'],
];

type Change = (text: string, at: number, random: (below: number) => number) => string;

const CHANGES: readonly Change[] = [
  (text, at, random) => text.slice(0, at) + String.fromCharCode(random(256)) + text.slice(at + 1),
  (text, at, random) => text.slice(0, at) + WORDS[random(WORDS.length)] + text.slice(at),
  (text, at, random) => text.slice(0, at) + text.slice(at + random(20)),
  (text, at) => text.slice(0, at),
  (text, at, random) => text.slice(0, at) + text.slice(at, at + random(30)).repeat(1 + random(50)) + text.slice(at),
  (text, at, random) => text.slice(0, at) + toRequest(random).slice(random(100)),
];

function toRequest(random: (below: number) => number): string {
  return REQUESTS[random(REQUESTS.length)] ?? '';
}

function createRequest(seed: number): string {
  const { int: random } = createRandom(seed);
  let text = toRequest(random) + (random(6) === 0 ? toRequest(random) : '');
  for (let count = 1 + random(4); count > 0; count -= 1) {
    text = CHANGES[random(CHANGES.length)]?.(text, random(text.length + 1), random) ?? text;
  }
  return text;
}

/** Sends them, some at once. What was no answer, or one that tells of a fault of the sandbox. */
export async function tryRequests(
  port: number,
  { runs, firstSeed }: { readonly runs: number; readonly firstSeed: number },
): Promise<readonly string[]> {
  const faults: string[] = [];
  let seed = firstSeed;
  const work = async (): Promise<void> => {
    while (seed < firstSeed + runs) {
      const own = seed;
      seed += 1;
      const answer = await ask(port, createRequest(own));
      const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => match[1] ?? '');
      if (statuses.some((status) => status.startsWith('5'))) {
        faults.push(`request of seed ${own} was answered ${statuses.join(', ')}`);
      }
      if (answer !== '' && !answer.startsWith('HTTP/1.1 ')) faults.push(`request of seed ${own} got no answer of HTTP`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return faults;
}

/** Until the server closes, as it does once nothing more can come. */
function ask(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const pieces: string[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.end(Buffer.from(text, 'latin1')));
    socket.setEncoding('latin1');
    socket.on('data', (piece) => pieces.push(String(piece)));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(pieces.join('')));
  });
}
