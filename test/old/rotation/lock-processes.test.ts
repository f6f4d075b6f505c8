import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { toLockPlace } from '../../../src/old/rotation/journal.ts';
import { createFolder } from '../../support/files.ts';
import { takeLock } from '../../support/lock.ts';
import { ROOT, type Running, start } from '../../support/shipped.ts';

/** The lock in processes of their own, some of which are killed. */

const modules = mkdtempSync(join(tmpdir(), 'orgctl-rotation-'));

beforeAll(async () => {
  await build({
    input: {
      lock: join(ROOT, 'test', 'support', 'lock.ts'),
      place: join(ROOT, 'src', 'old', 'rotation', 'journal.ts'),
    },
    platform: 'node',
    external: ['libsql'],
    logLevel: 'silent',
    output: { dir: join(modules, 'built'), format: 'cjs' },
  });
  symlinkSync(join(ROOT, 'node_modules'), join(modules, 'node_modules'), 'junction');
});
afterAll(() => rmSync(modules, { recursive: true, force: true }));

const PREPARED = `
  const { writeSync, appendFileSync } = require('node:fs');
  const { setTimeout: pause } = require('node:timers/promises');
  const [, directory, id] = process.argv;
  const say = (text) => writeSync(1, text + '\\n');
  const { takeLock } = require('./lock.js');
  const { toLockPlace } = require('./place.js');
  const take = (wait, sleep = (ms, signal) => pause(ms, undefined, { signal })) => takeLock(toLockPlace(directory), {
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
  const takeHere = (directory: string) =>
    takeLock(toLockPlace(directory), {
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

  test("a refusal in the holder's own process does not take it from the holder", async () => {
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

  test('twenty processes taking turns never overlap', async () => {
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

  const hasOwn = builtinModules.includes('node:sqlite');
  const createAlone = (): string => {
    const alone = createFolder();
    cpSync(join(modules, 'built'), alone, { recursive: true });
    return alone;
  };

  test.runIf(hasOwn)("without libsql: Node's own SQLite locks", async () => {
    const [alone, folder] = [createAlone(), createFolder()];
    const holder = run(HOLD, folder, '', alone);
    await holder.untilStdout(holds);
    const { stdout } = await run(HOLD, folder, '', alone).ended;
    expect(JSON.parse(stdout)).toMatchObject({ exit: 'busy' });
    await kill(holder);
  });

  test.skipIf(hasOwn)('without libsql: says so, and on which platform', async () => {
    const [alone, folder] = [createAlone(), createFolder()];
    const { stdout } = await run(HOLD, folder, '', alone).ended;
    expect(JSON.parse(stdout)).toMatchObject({
      exit: 'usage',
      message: `can't load libsql, which locks a rotation, on ${platform()} ${arch()}`,
      reasons: [expect.stringMatching(/^Cannot find .*'libsql'/)],
      hint: 'Use Node.js 24 or newer, which needs no libsql, or install orgctl again, with optional dependencies. Nothing was sent.',
    });
    expect(readdirSync(folder)).toEqual(['rotation.lock']);
  });
});
