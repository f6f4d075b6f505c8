import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { READ_LIMITS, readCommand } from '../../../src/old/subprocess/read-command.ts';
import { createFolder, failure } from '../../support/files.ts';

const POSIX = process.platform !== 'win32';

/** Reads what a program prints. */
function read(
  program: string,
  limits: Partial<typeof READ_LIMITS> = {},
  signal = new AbortController().signal,
  more: { readonly env?: NodeJS.ProcessEnv; readonly platform?: NodeJS.Platform } = {},
) {
  const surroundings = {
    env: process.env,
    platform: process.platform,
    ...more,
    cwd: process.cwd(),
    sendSignal: (pid: number, name: NodeJS.Signals) => void process.kill(pid, name),
    signal,
  };
  const words = ['node', '-e', program] as const;
  return readCommand({ path: process.execPath, words: [...words] }, surroundings, { ...READ_LIMITS, ...limits });
}

/** Processes that say they are there, until they are gone. */
async function startRegister() {
  const sockets: Socket[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.resume();
    sockets.push(socket);
    for (const look of waiting) look();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return {
    /** Of a program that is there as long as it lives, and does not end by itself. */
    stay: `require('node:net').connect(${port}, '127.0.0.1')`,
    async untilThere(count: number): Promise<void> {
      await new Promise<void>((resolve) => {
        const look = (): void => (sockets.length >= count ? resolve() : undefined);
        waiting.push(look);
        look();
      });
    },
    async untilGone(): Promise<void> {
      await Promise.all(
        sockets.map((socket) => (socket.closed ? undefined : new Promise((resolve) => socket.on('close', resolve)))),
      );
    },
  };
}

describe('what a command prints', () => {
  test('is read to its end, with its errors apart', async () => {
    expect(await read('console.log("a\\nb"); console.error("c")')).toEqual({
      failure: undefined,
      stdout: 'a\nb\n',
      stderr: 'c\n',
    });
  });

  test('fills no memory', async () => {
    const {
      stdout,
      stderr,
      failure: why,
    } = await read('for (const s of [process.stdout, process.stderr]) s.write("x".repeat(10_000_000))');
    expect({ out: stdout.length, err: stderr.length, why }).toEqual({ out: 65_536, err: 65_536, why: undefined });
  });

  test('comes without input', async () => {
    expect(await read('process.stdin.on("end", () => console.log("no more")).resume()')).toMatchObject({
      stdout: 'no more\n',
    });
  });

  test('is given also where something it left running holds its output open', async () => {
    const { stay, untilThere } = await startRegister();
    const child = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stay)}], { stdio: 'inherit', detached: true }).unref()`;
    expect(await read(`console.log("token"); ${child}`, { drain: 1 })).toMatchObject({
      failure: undefined,
      stdout: 'token\n',
    });
    await untilThere(1);
  });

  test('of one that cannot be started is nothing', async () => {
    const surroundings = { env: {}, platform: process.platform, cwd: process.cwd(), sendSignal: () => undefined };
    const { signal } = new AbortController();
    const words = ['missing'] as [string];
    expect(await readCommand({ path: '/missing', words }, { ...surroundings, signal })).toEqual({
      failure: expect.stringMatching(/^not started: .*ENOENT/),
      stdout: '',
      stderr: '',
    });
  });
});

describe.runIf(POSIX)('a command and all it started', () => {
  const withChild = (stay: string): string =>
    `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stay)}], { stdio: 'inherit' }); ${stay}`;

  test('is ended where it takes too long', async () => {
    const { stay, untilThere, untilGone } = await startRegister();
    const ignoring = `process.on('SIGTERM', () => undefined); ${stay}`;
    const reading = read(`process.stdout.write("half"); ${withChild(ignoring)}`, { time: 3_000, grace: 1 });
    await untilThere(2);
    expect(await reading).toEqual({ failure: 'stopped after 3 s', stdout: 'half', stderr: '' });
    await untilGone();
  });

  test('is ended with the run', async () => {
    const { stay, untilThere, untilGone } = await startRegister();
    const controller = new AbortController();
    const reading = failure(read(withChild(stay), {}, controller.signal));
    await untilThere(2);
    const reason = new Error('Interrupted.');
    controller.abort(reason);
    expect(await reading).toBe(reason);
    await untilGone();
  });
});

test.runIf(POSIX)(
  'on Windows a command that takes too long is ended with all it has started, by taskkill',
  async () => {
    const folder = createFolder();
    mkdirSync(join(folder, 'System32'));
    const told = join(folder, 'told');
    writeFileSync(join(folder, 'System32', 'taskkill.exe'), `#!/bin/sh\necho "$@" > '${told}'\n`, { mode: 0o755 });
    const register = await startRegister();
    const signal = new AbortController().signal;
    const env = { ...process.env, SystemRoot: folder };
    const reading = read(register.stay, { time: 500, grace: 100 }, signal, { env, platform: 'win32' });
    await register.untilThere(1);
    expect((await reading).failure).toBe('stopped after 0.5 s');
    expect(readFileSync(told, 'utf8')).toMatch(/^\/pid \d+ \/t \/f\n$/);
    await register.untilGone();
  },
);
