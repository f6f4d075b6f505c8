import { appendFileSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../../../src/old/errors.ts';
import { createGithubOutputSink } from '../../../../src/old/rotation/sinks/github-output.ts';
import type { SinkSurroundings } from '../../../../src/old/rotation/sinks/sink.ts';
import { createFolder, failure } from '../../../support/files.ts';
import { buildDriver, createOpenFolder, drive, firstFailure, NO_MOUNTS, titled } from './driven.ts';
import { createSurroundings, listAll, SECRET, TOKEN } from './surroundings.ts';

function create(path: string | undefined, overrides: Partial<SinkSurroundings> = {}) {
  const env = path === undefined ? {} : { GITHUB_OUTPUT: path };
  const surroundings = createSurroundings({ env, ...overrides });
  return { sink: createGithubOutputSink('github-output:TOKEN', 'TOKEN', surroundings), surroundings };
}

function createOutput(content = ''): string {
  const path = join(createFolder(), 'output');
  writeFileSync(path, content);
  return path;
}

/** The outputs of a step, as the runner reads them from its file. */
function readOutputs(text: string): Readonly<Record<string, string>> {
  const outputs: Record<string, string> = {};
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const [, key, delimiter] = /^([^=<]+)<<(.+)$/.exec(lines[at] ?? '') ?? [];
    const [, plain, value] = /^([^=<]+)=(.*)$/.exec(lines[at] ?? '') ?? [];
    if (plain !== undefined && value !== undefined) outputs[plain] = value;
    if (key === undefined) continue;
    const end = lines.indexOf(delimiter ?? '', at + 1);
    if (end < 0) throw new Error('matching delimiter not found');
    outputs[key] = lines.slice(at + 1, end).join('\n');
    at = end;
  }
  return outputs;
}

describe('an output of a step', () => {
  it.each([
    ['an empty file', ''],
    ['after others', 'a=1\n'],
    ['after one without a newline', 'a=1'],
  ])('is added to %s', async (_title, content) => {
    const path = createOutput(content);
    const { sink, surroundings } = create(path);
    const prepared = await sink.prepare('u');
    expect(readFileSync(path, 'utf8')).toBe(content);
    await prepared.deliver(SECRET);
    await prepared.discard();
    const text = readFileSync(path, 'utf8');
    expect(readOutputs(text)).toEqual({ ...(content === '' ? {} : { a: '1' }), TOKEN: SECRET });
    expect(text).toMatch(/^(?:a=1\n)?TOKEN<<(orgctl-[0-9a-f]{32})\n.*\n\1\n$/);
    expect(surroundings.stdout()).toBe('');
  });

  it('has another delimiter each time', async () => {
    const path = createOutput();
    const { sink } = create(path);
    for (let count = 0; count < 2; count += 1) await (await sink.prepare('u')).deliver(TOKEN);
    const delimiters = [...readFileSync(path, 'utf8').matchAll(/<<(.+)/g)].map(([, delimiter]) => delimiter);
    expect(new Set(delimiters).size).toBe(2);
  });

  it('is masked on stderr before it is in the file', async () => {
    const path = createOutput();
    const seen: string[] = [];
    const { sink } = create(path, {
      async writeStderr(text) {
        seen.push(text, readFileSync(path, 'utf8'));
      },
    });
    await (await sink.prepare('u')).deliver('100%25!');
    expect(seen).toEqual(['::add-mask::100%2525!\n', '']);
    expect(readOutputs(readFileSync(path, 'utf8'))).toEqual({ TOKEN: '100%25!' });
  });

  it('that cannot be masked is not set', async () => {
    const path = createOutput();
    const { sink } = create(path, {
      async writeStderr() {
        throw new Error('the output was closed by its reader');
      },
    });
    const error = await failure((await sink.prepare('u')).deliver(SECRET));
    expect(error).toMatchObject({ exit: 'not-delivered', reasons: ['the output was closed by its reader'] });
    expect(readFileSync(path, 'utf8')).toBe('');
  });

  it.each([`${TOKEN}\nEVIL=1`, `${TOKEN}\r`, '\u001b[0m', '', 'é'])('cannot be %j', async (secret) => {
    const path = createOutput('a=1\n');
    const { sink, surroundings } = create(path);
    expect(await failure((await sink.prepare('u')).deliver(secret))).toMatchObject({
      exit: 'not-delivered',
      reasons: ['the token has characters that are not printable ASCII'],
    });
    expect(readFileSync(path, 'utf8')).toBe('a=1\n');
    expect(surroundings.stderr()).toBe('');
  });

  it('goes behind what others have added meanwhile', async () => {
    const path = createOutput();
    const prepared = await create(path).sink.prepare('u');
    appendFileSync(path, 'a=1\n');
    await prepared.deliver(TOKEN);
    expect(readOutputs(readFileSync(path, 'utf8'))).toEqual({ a: '1', TOKEN });
  });
});

describe('is refused, without a trace,', () => {
  const refused = async (path: string | undefined, message: string): Promise<void> => {
    for (const act of [() => create(path).sink.check(), () => create(path).sink.prepare('u')]) {
      const error = await failure(act());
      expect(error).toBeInstanceOf(UsageError);
      expect(error).toMatchObject({ message: `github-output:TOKEN: ${message}`, hint: expect.any(String) });
    }
  };

  it.each([undefined, ''])('outside of a job: %j', (path) =>
    refused(path, 'GITHUB_OUTPUT is not set, so this is not a step of a GitHub Actions job'),
  );

  it('when the file is not there', async () => {
    const folder = createFolder();
    symlinkSync('none', join(folder, 'link'));
    for (const name of ['none', 'link']) {
      const error = await failure(create(join(folder, name)).sink.prepare('u'));
      expect(error).toBeInstanceOf(UsageError);
      expect(error).toMatchObject({
        message: expect.stringContaining("github-output:TOKEN: can't write to "),
      });
    }
    expect(readdirSync(folder)).toEqual(['link']);
  });

  it('when it is a folder', async () => {
    const folder = createFolder();
    await refused(folder, `${folder} is a folder, not a file`);
  });
});

it('a check leaves no trace', async () => {
  const folder = createFolder();
  writeFileSync(join(folder, 'output'), 'a=1');
  const before = listAll(folder);
  const { sink, surroundings } = create(join(folder, 'output'));
  await sink.check();
  expect(await sink.temporaries('u')).toEqual([]);
  expect(await sink.read()).toBeUndefined();
  const prepared = await sink.prepare('u');
  await prepared.discard();
  expect(listAll(folder)).toEqual(before);
  expect(surroundings.stderr()).toBe('');
});

describe('on a full disk', () => {
  let driver: Awaited<ReturnType<typeof buildDriver>>;
  beforeAll(async () => {
    driver = await buildDriver();
  });
  afterAll(() => driver.remove());

  it.skipIf(NO_MOUNTS !== undefined)(titled('half an entry is taken back', NO_MOUNTS), async () => {
    const folder = createOpenFolder();
    const copy = join(createOpenFolder(), 'copy');
    const content = `a=${'x'.repeat(4_070)}\n`;
    writeFileSync(copy, content);
    const before = `mount -t tmpfs -o size=16k none '${folder}'; cat '${copy}' > '${folder}/output'
      head -c 100000 /dev/zero > '${folder}/fill' 2>/dev/null || true
      export GITHUB_OUTPUT='${folder}/output'
      "$@"; cat '${folder}/output' > '${copy}'; exit 0`;
    const steps = await drive(driver.path, 'github-output:TOKEN', folder, { before });
    expect(firstFailure(steps)).toMatchObject({ step: 'deliver', error: 'not-delivered' });
    expect(readFileSync(copy, 'utf8')).toBe(content);
  });
});
