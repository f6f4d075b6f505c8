import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { answer, type SeenRequest, startScripted } from '../support/scripted.ts';
import { getRecipePath, openWorkshop, readRecipe, type Values, type Workshop } from './workshop.ts';

/** The scripts that pass the audit trail on, to servers that stand in for those that keep it. */

type Event = { id: string; timestamp: string };

interface Receiver {
  script: string;
  toEnv(url: string, write: (name: string, text: string) => string): Values;
  /** The events of a request, checked as the receiver would. Throws for what it would not understand. */
  read(request: SeenRequest): Event[];
  accepted: string;
  refusal: [status: number, body: string];
}

const SECRET = 'a-secret-of-the-receiver';
const readLines = (body: string) =>
  body
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => JSON.parse(line));

const RECEIVERS: Receiver[] = [
  {
    script: 'splunk.sh',
    toEnv: (url, write) => ({
      SPLUNK_URL: url,
      SPLUNK_HEADER_FILE: write('header', `Authorization: Splunk ${SECRET}\n`),
    }),
    read({ method, target, headers, body }) {
      expect([method, target, headers.get('authorization')]).toEqual([
        'POST',
        '/services/collector/event',
        `Splunk ${SECRET}`,
      ]);
      return readLines(body).map(({ event, ...rest }) => {
        const time = Math.floor(Date.parse(event.timestamp) / 1_000);
        expect(rest).toEqual({ time, source: 'orgctl', sourcetype: 'hcp_terraform:audit' });
        return event;
      });
    },
    accepted: '{"text":"Success","code":0}',
    refusal: [200, '{"text":"Server is busy","code":9}'],
  },
  {
    script: 'elastic.sh',
    toEnv: (url, write) => ({
      ELASTIC_URL: url,
      ELASTIC_INDEX: 'audit',
      ELASTIC_HEADER_FILE: write('header', `Authorization: ApiKey ${SECRET}\n`),
    }),
    read({ method, target, headers, body }) {
      expect([method, target]).toEqual(['POST', '/_bulk?filter_path=errors,items.*.error']);
      expect([headers.get('authorization'), headers.get('content-type')]).toEqual([
        `ApiKey ${SECRET}`,
        'application/x-ndjson',
      ]);
      const lines = readLines(body);
      return lines.flatMap((line, index) => {
        if (index % 2 === 0) return [];
        const { '@timestamp': at, ...event } = line;
        expect([lines[index - 1], at]).toEqual([{ index: { _index: 'audit', _id: event.id } }, event.timestamp]);
        return [event];
      });
    },
    accepted: '{"errors":false}',
    refusal: [200, '{"errors":true,"items":[{"index":{"error":{"reason":"mapping"}}}]}'],
  },
  {
    script: 's3.sh',
    toEnv: (url, write) => ({
      S3_URL: `${url}/acme-audit`,
      S3_REGION: 'eu-central-1',
      S3_CONFIG_FILE: write('header', `user = "AKIDEXAMPLE:${SECRET}"\n`),
    }),
    read({ method, target, headers, body }) {
      const sum = createHash('sha256').update(body).digest('hex');
      const at: string = readLines(body)[0].timestamp;
      const name = `${at.slice(0, 19).replaceAll(/[-:]/g, '')}Z-${sum.slice(0, 16)}`;
      expect([method, target]).toEqual(['PUT', `/acme-audit/${at.slice(0, 10)}/${name}.ndjson`]);
      expect(headers.get('x-amz-content-sha256')).toBe(sum);
      expect(headers.get('authorization')).toMatch(
        /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/s3\//,
      );
      return readLines(body);
    },
    accepted: '',
    refusal: [403, '<Error><Code>AccessDenied</Code></Error>'],
  },
  {
    script: 'vector.sh',
    toEnv: (url, write) => ({ VECTOR_URL: url, HEADER_FILE: write('header', '') }),
    read({ method, target, headers, body }) {
      expect([method, target, headers.get('content-type')]).toEqual(['POST', '/', 'application/x-ndjson']);
      return readLines(body);
    },
    accepted: '',
    refusal: [503, 'busy'],
  },
];

/** The ids of all events of the organization, oldest first. */
async function listEvents({ service }: Workshop): Promise<string[]> {
  const { body } = await service.ask('GET', '/organization/audit-trail', 'org-token');
  return (body as { data: Event[] }).data.map(({ id }) => id).reverse();
}

test.each(RECEIVERS)(
  '$script passes on every event, again if it was refused, and shows no secret',
  async (receiver) => {
    const { script, toEnv, read, accepted, refusal } = receiver;
    const workshop = await openWorkshop();
    const batches: string[][] = [];
    const [status, body] = refusal;
    const { origin } = await startScripted((socket, request) => {
      batches.push(read(request).map(({ id }) => id));
      return (batches.length === 1 ? answer(status, body) : answer(200, accepted))(socket, request);
    });
    const token = workshop.service.sandbox.tokenFor('audit-token', 'acme') ?? '';
    const env = { ...toEnv(origin, workshop.write), ORGCTL_TOKEN: token, AUDIT_CURSOR: workshop.at('cursor.json') };
    const refused = await workshop.recipe(script, env, '--once');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(body.slice(0, 20))]);
    const ended = await workshop.recipe(script, env, '--once');
    expect(ended.code, ended.stderr).toBe(0);
    const events = await listEvents(workshop);
    expect(batches).toEqual([events, events]);
    const seen = workshop.readCalls('curl') + [refused, ended].map(({ stdout, stderr }) => stdout + stderr).join('');
    expect(seen).toContain('--data-binary');
    for (const secret of [SECRET, token]) expect(seen).not.toContain(secret);
  },
);

test('vector.yaml takes what vector.sh sends, and answers once it is stored', () => {
  const { sources, sinks } = parse(readRecipe('vector.yaml'));
  const [, address] = /VECTOR_URL:-http:\/\/([^/}]+)\//.exec(readRecipe('vector.sh')) ?? [];
  expect(sources.audit_trail).toMatchObject({ type: 'http_server', address, decoding: { codec: 'json' } });
  expect(sinks.archive).toMatchObject({ inputs: ['audit_trail'], acknowledgements: { enabled: true } });
});

test('rotate-and-follow.sh rotates when it is due and loses no event', async () => {
  const workshop = await openWorkshop();
  const { at, owner, service, write } = workshop;
  mkdirSync(at('audit'), { mode: 0o700 });
  const env = { ORGCTL_TOKEN_FILE: write('token', `${owner}\n`), AUDIT_STATE: at('audit'), ROTATE_EVERY: '1' };
  const line = `exec sh '${getRecipePath('rotate-and-follow.sh')}' >> '${at('archive')}'`;
  const running = workshop.run('sh', ['-c', line], env);
  const untilAllAre = () =>
    vi.waitFor(
      async () => {
        const lines = existsSync(at('archive')) ? readFileSync(at('archive'), 'utf8').trimEnd().split('\n') : [];
        const events = await listEvents(workshop);
        expect(lines.slice(0, events.length).map((each) => JSON.parse(each).id)).toEqual(events);
      },
      { timeout: 60_000, interval: 200 },
    );
  await untilAllAre();
  // The token of the script is refused from now on.
  const { code } = await service.run(['audit-token', 'generate', '--yes']);
  expect(code).toBe(0);
  await vi.waitFor(() => expect(readFileSync(at('audit/audit-token'), 'utf8')).toBe(service.secretOf()), {
    timeout: 60_000,
    interval: 200,
  });
  await untilAllAre();
  running.child.kill('SIGTERM');
  const ended = await running.ended;
  expect([ended.code, ended.stdout], ended.stderr).toEqual([143, '']);
  expect(ended.stderr).not.toContain(service.secretOf());
});
