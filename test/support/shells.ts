import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { type Environment, orgctl, type Place, start } from './shipped.ts';

/** Interactive shells, with the completion of orgctl loaded. */

export interface Shell {
  /** The words of the line after the shell has inserted every completion of the last one. */
  complete(line: string): Promise<readonly string[]>;
}

export interface ShellOptions {
  readonly place: Place;
  readonly env: Environment;
  readonly cwd: string;
  readonly after: (act: () => void) => void;
}

export function isInstalled(shell: string): boolean {
  return spawnSync(shell, ['-c', 'exit 0']).status === 0;
}

/** Prints its arguments into a file, since a terminal would cut them into lines, and then a mark. */
const PUT = `number=0
put() { number=$((number + 1)); printf '%s\\n' "$@" > "$PUT_FOLDER/$number"; echo "[[put $number]]"; }
`;
const BEGIN_OF_LINE = '\u0001';

export async function openBash(options: ShellOptions): Promise<Shell> {
  const script = await writeScript('bash', options);
  const file = join(options.place.home, 'bashrc');
  writeFileSync(file, `${PUT}PS1='ready> '\nbind 'set enable-bracketed-paste off'\nsource '${script}'\n`);
  // Meta-* inserts every completion.
  return await openInteractive('bash', ['--noprofile', '--rcfile', file, '-i'], '\u001b*', options);
}

export async function openZsh(options: ShellOptions): Promise<Shell> {
  const script = await writeScript('zsh', options);
  const all = `zle -C all-matches complete-word _generic
bindkey '^X' all-matches
zstyle ':completion:all-matches::::' completer _all_matches _complete
zstyle ':completion:all-matches:*' insert true
`;
  writeFileSync(
    join(options.place.home, '.zshrc'),
    `${PUT}PROMPT='ready> '\nautoload -Uz compinit\ncompinit -u -D\nsource '${script}'\n${all}bindkey -e\nbindkey '^X' all-matches\n`,
  );
  return await openInteractive('zsh', ['-i'], '\u0018', options);
}

/** fish prints its completions itself, each word that it would insert on a line. */
export async function openFish(options: ShellOptions): Promise<Shell> {
  const script = await writeScript('fish', options);
  return {
    async complete(line) {
      const command = `source '${script}'; complete -C "$argv[1]"`;
      const { env, cwd } = options;
      const ended = await start('fish', ['-c', command, line], { env, cwd }).ended;
      if (ended.code !== 0 || ended.stderr !== '') throw new Error(JSON.stringify(ended));
      const words = ended.stdout.split('\n').filter((each) => each !== '');
      return [...line.split(' ').slice(0, -1), ...words.map((word) => word.split('\t')[0] ?? '')];
    },
  };
}

async function writeScript(shell: string, { place, env }: ShellOptions): Promise<string> {
  const { code, stdout, stderr } = await orgctl(['completion', shell], { env });
  if (code !== 0 || stderr !== '') throw new Error(stderr);
  const file = join(place.home, `completion.${shell}`);
  writeFileSync(file, stdout);
  return file;
}

async function openInteractive(
  command: string,
  argv: readonly string[],
  completeAll: string,
  { place, env, cwd, after }: ShellOptions,
): Promise<Shell> {
  const folder = join(place.home, `put-${command}`);
  mkdirSync(folder);
  const pty = spawn(command, [...argv], {
    cols: 400,
    rows: 50,
    name: 'xterm',
    cwd,
    env: { ...env, PUT_FOLDER: folder, TERM: 'xterm', HISTFILE: '' },
  });
  after(() => pty.kill('SIGKILL'));
  let screen = '';
  const checks = new Set<() => void>();
  pty.onData((piece) => {
    screen += piece;
    for (const check of checks) check();
  });
  const until = (shown: string): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!screen.includes(shown)) return;
        checks.delete(check);
        resolve();
      };
      checks.add(check);
      check();
    });
  await until('ready> ');
  let number = 0;
  return {
    async complete(line) {
      number += 1;
      pty.write(`${line}${completeAll}${BEGIN_OF_LINE}put \r`);
      await until(`[[put ${number}]]`);
      return readFileSync(join(folder, String(number)), 'utf8')
        .split('\n')
        .slice(0, -1);
    },
  };
}
