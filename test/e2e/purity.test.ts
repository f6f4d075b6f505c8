import { afterAll, describe, expect, test } from 'vitest';
import type { SignalName } from '../../src/old/host.ts';
import { FORMATS, type FormatName } from '../../src/old/stdout/formats/index.ts';
import { parseFormat, parseJsonLines } from '../support/formats.ts';
import { run } from '../support/run.ts';
import { type Served, serve } from '../support/served.ts';
import { createPlace, type Ended, type Environment, orgctl } from '../support/shipped.ts';
import { OWN, READING, WRITING } from '../support/verbs.ts';

/** Commands that print text of their own, or for another program, which no format changes. */
const TEXTS = {
  completion: /^# bash completion for orgctl\n[\s\S]*\ncomplete -F \w+ orgctl\n$/,
};
/** Commands that have nothing to print. */
const SILENT = ['sandbox reset'];
const RECORDS = ['sandbox info', 'sandbox accept'];

const shared = await serve(['--rate-limit', '0'], afterAll);

test("every command of orgctl's own is known as one that prints text, records, or nothing", () => {
  const known = [...Object.keys(TEXTS), ...SILENT, ...RECORDS, 'sandbox serve'];
  expect(known.sort()).toEqual(Object.keys(OWN).sort());
});

/** How each looks is proved in `stdout`: here, that it stands alone. */
const TRIED = ['table', 'json'] as const;

describe.each(TRIED)('-o %s', (format) => {
  test.each(Object.entries(READING))('%s', async (words, argv) => {
    const ended = await execute([...words.split(' '), ...argv, '-o', format], callerOf(shared, words), format);
    expectPure(ended, format);
    // Where nothing differs there is no row.
    if (!words.endsWith(' plan')) expect(ended.stdout).not.toBe('');
  });

  test.each(Object.entries(WRITING).filter(([words]) => words !== 'audit-token generate'))(
    '%s',
    async (words, { argv }) => {
      const served = await serve();
      const ended = await execute([...words.split(' '), ...argv, '--yes', '-o', format], served.as('owner'), format);
      expectPure(ended, format);
      expect(ended.stdout).not.toBe('');
    },
  );

  test('audit-token generate: the secret alone, but in a document of JSON', async () => {
    const served = await serve();
    const generate = (env: Environment, ...more: readonly string[]) =>
      execute(['audit-token', 'generate', '--yes', ...more], { ...served.as('owner'), ...env }, format);
    const made = { token: expect.stringMatching(/^sandbox\./) };
    const asked = await generate({}, '-o', format);
    if (format === 'json') expect(JSON.parse(asked.stdout)).toMatchObject(made);
    else expectFailure(asked, format, 2);
    const stored = await generate({ ORGCTL_OUTPUT: format });
    expect(stored.code, stored.stderr).toBe(0);
    expect(stored.stdout).toMatch(/^sandbox\.\S+\n$/);
    for (const ended of [asked, stored]) {
      expectStderr(ended, format);
      expect(ended.stderr).not.toContain('sandbox.');
    }
  });

  test.each(RECORDS)('%s', async (words) => {
    const ended = await runOwn(words, format);
    expectPure(ended, format);
    expect(ended.stdout).not.toBe('');
  });

  test.each(SILENT)('%s prints nothing', async (words) => {
    const ended = await runOwn(words, format);
    expect({ code: ended.code, stdout: ended.stdout }, ended.stderr).toEqual({ code: 0, stdout: '' });
    expectStderr(ended, format);
  });

  test.each(Object.entries(TEXTS))('%s is the same text', async (words, text) => {
    const ended = await runOwn(words, format);
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(text);
  });

  test('sandbox serve announces itself, and says no more', async () => {
    const argv = ['sandbox', 'serve', '--state', ':memory:', '--port', '0', '-o', format];
    let stop: ((name: SignalName) => void) | undefined;
    const ended = await run(argv, {
      onStart: (signal) => {
        stop = signal;
      },
      onStdout: (text) => /audit-token[\s\S]*\n$/.test(text) && stop?.('SIGTERM'),
    });
    expect(ended.code).toBe(143);
    expectStderr(ended, format);
    if (FORMATS[format].forPrograms)
      expect(parseJsonLines(ended.stdout)).toEqual([expect.objectContaining({ tokens: expect.any(Array) })]);
    else
      expect(ended.stdout).toMatch(/^ORGCTL_BASE_URL=\S+\nTFE_ADDRESS=\S+\n(?:sandbox\.\S+ +# [\w-]+(?: of \w+)?\n)+$/);
  });

  test('an empty list', async () => {
    const argv = ['providers', 'list', '--search', 'nothing-has-this-name', '-o', format];
    const ended = await execute(argv, shared.as('owner'), format);
    expectPure(ended, format);
  });

  test.each([
    { why: 'an unknown field', argv: ['members', 'list', '--fields', 'nonsense'], code: 2 },
    { why: 'an unknown option', argv: ['members', 'list', '--nonsense'], code: 2 },
    { why: 'a missing argument', argv: ['members', 'show'], code: 2 },
    { why: 'nobody to ask', argv: ['audit-token', 'delete'], code: 2 },
    { why: 'nothing there', argv: ['members', 'show', 'nobody@example.com'], code: 5 },
    { why: 'not permitted', argv: ['providers', 'create', 'hashicorp/google', '--org', 'initech'], code: 6 },
  ])('$why', async ({ argv, code }) => {
    expectFailure(await execute([...argv, '-o', format], shared.as('owner'), format), format, code);
  });

  test('one of two fails: what became of each is printed, and nothing but that', async () => {
    const served = await serve();
    const argv = ['providers', 'create', 'hashicorp/google', 'private/initech/forms', '-o', format];
    const ended = await execute(argv, served.as('owner', 'initech'), format);
    expectFailure(ended, format, 10);
    expect(ended.stdout).toContain('forms');
    expect(ended.stdout).toMatch(/failed/i);
  });
});

describe('with a token the service does not know', () => {
  const asked = [
    ...Object.entries(READING),
    ...Object.entries(WRITING).map(([words, { argv }]) => [words, argv] as const),
  ];

  test.each(asked)('%s', async (words, argv) => {
    const env = { ...shared.as('owner'), ORGCTL_TOKEN: 'unknown', ORGCTL_OUTPUT: 'ndjson' };
    expectFailure(await run([...words.split(' '), ...argv, '--yes'], { env }), 'ndjson', 4);
  });
});

/** Whether anything else writes to stdout is seen in a process of its own; one format is enough to see it. */
async function execute(argv: readonly string[], env: Environment, format: FormatName): Promise<Ended> {
  return await (format === 'json' ? orgctl(argv, { env }) : run(argv, { env, now: Date.now() }));
}

/** Nobody but these may read the audit trail. */
function callerOf(served: Served, words: string): Environment {
  return served.as(words.startsWith('audit-trail') ? 'org-token' : 'owner');
}

async function runOwn(words: string, format: FormatName): Promise<Ended> {
  const { env } = createPlace();
  return await execute([...words.split(' '), ...(OWN[words] ?? []), '-o', format], env, format);
}

function expectPure(ended: Ended, format: FormatName): void {
  expect(ended.code, ended.stderr).toBe(0);
  expect(() => parseFormat(format, ended.stdout)).not.toThrow();
  expectStderr(ended, format);
}

function expectFailure(ended: Ended, format: FormatName, code: number): void {
  expect(ended.code, ended.stderr).toBe(code);
  if (ended.stdout !== '') expect(() => parseFormat(format, ended.stdout)).not.toThrow();
  if (FORMATS[format].forPrograms) {
    expect(parseJsonLines(ended.stderr).at(-1)).toMatchObject({ error: { exit: code, message: expect.any(String) } });
  } else {
    expect(ended.stderr).toMatch(/^orgctl: \S/m);
  }
}

function expectStderr({ stderr }: Ended, format: FormatName): void {
  if (!FORMATS[format].forPrograms) return;
  expect(parseJsonLines(stderr).filter((line) => Object.keys(line).length !== 1)).toEqual([]);
}
