import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { FORMAT_NAMES, type FormatName } from '../../src/stdout/formats/index.ts';
import { createBytes } from '../support/bytes.ts';
import { openSandbox } from '../support/product.ts';
import { NOW, type RunOptions, run } from '../support/run.ts';
import { listWords } from '../support/text.ts';
import { toBytes } from './bytes.ts';
import { judgeEnd, refusePollution } from './laws.ts';
import { Violation } from './target.ts';

/** Runs whole command lines, each in folders and against a service of its own. */

export type Place = ReturnType<typeof createPlace>;

/** A home folder deep below `root`, so that writing outside of the home shows. */
export function createPlace() {
  const root = mkdtempSync(join(tmpdir(), 'orgctl-fuzz-'));
  const home = join(root, 'users', 'group', 'home');
  mkdirSync(home, { recursive: true });
  return { root, home, close: () => rmSync(root, { recursive: true, force: true }) };
}

/** The files below the root, with their content, and the folders, except where orgctl keeps its settings and state. */
function readSurroundings({ root, home }: Place): ReadonlyMap<string, string> {
  const own = ['config', 'state'].map((name) => join(home, name));
  const found = new Map<string, string>();
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (own.includes(path)) continue;
      found.set(relative(root, path), entry.isFile() ? readFileSync(path, 'latin1') : statSync(path).mode.toString(8));
      if (entry.isDirectory()) visit(path);
    }
  };
  visit(root);
  return found;
}

/** Milliseconds. Nothing here waits, so a command that takes so long will not end. */
const TIME_LIMIT = 20_000;

/** Runs the command line and checks all laws. `writes` are the paths below the home that it may write. */
export async function runCommandLine(
  argv: readonly string[],
  place: Place,
  options: RunOptions & { readonly writes?: readonly string[] } = {},
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const { writes = [], ...runOptions } = options;
  const before = readSurroundings(place);
  const ended = await withTimeLimit(run(argv, { ...runOptions, home: place.home }), argv);
  judgeEnd(
    ended,
    findFormat(argv),
    !PLAIN.some((words) => words.every((word) => argv.includes(word))),
    argv[0] === 'settings' && argv.includes('get'),
  );
  const after = readSurroundings(place);
  const allowed = writes.map((path) => relative(place.root, join(place.home, path)));
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    if (before.get(path) === after.get(path) || allowed.some((own) => path === own || path.startsWith(own + sep)))
      continue;
    throw new Violation(`${path} was ${before.has(path) ? (after.has(path) ? 'changed' : 'removed') : 'made'}`);
  }
  refusePollution();
  return ended;
}

async function withTimeLimit<T>(promise: Promise<T>, argv: readonly string[]): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Violation(`does not end: ${JSON.stringify(argv).slice(0, 300)}`)), TIME_LIMIT);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Command lines that print help, a secret, a script, a value or a file, and not a result in the format. */
const PLAIN: readonly (readonly string[])[] = [
  ...listWords('--help -h help --version completion api --init --schema').map((word) => [word]),
  ...[listWords('settings path'), listWords('settings get'), listWords('audit-token generate')],
];

/** The last format on the command line. Undefined where it is given in another way or not at all. */
function findFormat(argv: readonly string[]): FormatName | undefined {
  const at = argv.lastIndexOf('-o');
  // After an end of options it is an argument, and the value of another option need not be a format.
  const others = argv.filter((word, index) => index !== at && /^(?:-o|--output)/.test(word));
  if (at < 0 || others.length > 0 || argv.includes('--')) return undefined;
  return FORMAT_NAMES.find((format) => format === argv[at + 1]);
}

/** What is sent instead of the service's own answer. */
interface Hostile {
  /** Which request of the command line, from 0. */
  readonly request: number;
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** Ends in the middle. */
  readonly cut: boolean;
}

export type HostileService = Awaited<ReturnType<typeof startHostileService>>;

const MOST_REQUESTS = 400;

/** The sandbox on a socket; some of its answers are replaced. */
export async function startHostileService() {
  let sandbox = createSandbox();
  let answers: readonly Hostile[] = [];
  let count = 0;
  let isChanged = false;
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse, body: string): Promise<void> => {
    const hostile = answers.find(({ request }) => request === count);
    count += 1;
    if (count > MOST_REQUESTS) return void incoming.socket.destroy();
    if (hostile !== undefined) return sendHostile(incoming, hostile);
    const { method = 'GET', url = '/', headers } = incoming;
    const request = new Request(`http://${headers.host}${url}`, {
      method,
      headers: Object.entries(headers).filter((header): header is [string, string] =>
        /^(authorization|content-type|accept)$/.test(header[0]),
      ),
      ...(body === '' ? {} : { body }),
    });
    isChanged ||= method !== 'GET';
    const reply = await sandbox.handle(request);
    outgoing.writeHead(reply.status, Object.fromEntries(reply.headers));
    outgoing.end(await reply.text());
  };
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('error', () => undefined);
    outgoing.on('error', () => undefined);
    incoming.on('end', () => {
      answer(incoming, outgoing, Buffer.concat(chunks).toString('utf8')).catch(() => incoming.socket.destroy());
    });
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`,
    /** Starts again with the demo state and these answers. */
    prepare(hostile: readonly Hostile[]) {
      if (isChanged) {
        sandbox.close();
        sandbox = createSandbox();
        isChanged = false;
      }
      answers = hostile;
      count = 0;
    },
    /** Throws when there were too many requests. */
    judge() {
      if (count > MOST_REQUESTS) throw new Violation(`asks without end: more than ${MOST_REQUESTS} requests`);
    },
    tokenOf: () => sandbox.tokenFor('owner', 'acme') ?? '',
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
      sandbox.close();
    },
  };
}

function createSandbox(): Sandbox {
  return openSandbox({ state: ':memory:', rateLimit: 0, now: () => NOW, randomBytes: createBytes('sandbox') });
}

/** As bytes: Node would refuse to send many of these. */
function sendHostile({ socket }: IncomingMessage, { status, headers, body, cut }: Hostile): void {
  const bytes = toBytes(body);
  const lines = headers.map(([name, value]) => `${name}: ${value.replace(/[\r\n]/g, ' ')}\r\n`);
  const hasBody = status >= 200 && status !== 204 && status !== 304;
  const head = `HTTP/1.1 ${status} Hostile\r\n${lines.join('')}${hasBody ? `content-length: ${bytes.length + (cut ? 10 : 0)}\r\n` : ''}connection: close\r\n\r\n`;
  // Latin 1 leaves bytes as they are, and cuts larger characters to one byte.
  socket.end(hasBody ? Buffer.concat([Buffer.from(head, 'latin1'), bytes]) : Buffer.from(head, 'latin1'));
}
