import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { UsageError } from '../../errors.ts';
import type { SinkSurroundings } from './sink.ts';

/** The absolute path of a command: looked up in PATH, or taken as a path when it is one. Throws UsageError. */
export async function findCommand(
  command: string,
  name: string,
  { env, platform, cwd }: Pick<SinkSurroundings, 'env' | 'platform' | 'cwd'>,
): Promise<string> {
  const isWindows = platform === 'win32';
  const isPath = command.includes('/') || (isWindows && command.includes('\\'));
  // An empty entry means the present folder to some: there a program may lie that is not the one that is meant.
  const searched = (env['PATH'] ?? '').split(isWindows ? ';' : ':').filter((folder) => folder !== '');
  const folders = isPath ? [''] : searched;
  const endings = isWindows ? toEndings(command, env['PATHEXT']) : [''];
  for (const folder of folders) {
    for (const ending of endings) {
      const path = resolve(cwd, folder, command + ending);
      if (!(await isExecutable(path))) continue;
      if (isWindows && /\.(?:bat|cmd)$/i.test(path)) {
        throw new UsageError(`${name}: ${path} is a batch file, which runs in a shell only`, {
          hint: `Ask for the shell: exec:'cmd /c ${command} …'.`,
        });
      }
      return path;
    }
  }
  throw new UsageError(
    isPath ? `${name}: ${command} is not a program that can be run` : `${name}: there is no command ${command} in PATH`,
    { hint: isPath ? 'Look whether the file exists and may be executed.' : 'Install it, or write its whole path.' },
  );
}

function toEndings(command: string, known = '.COM;.EXE'): readonly string[] {
  const endings = known.toLowerCase().split(';');
  return extname(command) === '' ? endings : ['', ...endings];
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
