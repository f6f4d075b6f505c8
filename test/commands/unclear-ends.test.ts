import { describe, expect, type TestContext, test } from 'vitest';
import type { SignalName } from '../../src/old/host.ts';
import { toRequestLines } from '../support/demo.ts';
import { createNames } from '../support/names.ts';
import { type RunOptions, run, toText } from '../support/run.ts';
import { answer, type SeenRequest, silence, startScripted, type Turn } from '../support/scripted.ts';
import { startService } from '../support/service.ts';

/** Writes that are cut short: by a signal, or by a service that does not answer in time. */

const SIGNALS: readonly {
  readonly name: SignalName;
  readonly code: number;
  readonly word: string;
  readonly says: string;
}[] = [
  { name: 'SIGHUP', code: 129, word: 'hangup', says: 'Interrupted: the terminal was closed.' },
  { name: 'SIGINT', code: 130, word: 'interrupted', says: 'Interrupted.' },
  { name: 'SIGTERM', code: 143, word: 'terminated', says: 'Interrupted: another program ended this one.' },
];
const AGAIN = 'Run the same command again: it skips people who are already invited.';

describe('stopped among several', () => {
  /** The signal comes while the service acts on this write, counted from 1; of 0 on the first read. */
  async function stopDuring(argv: string, signal: SignalName, write: number, options: RunOptions = {}) {
    let send: (name: SignalName) => void = () => undefined;
    let writes = 0;
    const service = await startService({
      alter(reply, request) {
        if (request.method !== 'GET') writes += 1;
        if (writes === write) send(signal);
        return reply;
      },
    });
    const { plain, real } = await createNames(service.sandbox);
    const result = await service.run(real(argv).split(' '), {
      ...options,
      onStart(sender) {
        send = sender;
      },
    });
    return {
      result: { ...result, stdout: plain(result.stdout), stderr: plain(result.stderr) },
      writes: toRequestLines(service.requests, { plain }).filter((line) => !line.startsWith('GET ')),
    };
  }
  const INVITE = 'members invite a@example.com b@example.com c@example.com --team audit';

  for (const { name, code, word, says } of SIGNALS) {
    test(`${name} during the second of three invitations: exit ${code}`, async () => {
      const { result, writes } = await stopDuring(INVITE, name, 2);
      expect(result).toEqual({
        code,
        stdout: toText(
          'invited\ta@example.com\tacme\tou-1\taudit\t\t\t',
          'unknown\tb@example.com\tacme\t\t\t\toutcome-unknown\tUnknown: b@example.com',
          'not-attempted\tc@example.com\tacme\t\t\t\t\t',
        ),
        stderr: toText(
          `${says} 1 of 3 done; 1 not attempted.`,
          '  Unknown: b@example.com',
          '  Not attempted: c@example.com',
          `  → ${AGAIN}`,
        ),
      });
      expect(writes).toHaveLength(2);
    });

    test(`${name} in json: what was done, and the one that may have been`, async () => {
      const { result } = await stopDuring(`${INVITE} -o json --fields email,changed,result`, name, 2);
      expect(result.code).toBe(code);
      expect(JSON.parse(result.stdout)).toEqual([
        { email: 'a@example.com', changed: true, result: 'invited' },
        { email: 'b@example.com', changed: false, result: 'unknown' },
        { email: 'c@example.com', changed: false, result: 'not-attempted' },
      ]);
      expect(JSON.parse(result.stderr)).toEqual({
        error: {
          code: word,
          exit: code,
          message: `${says} 1 of 3 done; 1 not attempted.`,
          reasons: ['Unknown: b@example.com', 'Not attempted: c@example.com'],
          hint: AGAIN,
          items: [
            {
              item: 'b@example.com',
              code: word,
              exit: code,
              message: says,
              reasons: ['Unknown whether this happened: invite b@example.com to acme.'],
              hint: 'Check before you run it again.',
            },
          ],
        },
      });
    });
  }

  test('at a terminal: a line for each that was begun, and how many were not', async () => {
    const { result } = await stopDuring(INVITE, 'SIGINT', 2, {
      tty: { stdout: true, stderr: true },
      env: { NO_COLOR: '1' },
    });
    expect(result).toEqual({
      code: 130,
      stdout: toText('✓ Invited a@example.com to acme (audit)', '! Unknown: b@example.com'),
      // A terminal shows `^C` before that.
      stderr: toText(
        '',
        'Interrupted. 1 of 3 done; 1 not attempted.',
        '  Not attempted: c@example.com',
        `  → ${AGAIN}`,
      ),
    });
  });

  test('during the last of several there is nothing left to attempt', async () => {
    const { result } = await stopDuring(INVITE, 'SIGINT', 3);
    expect(result.code).toBe(130);
    expect(result.stdout.split('\n')).toEqual([
      expect.stringMatching(/^invited\ta@/),
      expect.stringMatching(/^invited\tb@/),
      'unknown\tc@example.com\tacme\t\t\t\toutcome-unknown\tUnknown: c@example.com',
      '',
    ]);
    expect(result.stderr).toBe(toText('Interrupted. 2 of 3 done.', '  Unknown: c@example.com', `  → ${AGAIN}`));
  });

  test('after one failed for another reason: the exit is that of the signal', async () => {
    const { result } = await stopDuring('members remove ou-olive ou-ada ou-ivan --yes -o json', 'SIGINT', 1);
    expect(result.code).toBe(130);
    expect(JSON.parse(result.stdout)).toMatchObject([
      { id: 'ou-olive', result: 'failed', error: { code: 'forbidden' } },
      { id: 'ou-ada', result: 'unknown', error: { code: 'outcome-unknown' } },
      { id: 'ou-ivan', result: 'not-attempted' },
    ]);
    expect(JSON.parse(result.stderr)).toMatchObject({
      error: {
        code: 'interrupted',
        exit: 130,
        message: 'Interrupted. 0 of 3 done; 1 failed; 1 not attempted.',
        items: [
          { item: 'olive.owner@example.com', exit: 6 },
          { item: 'ada.auditor@example.com', exit: 130 },
        ],
      },
    });
  });

  test('the only one has its row too', async () => {
    const { result } = await stopDuring('members remove ou-ada --yes', 'SIGINT', 1);
    expect(result).toEqual({
      code: 130,
      stdout:
        'unknown\tada.auditor@example.com\tacme\tou-ada\taudit\t\toutcome-unknown\tUnknown: ada.auditor@example.com\n',
      stderr: toText(
        'Interrupted.',
        '  Unknown whether this happened: remove ada.auditor@example.com from acme.',
        '  → Check before you run it again.',
      ),
    });
  });

  test.each(['members remove ou-ada --yes', `${INVITE} -q`, 'audit-token delete --yes'])(
    '%s, while it still reads: nothing was changed',
    async (argv) => {
      const { result, writes } = await stopDuring(argv, 'SIGINT', 0);
      expect(result).toEqual({ code: 130, stdout: '', stderr: 'Interrupted.\n  Nothing was changed.\n' });
      expect(writes).toEqual([]);
    },
  );
});

// They wait side by side: the limit is long enough for a busy machine to answer the reads within it.
describe.concurrent('a write that is not answered in time', () => {
  const MEMBERSHIP = {
    id: 'ou-1',
    type: 'organization-memberships',
    attributes: { status: 'invited', email: 'ana@example.com' },
    relationships: { teams: { data: [{ id: 'team-1', type: 'teams' }] } },
  };
  const list = (...data: readonly object[]): Turn =>
    answer(200, { data, meta: { pagination: { 'total-count': data.length } } });
  const NOT_FOUND = answer(404, { errors: [{ status: '404', title: 'not found' }] });

  const KINDS = [
    {
      argv: 'members invite ana@example.com --team team-1',
      // Before the write, and afterwards while it was not acted on and when it was.
      before: list(),
      missing: list(),
      found: list(MEMBERSHIP),
      prints: 'invited\tana@example.com\tacme\tou-1\tteam-1\t\t\t\n',
      what: 'invite ana@example.com to acme',
      asked: 'POST /organizations/acme/organization-memberships',
    },
    {
      argv: 'members remove ou-1 --yes -q',
      before: answer(200, { data: MEMBERSHIP }),
      missing: answer(200, { data: MEMBERSHIP }),
      found: NOT_FOUND,
      prints: 'removed\tana@example.com\tacme\tou-1\tteam-1\t\t\t\n',
      what: 'remove ana@example.com from acme',
      asked: 'DELETE /organization-memberships/ou-1',
    },
  ];

  async function runAgainst(
    { onTestFinished: after }: TestContext,
    argv: string,
    before: Turn,
    looks: readonly Turn[],
  ) {
    const isRead = ({ method }: SeenRequest): boolean => method === 'GET';
    let reads = 0;
    let written = false;
    const server = await startScripted(
      (socket, request) => {
        if (!isRead(request)) written = true;
        const turn = !isRead(request) ? silence : written ? looks[Math.min(reads++, looks.length - 1)] : before;
        turn?.(socket, request);
      },
      { after },
    );
    const waits: number[] = [];
    const result = await run([...argv.split(' '), '--timeout', '3s'], {
      env: { ORGCTL_BASE_URL: server.origin, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: 'a-token' },
      onSleep(milliseconds) {
        waits.push(milliseconds);
      },
    });
    const write = server.requests.findIndex((request) => !isRead(request));
    return {
      result: { ...result, stderr: result.stderr.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT') },
      waits,
      methods: server.requests.slice(write).map((request) => (isRead(request) ? 'read' : 'write')),
    };
  }

  for (const { argv, before, missing, found, prints, what, asked } of KINDS) {
    test(`${argv}: not found twice: exit 11, sent once`, async (context) => {
      const { result, waits, methods } = await runAgainst(context, argv, before, [missing]);
      expect(result).toEqual({
        code: 11,
        stdout: expect.stringMatching(/^failed\t.*\toutcome-unknown\tunknown whether this happened: .*\n$/),
        stderr: toText(
          `orgctl: unknown whether this happened: ${what}`,
          `  127.0.0.1:PORT didn't answer within 3 s. The request was ${asked}.`,
          '  → Check before you run it again.',
        ),
      });
      expect(methods).toEqual(['write', 'read', 'read']);
      expect(waits).toEqual([3_000]);
    });

    test(`${argv}: found at the second look: exit 0, sent once`, async (context) => {
      const { result, waits, methods } = await runAgainst(context, argv, before, [missing, found]);
      expect(result).toEqual({ code: 0, stdout: prints, stderr: '' });
      expect(methods).toEqual(['write', 'read', 'read']);
      expect(waits).toEqual([3_000]);
    });

    test(`${argv}: found at once: exit 0, without a pause`, async (context) => {
      const { result, waits, methods } = await runAgainst(context, argv, before, [found]);
      expect(result).toEqual({ code: 0, stdout: prints, stderr: '' });
      expect(methods).toEqual(['write', 'read']);
      expect(waits).toEqual([]);
    });
  }
});
