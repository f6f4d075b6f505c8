import { type ChildProcess, spawn } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMPILED } from '../support/compiled.ts';

/** The built orgctl in processes that may be ended at any point, and what they leave on disk. */

export interface Program {
  readonly node: string;
  /** What is run, and what is loaded before it to note and to kill. */
  readonly door: string;
  readonly points: string;
}

export interface Home {
  readonly path: string;
  remove(): void;
}

export interface RunOptions {
  readonly home: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** As a shell takes it. */
  readonly umask?: string;
  /** Ends it there; noted only when left out. */
  readonly at?: number;
}

/** An operation on a file, as it was asked for and, with `done`, as it was done. */
interface Operation {
  readonly name: string;
  readonly path: string;
  readonly to?: string;
  readonly mode?: number;
  readonly isNew?: boolean;
  readonly done?: true;
  readonly when?: 'before' | 'after';
}

export interface Ended {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly operations: readonly Operation[];
  /** The operation before or after which it was killed. */
  readonly killed: Operation | undefined;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

export function createHome(): Home {
  const path = mkdtempSync(join(tmpdir(), 'orgctl-crash-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export function start(program: Program, argv: readonly string[], options: RunOptions): Running {
  const notes = mkdtempSync(join(tmpdir(), 'orgctl-crash-'));
  const note = join(notes, 'note');
  const points = JSON.stringify({ note, ...(options.at === undefined ? {} : { at: options.at }) });
  // Everything that is made open to others without need shows under umask 000.
  const line = `umask ${options.umask ?? '000'}; exec "$@"`;
  const child = spawn('sh', ['-c', line, 'sh', program.node, '-r', program.points, program.door, ...argv], {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: options.home,
      NODE_COMPILE_CACHE: COMPILED,
      ...options.env,
      ORGCTL_FILE_POINTS: points,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    cwd: options.home,
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.stdin ?? '');
  const [stdout, stderr]: [string[], string[]] = [[], []];
  child.stdout.on('data', (piece) => stdout.push(String(piece)));
  child.stderr.on('data', (piece) => stderr.push(String(piece)));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const operations = readNote(note);
      rmSync(notes, { recursive: true, force: true });
      const killed = operations.find((operation) => operation.when !== undefined);
      resolve({ code, stdout: stdout.join(''), stderr: stderr.join(''), operations, killed });
    });
  });
  return { child, ended };
}

export async function run(program: Program, argv: readonly string[], options: RunOptions): Promise<Ended> {
  return await start(program, argv, options).ended;
}

function readNote(note: string): readonly Operation[] {
  try {
    return readFileSync(note, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Operation);
  } catch {
    return [];
  }
}

/** How many points a run to its end has: before and after each operation. */
export function countPoints({ operations }: Ended): number {
  return operations.filter(({ name }) => name !== undefined).length;
}

/** The point just after the last such operation. */
export function findPointAfter({ operations }: Ended, name: string): number {
  return 1 + operations.findLastIndex((operation) => operation.name === name && operation.done === true);
}

/** What a killed run held: the folder is a dead process's from now on, without waiting for the clock. */
export function ageLocks({ operations }: Ended): void {
  const held = new Set<string>();
  for (const { name, path, done } of operations) {
    if (!path?.endsWith('.lock') || done !== true) continue;
    if (name === 'mkdir') held.add(path);
    if (name === 'rmdir') held.delete(path);
  }
  for (const path of held) utimesSync(path, 1, 1);
}

/** Below a folder, files and folders. */
export function listAll(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** What others may read, write or enter, with its mode. */
export function findOpenToOthers(folder: string): readonly string[] {
  return listAll(folder).flatMap((path) => {
    const { mode } = lstatSync(path);
    return (mode & 0o077) === 0 ? [] : [`${(mode & 0o777).toString(8)} ${path.slice(folder.length + 1)}`];
  });
}

/** What was made, or changed, so that others could read it from then on. Under umask 000 the modes are as asked for. */
export function findMadeOpen({ operations }: Ended): readonly string[] {
  return operations
    .filter(({ name, isNew, mode, done }) => {
      if (done !== true || !(isNew === true || name === 'chmod' || name === 'fchmod')) return false;
      return typeof mode !== 'number' || (mode & 0o077) !== 0;
    })
    .map(({ name, path, mode }) => `${name} ${path} ${mode?.toString(8) ?? 'without a mode'}`);
}
