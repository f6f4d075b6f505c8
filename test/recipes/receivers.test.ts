import { spawnSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { openWorkshop, readRecipe, toRecipePath, type Workshop } from './workshop.ts';

/** The scripts that pass the audit trail to a program that keeps it, with servers that stand in for those. */

interface Taken {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

interface Receiver {
  readonly name: string;
  /** A secret of the receiver's, which is in a file and in what is sent, and nowhere else. */
  readonly secret: string;
  toEnv(url: string, write: (name: string, text: string) => string): Readonly<Record<string, string>>;
  /** The events of a request, checked as the receiver would. Throws for what it would not understand. */
  read(taken: Taken): readonly { readonly id: string }[];
  readonly accepted: Answer;
  readonly refusals: readonly (readonly [name: string, answer: Answer])[];
}

const SECRET = 'a-secret-of-the-receiver';
const readLines = (body: string) => {
  expect(body).toMatch(/\n$/);
  return body
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line));
};
const PORTAL: Answer = { status: 200, body: '<html>Log in</html>' };
const DOWN: Answer = { status: 503, body: 'busy' };
const S3_KEY = 'AKIDEXAMPLE';

const RECEIVERS: readonly Receiver[] = [
  {
    name: 'splunk.sh',
    secret: SECRET,
    toEnv: (url, write) => ({
      SPLUNK_URL: url,
      SPLUNK_HEADER_FILE: write('splunk-header', `Authorization: Splunk ${SECRET}\n`),
    }),
    read({ method, path, headers, body }) {
      expect([method, path, headers.authorization]).toEqual(['POST', '/services/collector/event', `Splunk ${SECRET}`]);
      return readLines(body).map(({ event, ...rest }) => {
        const time = Math.floor(Date.parse(event.timestamp) / 1_000);
        expect(rest).toEqual({ time, source: 'orgctl', sourcetype: 'hcp_terraform:audit' });
        return event;
      });
    },
    accepted: { status: 200, body: '{"text":"Success","code":0}' },
    refusals: [
      ['403', { status: 403, body: '{"text":"Invalid token","code":4}' }],
      ['a code other than 0', { status: 200, body: '{"text":"Server is busy","code":9}' }],
      ['a web page', PORTAL],
    ],
  },
  {
    name: 'elastic.sh',
    secret: SECRET,
    toEnv: (url, write) => ({
      ELASTIC_URL: url,
      ELASTIC_INDEX: 'audit',
      ELASTIC_HEADER_FILE: write('elastic-header', `Authorization: ApiKey ${SECRET}\n`),
    }),
    read({ method, path, headers, body }) {
      expect([method, path, headers.authorization, headers['content-type']]).toEqual([
        'POST',
        '/_bulk?filter_path=errors,items.*.error',
        `ApiKey ${SECRET}`,
        'application/x-ndjson',
      ]);
      const lines = readLines(body);
      return lines.flatMap((line, index) => {
        if (index % 2 === 0) return [];
        const { '@timestamp': at, ...event } = line;
        expect(lines[index - 1]).toEqual({ index: { _index: 'audit', _id: event.id } });
        expect(at).toBe(event.timestamp);
        return [event];
      });
    },
    accepted: { status: 200, body: '{"errors":false}' },
    refusals: [
      ['401', { status: 401, body: '{"error":"unauthorized"}' }],
      [
        'an event that is refused',
        { status: 200, body: '{"errors":true,"items":[{"index":{"error":{"reason":"mapping"}}}]}' },
      ],
      ['a web page', PORTAL],
    ],
  },
  {
    name: 's3.sh',
    secret: SECRET,
    toEnv: (url, write) => ({
      S3_URL: `${url}/acme-audit`,
      S3_REGION: 'eu-central-1',
      S3_CONFIG_FILE: write('s3-config', `user = "${S3_KEY}:${SECRET}"\n`),
    }),
    read(taken) {
      const { method, path, headers, body } = taken;
      const sum = createHash('sha256').update(body).digest('hex');
      const [first] = readLines(body);
      const at = String(first.timestamp);
      const name = `${at.slice(0, 19).replaceAll(/[-:]/g, '')}Z-${sum.slice(0, 16)}`;
      expect([method, path]).toEqual(['PUT', `/acme-audit/${at.slice(0, 10)}/${name}.ndjson`]);
      expect(headers['x-amz-content-sha256']).toBe(sum);
      expect(headers.authorization).toBe(toSignature(taken));
      return readLines(body);
    },
    accepted: { status: 200, body: '' },
    refusals: [
      ['403', { status: 403, body: '<Error><Code>AccessDenied</Code></Error>' }],
      ['503', DOWN],
    ],
  },
  {
    name: 'vector.sh',
    secret: SECRET,
    toEnv: (url) => ({ VECTOR_URL: url }),
    read({ method, path, headers, body }) {
      expect([method, path, headers['content-type']]).toEqual(['POST', '/', 'application/x-ndjson']);
      return readLines(body);
    },
    accepted: { status: 200, body: '' },
    refusals: [
      ['400', { status: 400, body: '{"code":400,"message":"Failed decoding body"}' }],
      ['503', DOWN],
    ],
  },
];

/** The signature that AWS documents as version 4, of what was sent. */
function toSignature({ method, path, headers, body }: Taken): string {
  const [, scope = '', names = ''] =
    /Credential=[^/]+\/([^,]+), *SignedHeaders=([^,]+)/.exec(headers.authorization ?? '') ?? [];
  const sum = createHash('sha256').update(body).digest('hex');
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, path, '', signed.join(''), names, sum].join('\n');
  const at = String(headers['x-amz-date']);
  const text = ['AWS4-HMAC-SHA256', at, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
  const key = scope
    .split('/')
    .reduce<string | Buffer>((secret, part) => createHmac('sha256', secret).update(part).digest(), `AWS4${SECRET}`);
  const signature = createHmac('sha256', key).update(text).digest('hex');
  return `AWS4-HMAC-SHA256 Credential=${S3_KEY}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
}

async function startReceiver({ read, accepted, refusals }: Receiver) {
  const stored: string[] = [];
  const requests: number[] = [];
  let answer = accepted;
  const server = createServer((incoming, outgoing) => {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => {
      const { method = '', url: path = '', headers } = incoming;
      const events = read({ method, path, headers, body: Buffer.concat(pieces).toString('utf8') });
      requests.push(events.length);
      if (answer === accepted) stored.push(...events.map(({ id }) => id));
      outgoing.writeHead(answer.status).end(answer.body);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stored,
    requests,
    answer(next: Answer) {
      answer = next;
    },
    refusals,
  };
}

/** `curl` notes its arguments and its environment, and is the real one. */
function watchCurl({ folder }: Workshop): () => string {
  const program = join(folder, 'bin', 'curl');
  const real = spawnSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).stdout.trim();
  const log = join(folder, 'curl.log');
  writeFileSync(program, `#!/bin/sh\n{ printf '%s\\n' "$@"; env; } >> '${log}'\nexec '${real}' "$@"\n`);
  chmodSync(program, 0o755);
  return () => (existsSync(log) ? readFileSync(log, 'utf8') : '');
}

describe.each(RECEIVERS)('$name', (receiver) => {
  const { name, refusals, accepted } = receiver;

  async function open() {
    const workshop = await openWorkshop();
    const readLog = watchCurl(workshop);
    const started = await startReceiver(receiver);
    const env = {
      ...workshop.env,
      ORGCTL_ORG: 'acme',
      ORGCTL_TOKEN: workshop.auditToken,
      AUDIT_CURSOR: join(workshop.folder, 'cursor.json'),
      ...receiver.toEnv(started.url, workshop.write),
    };
    const run = (...options: readonly string[]) => workshop.run('sh', [toRecipePath(name), '--once', ...options], env);
    return { workshop, run, env, readLog, ...started };
  }

  test('says how to use it', () => {
    const uses = [...readRecipe(name).matchAll(/^# {3}(sh \S+(?: --once)?) {2,}/gm)].map(([, line]) => line);
    expect(uses).toEqual([`sh ${name} --once`, `sh ${name}`]);
  });

  test('passes on every event once, and shows no secret', async () => {
    const { workshop, run, stored, requests, readLog } = await open();
    const first = await run();
    expect(first.code, first.stderr).toBe(0);
    expect(stored).toEqual(await workshop.listEvents());
    expect(stored.length).toBeGreaterThan(2);
    const again = await run();
    expect(again.code, again.stderr).toBe(0);
    await workshop.readTokenId();
    const later = await run();
    expect(later.code, later.stderr).toBe(0);
    expect(stored).toEqual(await workshop.listEvents());
    expect(requests).toEqual([stored.length - 1, 1]);
    const seen = readLog() + [first, again, later].map(({ stdout, stderr }) => stdout + stderr).join('');
    expect(seen).toContain('--data-binary');
    for (const secret of [SECRET, workshop.auditToken]) expect(seen).not.toContain(secret);
  });

  test.each(refusals)('%s: the run fails, and the next one passes the same events on', async (_name, refusal) => {
    const { workshop, run, stored, requests, answer } = await open();
    answer(refusal);
    const refused = await run();
    expect(refused.code, refused.stderr).toBe(1);
    if (refusal.body !== '') expect(refused.stderr).toContain(refusal.body.slice(0, 20));
    expect(refused.stderr).not.toContain(SECRET);
    expect(stored).toEqual([]);
    answer(accepted);
    const ended = await run();
    expect(ended.code, ended.stderr).toBe(0);
    expect(stored).toEqual(await workshop.listEvents());
    expect(requests).toEqual([stored.length, stored.length]);
  });

  test('no one listens: the run fails', async () => {
    const { workshop, env } = await open();
    const closed = Object.fromEntries(
      Object.entries(env).map(([key, value]) => [
        key,
        /_URL$/.test(key) && key !== 'ORGCTL_BASE_URL' ? 'http://127.0.0.1:1/' : value,
      ]),
    ) as Readonly<Record<string, string>>;
    const { code, stderr } = await workshop.run('sh', [toRecipePath(name), '--once'], closed);
    expect(code, stderr).toBe(1);
    expect(existsSync(join(workshop.folder, 'cursor.json'))).toBe(false);
  });
});

test('vector.yaml takes what vector.sh sends, and answers once it is stored', () => {
  const { sources, sinks } = parse(readRecipe('vector.yaml'));
  const [, url = ''] = /VECTOR_URL:-http:\/\/([^/}]+)\//.exec(readRecipe('vector.sh')) ?? [];
  expect(sources).toEqual({
    audit_trail: {
      type: 'http_server',
      address: url,
      framing: { method: 'newline_delimited' },
      decoding: { codec: 'json' },
    },
  });
  expect(sinks.archive).toMatchObject({ inputs: ['audit_trail'], acknowledgements: { enabled: true } });
});
