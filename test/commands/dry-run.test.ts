import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
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
    const stdout = kind === 'text' || !verb.several ? '' : '[]\n';
    expect({ code: ended.code, stdout: ended.stdout }, ended.stderr).toEqual({ code: 0, stdout });
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

  test('says in words alone what would be done', async () => {
    const { served, recorder } = await startRecorded();
    const env = { ...served.as('owner'), ORGCTL_BASE_URL: recorder.url };
    const ended = await run([...words.split(' '), ...verb.argv, '--dry-run'], { env });
    expect({ code: ended.code, stdout: ended.stdout }, ended.stderr).toEqual({ code: 0, stdout: '' });
    expect(ended.stderr.match(/^Would \S+ /gm)).toHaveLength(verb.writes.length);
    expect(ended.stderr).toMatch(/\nNothing was sent\.\n$/);
    expect(ended.stderr).not.toMatch(/^ *(?:POST|PUT|PATCH|DELETE) |[{}]/m);
    expect(recorder.requests.filter(isWrite)).toEqual([]);
  });

  test('without it the same writes are sent', async () => {
    const { served, recorder } = await startRecorded();
    const env = { ...served.as('owner'), ORGCTL_BASE_URL: recorder.url };
    const ended = await run([...words.split(' '), ...verb.argv, '--yes'], { env });
    expect(ended.code, ended.stderr).toBe(0);
    const sent = recorder.requests.filter(isWrite);
    const expected = verb.writes.filter(({ isElsewhere }) => isElsewhere !== true);
    expect(sent.map(({ method }) => method)).toEqual(expected.map(({ method }) => method));
    sent.forEach(({ path }, index) => {
      expect(path).toMatch(expected[index]?.path ?? /nothing/);
    });
  });
});

interface Planned {
  readonly effect: string;
  readonly method: string;
  readonly url: string;
  readonly body?: object;
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
