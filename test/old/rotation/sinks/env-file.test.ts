import {
  chmodSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../src/old/errors.ts';
import { parseSinks } from '../../../../src/old/rotation/sinks/parse.ts';
import type { Sink } from '../../../../src/old/rotation/sinks/sink.ts';
import { createFolder, failure, makePipe } from '../../../support/files.ts';
import { createSurroundings, listAll, TOKEN } from './surroundings.ts';

function sinksAt(path: string, ...keys: readonly string[]): readonly Sink[] {
  return parseSinks(
    keys.map((key) => `env-file:${path}#${key}`),
    createSurroundings(),
  );
}

function sinkAt(path: string, key = 'KEY'): Sink {
  const [sink] = sinksAt(path, key);
  if (sink === undefined) throw new Error('no sink');
  return sink;
}

function createEnv(content: string): string {
  const path = join(createFolder(), 'env');
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

async function deliver(sink: Sink, secret = TOKEN): Promise<void> {
  const prepared = await sink.prepare('u');
  await prepared.deliver(secret);
  await prepared.discard();
}

describe('an env file', () => {
  it('is made for its owner alone where there is none', async () => {
    const folder = createFolder();
    const path = join(folder, 'env');
    await deliver(sinkAt(path));
    expect(readFileSync(path, 'utf8')).toBe(`KEY=${TOKEN}\n`);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['env']);
  });

  it('keeps every other byte, its mode and the link to it', async () => {
    const folder = createFolder();
    const path = join(folder, 'env');
    const [above, below] = [Buffer.from([0x41, 0x3d, 0xff, 0xe9, 0x0d, 0x0a]), Buffer.from('B="\nKEY=1"\r\n# end')];
    writeFileSync(path, Buffer.concat([above, Buffer.from('export KEY="old" # c\r\n'), below]));
    chmodSync(path, 0o640);
    symlinkSync('env', join(folder, 'link'));
    await deliver(sinkAt(join(folder, 'link')));
    expect(readFileSync(path)).toEqual(Buffer.concat([above, Buffer.from(`export KEY=${TOKEN} # c\r\n`), below]));
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder)).toEqual(['env', 'link']);
  });

  it.skipIf(process.platform === 'win32')('does not wait for what becomes a pipe after the preparation', async () => {
    const path = createEnv('KEY=old\n');
    const prepared = await sinkAt(path).prepare('u');
    rmSync(path);
    makePipe(path);
    const reasons = [expect.stringContaining('it is a pipe')];
    await expect(prepared.deliver(TOKEN)).rejects.toMatchObject({ exit: 'not-delivered', reasons });
    await prepared.discard();
  });

  it('takes its path up to the last #', async () => {
    const folder = createFolder();
    await deliver(sinkAt(join(folder, 'env#1')));
    expect(readdirSync(folder)).toEqual(['env#1']);
  });

  it('can take the secret under two keys', async () => {
    const folder = createFolder();
    const path = join(folder, 'env');
    writeFileSync(path, 'B=1\nA=1\n');
    const prepared = [];
    for (const sink of sinksAt(path, 'A', 'B')) prepared.push(await sink.prepare('0f'));
    const [one, other, ...rest] = readdirSync(folder).sort();
    // The names that the journal of rotations takes.
    for (const name of [one, other]) expect(name).toMatch(/^\.env\.orgctl-0f[0-9a-f]+$/);
    expect([one === other, rest]).toEqual([false, ['env']]);
    for (const each of prepared) await each.deliver(TOKEN);
    for (const each of prepared) await each.discard();
    expect(readFileSync(path, 'utf8')).toBe(`B=${TOKEN}\nA=${TOKEN}\n`);
    expect(readdirSync(folder)).toEqual(['env']);
  });

  it('has room reserved for what it is, and more', async () => {
    const folder = realpathSync(createFolder());
    const path = join(folder, 'env');
    writeFileSync(path, `A=${'x'.repeat(10_000)}\n`);
    const sink = sinkAt(path);
    const [temporary = ''] = await sink.temporaries('u');
    const prepared = await sink.prepare('u');
    expect(statSync(temporary).size).toBe(10_003 + 4_096);
    expect(readFileSync(temporary).every((byte) => byte === 0)).toBe(true);
    await prepared.discard();
    expect(readdirSync(folder)).toEqual(['env']);
  });

  it('is taken as it is at delivery', async () => {
    const path = createEnv('KEY=old\n');
    const prepared = await sinkAt(path).prepare('u');
    writeFileSync(path, 'NEW=1\nKEY=other\n');
    await prepared.deliver(TOKEN);
    expect(readFileSync(path, 'utf8')).toBe(`NEW=1\nKEY=${TOKEN}\n`);
  });

  it('that has become ambiguous meanwhile does not get the secret, and stays', async () => {
    const folder = createFolder();
    const path = join(folder, 'env');
    const prepared = await sinkAt(path).prepare('u');
    writeFileSync(path, 'KEY=1\nKEY=2\n');
    expect(await failure(prepared.deliver(TOKEN))).toMatchObject({
      exit: 'not-delivered',
      reasons: ['KEY is set on line 1 and again on line 2, and programs differ in which one counts'],
    });
    await prepared.discard();
    expect(readFileSync(path, 'utf8')).toBe('KEY=1\nKEY=2\n');
    expect(readdirSync(folder)).toEqual(['env']);
  });

  it.each([`${TOKEN}\nPATH=/evil`, `${TOKEN}\r`, '\u001b]0;x\u0007', "'$(touch x)'"])(
    'is not changed by the secret %j',
    async (secret) => {
      const path = createEnv('A=1\n');
      const prepared = await sinkAt(path).prepare('u');
      const error = await failure(prepared.deliver(secret));
      expect(error).toMatchObject({ exit: 'not-delivered' });
      expect(JSON.stringify([error, String(error)])).not.toContain('sandbox.');
      await prepared.discard();
      expect(readFileSync(path, 'utf8')).toBe('A=1\n');
      expect(readdirSync(dirname(path))).toEqual(['env']);
    },
  );
});

describe('is refused, and nothing is changed,', () => {
  it.each([
    ['when the key stands there twice', 'KEY=1\nKEY=2\n'],
    ['when a quote is never closed', 'A="1\n'],
    ['when it is not UTF-8', '\0K\0E\0Y'],
  ])('%s', async (_title, content) => {
    const path = createEnv(content);
    const before = listAll(dirname(path));
    for (const act of [() => sinkAt(path).check(), () => sinkAt(path).prepare('u')]) {
      const error = await failure(act());
      expect(error).toBeInstanceOf(UsageError);
      expect(error).toMatchObject({ message: `env-file:${path}#KEY: can't set KEY in ${path}` });
    }
    expect(await sinkAt(path).read()).toBeUndefined();
    expect(listAll(dirname(path))).toEqual(before);
  });

  it('in a folder that does not exist', async () => {
    const folder = createFolder();
    expect(await failure(sinkAt(join(folder, 'none', 'env')).prepare('u'))).toBeInstanceOf(UsageError);
    expect(readdirSync(folder)).toEqual([]);
  });
});

it('a check leaves no trace', async () => {
  const folder = createFolder();
  writeFileSync(join(folder, 'env'), 'KEY=old\n');
  const before = listAll(folder);
  for (const name of ['env', 'none']) {
    await sinkAt(join(folder, name)).check();
    await sinkAt(join(folder, name)).temporaries('u');
  }
  expect(listAll(folder)).toEqual(before);
});

it.each([
  [`A=1\nexport KEY="${TOKEN}" # c\n`, TOKEN],
  ['KEY=\n', undefined],
  ['KEY="not a token"\n', undefined],
  ['A=1\n', undefined],
])('%j is read', async (content, found) => {
  expect(await sinkAt(createEnv(content)).read()).toBe(found);
});
