import { basename, extname, resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { isExecutable, readStart } from '../files/executable.ts';
import type { Host } from '../host.ts';

/** Where a command is looked for, and where it runs. */
export interface Machine extends Pick<Host, 'env' | 'platform'> {
  /** Absolute. */
  readonly cwd: string;
}

/** What running one takes. */
export interface Surroundings extends Machine {
  sendSignal(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void;
}

/** The absolute path of a command: looked up in PATH, or taken as a path when it is one. Throws UsageError. */
export async function findCommand(command: string, name: string, { env, platform, cwd }: Machine): Promise<string> {
  const isWindows = platform === 'win32';
  const isPath = command.includes('/') || (isWindows && command.includes('\\'));
  // An empty entry means the current folder to some shells. A program there need not be the one that is meant.
  const searched = (env['PATH'] ?? '').split(isWindows ? ';' : ':').filter((folder) => folder !== '');
  const folders = isPath ? [''] : searched;
  const endings = isWindows ? toEndings(command, env['PATHEXT']) : [''];
  for (const folder of folders) {
    for (const ending of endings) {
      const path = resolve(cwd, folder, command + ending);
      if (!(await isExecutable(path))) continue;
      if (isWindows && /\.(?:bat|cmd)$/i.test(path)) {
        throw new UsageError(`${name}: ${path} is a batch file, which runs only in a shell`, {
          hint: `Use the shell: cmd /d /c ${command} …`,
        });
      }
      if (!isWindows) await checkInterpreter(path, name, { env, platform, cwd });
      return path;
    }
  }
  throw new UsageError(isPath ? `${name}: ${command} can't be run` : `${name}: no command ${command} in PATH`, {
    hint: isPath ? 'Check that the file exists and is executable.' : 'Install it, or give its whole path.',
  });
}

/** A script runs only where the program that its first line names is there. Throws UsageError. */
async function checkInterpreter(path: string, name: string, machine: Machine): Promise<void> {
  const [, interpreter, word = ''] = /^#![ \t]*([^ \t\n]+)(?:[ \t]+([^\n]*))?/.exec(await readStart(path)) ?? [];
  if (interpreter === undefined) return;
  // env looks up a program in PATH. What it does with options and variables is not looked at.
  const looked = basename(interpreter) === 'env' ? word.replace(/^-S[ \t]*/, '').split(/[ \t]/)[0] : undefined;
  const isFound =
    (await isExecutable(resolve(machine.cwd, interpreter))) &&
    (looked === undefined || looked === '' || /^-|=/.test(looked) || (await isInPath(looked, machine)));
  if (isFound) return;
  const missing = (looked ?? '') === '' ? interpreter : `${interpreter} ${looked}`;
  throw new UsageError(`${name}: ${path} needs ${missing.replace(/\r$/, '\\r')}, which doesn't exist`, {
    hint: 'Correct the first line of the script, or install what it names.',
  });
}

async function isInPath(command: string, { env, cwd }: Machine): Promise<boolean> {
  const folders = command.includes('/') ? [''] : (env['PATH'] ?? '').split(':').filter((folder) => folder !== '');
  const found = await Promise.all(folders.map((folder) => isExecutable(resolve(cwd, folder, command))));
  return found.includes(true);
}

function toEndings(command: string, known = '.COM;.EXE'): readonly string[] {
  const endings = known.toLowerCase().split(';');
  return extname(command) === '' ? endings : ['', ...endings];
}
