import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { Runtime } from '../../src/lib/runtime.ts';
import { createBytes } from './bytes.ts';

/** The orgctl that tests run in this process: what was built, or the sources for `npm run test:fast`. */
const { main }: typeof import('../../src/main.ts') =
  process.env.ORGCTL_TEST_SOURCES === '1'
    ? await import('../../src/main.ts')
    : createRequire(import.meta.url)('../../dist/main.cjs');

export interface RunOptions {
  env?: Record<string, string | undefined>;
  /** What is typed or piped in. */
  stdin?: string | Uint8Array;
  /** Which of the streams are a terminal. */
  tty?: { stdin?: boolean; stdout?: boolean; stderr?: boolean };
  columns?: number;
  /** Milliseconds since 1970; default `NOW`. */
  now?: number;
  /** Where settings and state are; default a new folder, which is removed afterwards. */
  home?: string | undefined;
  /** Sends the signals that it emits, by their names. */
  signals?: EventEmitter;
  /** Called with each piece of stdout as it is written. */
  onStdout?: (text: string) => void;
  /** Called with the milliseconds of each wait, which is then over at once. */
  onSleep?: (milliseconds: number) => void;
  /** Every write to stdout fails, as into a closed pipe. */
  stdoutClosed?: boolean;
  /** What differs from the usual machine. */
  host?: Partial<Runtime>;
  /** Runs with the same seed draw the same random numbers. */
  seed?: string;
}

export interface RunResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Milliseconds after which the spinner appears. */
const SPINNER_DELAY = 400;

/** The clock of every command test: 2026-11-21T09:00:00Z. */
export const NOW = Date.UTC(2026, 10, 21, 9);

/** What a person sees. */
export const AT_TERMINAL = { tty: { stdin: true, stdout: true, stderr: true }, env: { NO_COLOR: '1' } };

/** Runs one command line through main, on a machine that the options describe. Waits are over at once. */
export async function run(argv: string[], options: RunOptions = {}): Promise<RunResult> {
  const home = options.home ?? mkdtempSync(join(tmpdir(), 'orgctl-test-'));
  const result = await runIn(home, argv, options);
  if (options.home === undefined) rmSync(home, { recursive: true, force: true });
  return result;
}

/** Lines as a text. */
export function joinLines(...lines: string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

async function runIn(home: string, argv: string[], options: RunOptions): Promise<RunResult> {
  const out = capture(options.tty?.stdout === true, options.columns, {
    ...(options.onStdout === undefined ? {} : { onText: options.onStdout }),
    closed: options.stdoutClosed === true,
  });
  const err = capture(options.tty?.stderr === true, options.columns);
  const { signals = new EventEmitter() } = options;
  const stdin = Object.assign(Readable.from(options.stdin === undefined ? [] : [options.stdin]), {
    isTTY: options.tty?.stdin === true,
  });
  const host: Runtime = {
    env: { ORGCTL_CONFIG_DIR: join(home, 'config'), ORGCTL_STATE_DIR: join(home, 'state'), ...options.env },
    stdin,
    stdout: out.stream,
    stderr: err.stream,
    platform: process.platform,
    home,
    cwd: home,
    author: { user: 'tester', host: 'machine', pid: 4711 },
    user: process.getuid?.(),
    stdoutDescriptor: -1,
    now: () => options.now ?? NOW,
    // No test depends on time passing here.
    async sleep(milliseconds, signal) {
      if (options.tty?.stderr === true && signal !== undefined && milliseconds === SPINNER_DELAY)
        return await untilAborted(signal);
      options.onSleep?.(milliseconds);
      signal?.throwIfAborted();
    },
    random: () => 0.5,
    randomBytes: createBytes(options.seed ?? 'run'),
    onSignal(name, handler) {
      signals.on(name, handler);
      return () => signals.off(name, handler);
    },
    ...options.host,
  };
  const code = await main([...argv], host);
  return { code, stdout: out.text(), stderr: err.text() };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function capture(
  isTTY: boolean,
  columns = 80,
  { onText, closed = false }: { onText?: (text: string) => void; closed?: boolean } = {},
) {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (closed) {
        done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
        return;
      }
      chunks.push(chunk);
      onText?.(chunk.toString('utf8'));
      done();
    },
  });
  return {
    stream: Object.assign(stream, { isTTY, columns }),
    text: () => Buffer.concat(chunks).toString('utf8'),
  };
}
