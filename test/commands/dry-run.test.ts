import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { CallerKind } from '../../src/sandbox/sandbox.ts';
import { parseJsonLines } from '../support/formats.ts';
import { isWrite, type Recorder, startRecorder } from '../support/recorder.ts';
import { run } from '../support/run.ts';
import { serve } from '../support/served.ts';
import { WRITING, type WritingVerb } from '../support/verbs.ts';

describe.each(Object.entries(WRITING))('%s --dry-run', (words, verb) => {
  test.each([
    ['text', ['--debug']],
    ['lines of JSON', ['-o', 'json']],
  ])('says each write as %s, and sends none', async (kind, options) => {
    const { served, recorder } = await startRecorded();
    const env = { ...served.as('owner'), ORGCTL_BASE_URL: recorder.url };
    // Nothing is typed in, and --yes is not given: a confirmation would be refused with exit 2.
    const ended = await run([...words.split(' '), ...verb.argv, '--dry-run', ...options], { env, home: served.home });
    expect(ended.code, ended.stderr).toBe(0);
    if (kind !== 'text') expectRows(JSON.parse(ended.stdout), verb, recorder);
    const planned =
      kind === 'text'
        ? readPlanned(ended.stderr)
        : parseJsonLines(ended.stderr).flatMap((line) => (line['planned'] as Planned | undefined) ?? []);
    expectPlanned(planned, verb, recorder);
    if (kind === 'text') expect(ended.stderr).toMatch(/\nNothing was sent\.\n$/);
    // It has asked what is there, so it would have reached the service with a write too.
    expect(recorder.requests.length).toBeGreaterThan(0);
    expect(recorder.requests.filter(isWrite)).toEqual([]);
    expect(readdirSync(served.home, { recursive: true })).toEqual([]);
  });

  test('says in words alone what would be done, where people read it', async () => {
    const { served, recorder } = await startRecorded();
    const env = { ...served.as('owner'), ORGCTL_BASE_URL: recorder.url };
    const ended = await run([...words.split(' '), ...verb.argv, '--dry-run', '-o', 'table'], { env });
    // Where stdout is the secret, generate takes no table.
    if (words === 'audit-token generate') return expect(ended.code).toBe(2);
    expect({ code: ended.code, stdout: ended.stdout }, ended.stderr).toEqual({ code: 0, stdout: '' });
    expect(ended.stderr.match(/^Would \S+ /gm)).toHaveLength(verb.writes.length);
    expect(ended.stderr).toMatch(/\nNothing was sent\.\n$/);
    expect(ended.stderr).not.toMatch(/^ *(?:POST|PUT|PATCH|DELETE) |[{}]/m);
    expect(recorder.requests.filter(isWrite)).toEqual([]);
  });

  test('prints a row for each thing in tsv and csv, too', async () => {
    const { served, recorder } = await startRecorded();
    const env = { ...served.as('owner'), ORGCTL_BASE_URL: recorder.url };
    const ended = await run([...words.split(' '), ...verb.argv, '--dry-run'], { env });
    const lines = ended.stdout.split('\n').slice(0, -1);
    // Its stdout is the secret.
    if (words === 'audit-token generate') return expect(ended.stdout).toBe('');
    expect(lines).toHaveLength(countThings(verb));
    for (const line of lines)
      expect(line).toMatch(verb.several ? /^planned\t/ : /planned\t|\t(?:create|delete|replace) acme's /);
    expect(recorder.requests.filter(isWrite)).toEqual([]);
  });

  test('without it the same writes are sent', async () => {
    const { served, recorder } = await startRecorded();
    const env = { ...served.as('owner'), ORGCTL_BASE_URL: recorder.url };
    const ended = await run([...words.split(' '), ...verb.argv, '--yes'], { env });
    expect(ended.code, ended.stderr).toBe(0);
    // Uploads go to addresses that the service gives.
    const sent = recorder.requests.filter((request) => isWrite(request) && request.method !== 'PUT');
    const expected = verb.writes.filter(({ isElsewhere }) => isElsewhere !== true);
    expect(sent.map(({ method }) => method)).toEqual(expected.map(({ method }) => method));
    sent.forEach(({ path }, index) => {
      expect(path).toMatch(expected[index]?.path ?? /nothing/);
    });
  });
});

describe('a caller whom the service gives no permission', () => {
  test('a token that is not shown is created or replaced', async () => {
    const plan = (as: CallerKind) =>
      run(['--sandbox', '--as', as, 'audit-token', 'generate', '--org', 'initech', '--dry-run']);
    expect((await plan('member')).stderr).toContain(
      "Would create or replace initech's audit trail token (no token is shown to you); the new one would",
    );
    expect((await plan('owner')).stderr).toContain("Would create initech's audit trail token; it would");
  });
});

interface Planned {
  readonly effect: string;
  readonly method: string;
  readonly url: string;
  readonly body?: object;
}

/** What the command is about. */
function countThings({ argv, several, writes }: WritingVerb): number {
  if (!several) return 1;
  const sent = writes.flatMap(({ body }) =>
    body !== undefined && 'data' in body && Array.isArray(body.data) ? body.data : [],
  );
  return sent.length > 0 ? sent.length : Math.min(writes.length, argv.filter((word) => !word.startsWith('-')).length);
}

function expectRows(printed: unknown, verb: WritingVerb, recorder: Recorder): void {
  if (!verb.several) {
    const { changed, planned } = printed as { changed: boolean; planned: Planned | readonly Planned[] };
    expect(changed).toBe(false);
    expectPlanned([planned].flat(), verb, recorder);
    return;
  }
  const row = { result: 'planned', changed: false, organization: { id: 'acme', type: 'organizations' } };
  expect(printed).toMatchObject(Array.from({ length: countThings(verb) }, () => row));
  expect(printed).toHaveLength(countThings(verb));
}

async function startRecorded() {
  const served = await serve();
  return { served, recorder: await startRecorder({ behind: served.url }) };
}

function readPlanned(stderr: string): readonly Planned[] {
  return [...stderr.matchAll(/^Would (\S.*(?:\n\S.*)*)\n {2}(POST|PUT|PATCH|DELETE) (.+)\n(\{\n[\s\S]*?^\}\n)?/gm)].map(
    ([, effect, method, url, body]) => ({
      effect: effect ?? '',
      method: method ?? '',
      url: url ?? '',
      ...(body === undefined ? {} : { body: JSON.parse(body) as object }),
    }),
  );
}

function expectPlanned(planned: readonly Planned[], verb: WritingVerb, recorder: Recorder): void {
  expect(planned.map(({ method }) => method)).toEqual(verb.writes.map(({ method }) => method));
  for (const [index, { effect, url, body }] of planned.entries()) {
    const expected = verb.writes[index];
    expect(effect).toMatch(/^[a-z]+ \S/);
    if (expected?.isElsewhere !== true) expect(url.startsWith(new URL(recorder.url).origin)).toBe(true);
    expect(url).toMatch(expected?.path ?? /nothing/);
    if (expected?.body === undefined) expect(body).toBeUndefined();
    else expect(body).toMatchObject(expected.body);
  }
}
