import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { arch, hostname, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createJournal } from '../../src/rotation/journal.ts';
import { takeLock } from '../../src/rotation/lock.ts';
import { listRecoveryFiles, readRecoveryFile } from '../../src/rotation/recovery.ts';
import { createFolder } from '../support/files.ts';
import { ROOT, type Running, start } from '../support/shipped.ts';

/** Lock, journal and recovery file in processes of their own, some of which are killed. */

const modules = mkdtempSync(join(tmpdir(), 'orgctl-rotation-'));
const user = process.getuid?.();

beforeAll(async () => {
  await build({
    input: ['lock', 'journal', 'recovery'].map((name) => join(ROOT, 'src', 'rotation', `${name}.ts`)),
    platform: 'node',
    external: ['libsql'],
    logLevel: 'silent',
    output: { dir: join(modules, 'built'), format: 'cjs' },
  });
  symlinkSync(join(ROOT, 'node_modules'), join(modules, 'node_modules'), 'junction');
});
afterAll(() => rmSync(modules, { recursive: true, force: true }));

const PREPARED = `
  const { writeSync, appendFileSync, readFileSync } = require('node:fs');
  const { setTimeout: pause } = require('node:timers/promises');
  const [, directory, id] = process.argv;
  const say = (text) => writeSync(1, text + '\\n');
  const { takeLock } = require('./lock.js');
  const { createJournal } = require('./journal.js');
  const { createRecoveryFile } = require('./recovery.js');
  const take = (wait, sleep = (ms, signal) => pause(ms, undefined, { signal })) => takeLock(directory, {
    wait, now: Date.now, sleep, signal: new AbortController().signal,
    unique: process.pid.toString(16), describe: 'rotation of acme', pid: process.pid,
  });
  const sayError = (error) => say(JSON.stringify({ ...error, message: error.message }));`;

/** Runs a script in which the functions above are there. It is gone when the test is over. */
function run(script: string, directory: string, id = '', built = join(modules, 'built')): Running {
  const running = start(process.execPath, ['-e', `${PREPARED}\n(async () => {${script}})();`, directory, id], {
    env: {},
    cwd: built,
  });
  running.ended.catch(() => undefined);
  onTestFinished(async () => {
    running.child.kill('SIGKILL');
    await running.ended;
  });
  return running;
}

const HOLD = `try { globalThis.lock = await take(0); say('held'); setInterval(() => {}, 1e6); } catch (error) { sayError(error); }`;
const holds = (text: string): boolean => text === 'held\n';

async function kill({ child, ended }: Running): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}

describe('the lock', () => {
  test('two at once: one has it, the other is refused', async () => {
    const folder = createFolder();
    const both = [run(HOLD, folder), run(HOLD, folder)];
    await Promise.all(both.map((one) => one.untilStdout((text) => text.endsWith('\n'))));
    const [holder, ...more] = both.filter((one) => holds(one.stdout()));
    const [refused] = both.filter((one) => !holds(one.stdout()));
    expect(more).toEqual([]);
    expect(JSON.parse(refused?.stdout() ?? '')).toMatchObject({ exit: 'busy', code: 'busy' });

    const third = await run(HOLD, folder).ended;
    const refusal = JSON.parse(third.stdout) as { message: string; holder: unknown };
    expect(refusal.holder).toEqual({
      pid: holder?.child.pid,
      host: hostname(),
      since: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(refusal.message).toMatch(/^another rotation of acme is running since \d{4}-\S+Z \(process \d+ on \S+\)$/);
  });

  const takeHere = (directory: string) =>
    takeLock(directory, {
      wait: 0,
      now: Date.now,
      sleep: () => Promise.reject(new Error('nothing is waited for')),
      signal: new AbortController().signal,
      unique: 'abc',
      describe: 'rotation of acme',
    });

  test('SIGKILL of its holder frees it at once, and leaves only the file about it', async () => {
    const folder = createFolder();
    const holder = run(HOLD, folder);
    await holder.untilStdout(holds);
    await expect(takeHere(folder)).rejects.toMatchObject({ exit: 'busy', holder: { pid: holder.child.pid } });
    await kill(holder);
    expect(readdirSync(folder).sort()).toEqual(['rotation.holder', 'rotation.lock']);
    const lock = await takeHere(folder);
    expect(JSON.parse(readFileSync(join(folder, 'rotation.holder'), 'utf8'))).not.toHaveProperty('pid');
    await lock.release();
    expect(readdirSync(folder)).toEqual(['rotation.lock']);
  });

  test('a refusal in the holder’s own process does not take it from the holder', async () => {
    const folder = createFolder();
    const lock = await takeHere(folder);
    await expect(takeHere(folder)).rejects.toMatchObject({ exit: 'busy' });
    const other = await run(HOLD, folder).ended;
    expect(JSON.parse(other.stdout)).toMatchObject({ exit: 'busy' });
    await lock.release();
    const next = run(HOLD, folder);
    await next.untilStdout(holds);
  });

  test('a waiting process has it once its holder is killed', async () => {
    const folder = createFolder();
    const holder = run(HOLD, folder);
    await holder.untilStdout(holds);
    const waiting = run(
      `let said = false;
       await take(60_000, (ms) => { if (!said) say('waits'); said = true; return pause(ms); });
       say('held');
       process.exit();`,
      folder,
    );
    await waiting.untilStdout((text) => text === 'waits\n');
    await kill(holder);
    expect(await waiting.ended).toMatchObject({ code: 0, stdout: 'waits\nheld\n' });
  });

  test('twenty processes taking turns never overlap', { timeout: 120_000 }, async () => {
    const [folder, file] = [createFolder(), join(createFolder(), 'turns')];
    writeFileSync(file, '');
    const [ids, turns, steps] = [Array.from({ length: 20 }, (_, index) => `p${index}`), 3, 30];
    const script = `
      for (let turn = 0; turn < ${turns}; turn += 1) {
        const lock = await take(100_000);
        for (let step = 0; step < ${steps}; step += 1) appendFileSync(${JSON.stringify(file)}, id + ' ' + turn + ' ' + step + '\\n');
        await lock.release();
      }`;
    const ended = await Promise.all(ids.map((id) => run(script, folder, id).ended));
    expect(ended.filter(({ code, stderr }) => code !== 0 || stderr !== '')).toEqual([]);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const began = lines.filter((_line, index) => index % steps === 0).map((line) => line.replace(/ 0$/, ''));
    expect(lines).toEqual(began.flatMap((turn) => Array.from({ length: steps }, (_, step) => `${turn} ${step}`)));
    expect(began.sort()).toEqual(ids.flatMap((id) => [0, 1, 2].map((turn) => `${id} ${turn}`)).sort());
  });

  test('without libsql: says so, and on which platform', async () => {
    const [alone, folder] = [createFolder(), createFolder()];
    cpSync(join(modules, 'built'), alone, { recursive: true });
    const { stdout } = await run(HOLD, folder, '', alone).ended;
    expect(JSON.parse(stdout)).toMatchObject({
      exit: 'usage',
      message: `libsql, which locks a rotation, cannot be loaded on ${platform()} ${arch()}`,
      reasons: [expect.stringMatching(/^Cannot find .*'libsql'/)],
      hint: 'Install orgctl again, with optional dependencies, on a platform libsql is built for. Nothing was sent.',
    });
    expect(readdirSync(folder)).toEqual(['rotation.lock']);
  });
});

/** After how many things done a writer is killed: from the first to many, so that the moment is another each time. */
const KILLS = Array.from({ length: 24 }, (_, index) => 1 + ((index * 7) % 31));
const countLines = (text: string): number => text.split('\n').length - 1;

describe('a writer that is killed', () => {
  test('leaves a journal that is whole', { timeout: 120_000 }, async () => {
    const folder = createFolder();
    // Written in many pieces, were it not replaced as a whole.
    const script = `
      const journal = createJournal(directory, { unique: process.pid.toString(16), user: process.getuid?.() });
      const state = (posts) => ({ open: {
        run: 'r' + posts, startedAt: '2026-05-01T12:00:00Z', phase: 'minting', posts,
        recovery: require('node:path').join(directory, 'undelivered-token-1f'),
        temporaries: Array.from({ length: 1 + (posts % 2) * 2000 }, (_, index) => '/run/.a.' + posts + '.' + index + '.orgctl-1f'),
      } });
      for (let posts = 1; ; posts += 1) { await journal.write(state(posts)); say('' + posts); }`;
    const journal = createJournal(folder, { unique: 'abc', user });
    for (const count of KILLS) {
      const writer = run(script, folder);
      await writer.untilStdout((text) => countLines(text) >= count);
      await kill(writer);
      const { open } = journal.read();
      const said = countLines(writer.stdout());
      expect([said, said + 1]).toContain(open?.posts);
      expect(open?.run).toBe(`r${open?.posts}`);
      expect(open?.temporaries).toHaveLength(1 + ((open?.posts ?? 0) % 2) * 2_000);
    }
    await journal.write(journal.read());
    expect(readdirSync(folder)).toEqual(['rotation.json']);
  });

  test('leaves recovery files that hold a whole secret or none', { timeout: 120_000 }, async () => {
    const script = `
      for (let index = 0; ; index += 1) {
        const file = await createRecoveryFile(directory, index.toString(16));
        say('made');
        await file.keep('secret-' + index, { id: 'at-' + index, organization: 'acme', origin: 'https://a.example' });
        say('kept');
      }`;
    for (const count of KILLS) {
      const folder = join(createFolder(), 'state');
      mkdirSync(folder);
      const writer = run(script, folder);
      await writer.untilStdout((text) => countLines(text) >= count);
      await kill(writer);
      const found = listRecoveryFiles(folder);
      const kept = writer
        .stdout()
        .split('\n')
        .filter((line) => line === 'kept').length;
      expect(found.filter(({ holdsSecret }) => holdsSecret).length).toBeGreaterThanOrEqual(kept);
      expect(found.filter(({ holdsSecret }) => !holdsSecret).length).toBeLessThanOrEqual(1);
      for (const { path, holdsSecret } of found) {
        const index = Number.parseInt(path.replace(/^.*-/, ''), 16);
        const content = readRecoveryFile(path);
        expect(content?.secret).toBe(holdsSecret ? `secret-${index}` : undefined);
        expect(content?.facts?.id).toBe(holdsSecret ? `at-${index}` : undefined);
      }
    }
  });
});
