import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { Readable, Writable } from 'node:stream';
import { COMPILED } from '../../support/compiled.ts';

/** The built orgctl, in this process or as a child. */

export interface Program {
  readonly node: string;
  /** `bin/orgctl.cjs`; what was built is beside its folder. */
  readonly door: string;
}

export interface Ended {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly url: string;
  readonly stdin: string;
  readonly home: string;
}

type Main = (argv: readonly string[], host: object) => Promise<number>;

const toEnvironment = ({ url, home }: CommandOptions) => ({
  ORGCTL_CONFIG_DIR: `${home}/config`,
  ORGCTL_STATE_DIR: `${home}/state`,
  ORGCTL_BASE_URL: url,
  ORGCTL_TOKEN: 'trial',
  ORGCTL_ORG: 'acme',
});

/** Waits are over at once. */
export async function runInside(
  { door }: Program,
  argv: readonly string[],
  options: CommandOptions,
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const { main } = createRequire(door)('../dist/main.cjs') as { readonly main: Main };
  const [stdout, stderr] = [capture(), capture()];
  const code = await main(argv, {
    env: { ...toEnvironment(options), ...env },
    stdin: Object.assign(Readable.from([options.stdin]), { isTTY: false }),
    stdout: stdout.stream,
    stderr: stderr.stream,
    platform: process.platform,
    nodeVersion: process.versions.node,
    home: options.home,
    cwd: options.home,
    userName: 'tester',
    temporaryFolder: options.home,
    machineName: 'machine',
    pid: 4711,
    user: process.getuid?.(),
    isStdoutDiscarded: () => false,
    isStdoutEmptyFile: () => false,
    stdoutDescriptor: -1,
    abandonStdout: () => undefined,
    now: () => Date.UTC(2026, 10, 21, 9),
    sleep: async (_milliseconds: number, signal?: AbortSignal) => signal?.throwIfAborted(),
    minutesAhead: () => 0,
    random: () => 0.5,
    randomBytes: (size: number) => Buffer.alloc(size, 7),
    onSignal: () => () => undefined,
    keepMemoryLow: async () => undefined,
    sendSignal: () => undefined,
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

export function startChild({ node, door }: Program, argv: readonly string[], options: CommandOptions) {
  const child = spawn(node, [door, ...argv], {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: options.home,
      TZ: 'UTC',
      NODE_COMPILE_CACHE: COMPILED,
      ...toEnvironment(options),
    },
    stdio: 'pipe',
    cwd: options.home,
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.stdin);
  const pieces: Record<'stdout' | 'stderr', string[]> = { stdout: [], stderr: [] };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (piece: string) => pieces[name].push(piece));
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout: pieces.stdout.join(''), stderr: pieces.stderr.join('') }));
  });
  return { kill: () => void child.kill('SIGKILL'), ended };
}

function capture() {
  const pieces: Buffer[] = [];
  const stream = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece);
      done();
    },
  });
  return {
    stream: Object.assign(stream, { isTTY: false, columns: 80 }),
    text: () => Buffer.concat(pieces).toString('utf8'),
  };
}
