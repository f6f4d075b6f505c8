import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { type Environment, orgctl, type Place, start } from './shipped.ts';

/** Interactive shells, with the completion of orgctl loaded. */

export interface Shell {
  /** The words of the line after the shell has inserted every completion of the last one. */
  complete(line: string): Promise<string[]>;
  /**
   * The words that a program gets after Tab and Enter; a quote that is still open is closed between them. `around`: what was
   * typed on the line before, and what ends it.
   */
  accept(line: string, around?: [before: string, after: string]): Promise<string[]>;
  pid: number;
}

export interface ShellOptions {
  place: Place;
  env: Environment;
  cwd: string;
  after: (act: () => Promise<void> | void) => void;
}

/** Prints its arguments into a file, since a terminal would cut them into lines, and then a mark. */
const PUT = `number=0
put() { number=$((number + 1)); printf '%s\\0' "$@" > "$PUT_FOLDER/$number"; echo "[[put $number]]"; }
`;
const BEGIN_OF_LINE = '\u0001';
const CLOSE_LINE = '\u001f';

/** Puts `put` before the line in this variable, and behind it the quotation mark that it lacks. */
const closeLine = (line: string): string => `close_line() {
  local end
  for end in '' '"' "'"; do
    eval "tried() { put $${line}$end
}" 2>/dev/null && break
  done
  ${line}="put $${line}$end"
}
`;

export async function openBash(options: ShellOptions): Promise<Shell> {
  const script = await writeScript('bash', options);
  const file = join(options.place.home, 'bashrc');
  const quiet = "PS1='ready> '\nbind 'set enable-bracketed-paste off'\n";
  const close = `${closeLine('READLINE_LINE')}bind -x '"\\C-_": close_line'\n`;
  writeFileSync(file, `${PUT}${quiet}${close}source '${script}'\n`);
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
  const close = `${closeLine('BUFFER')}zle -N close_line\nbindkey '^_' close_line\n`;
  writeFileSync(
    join(options.place.home, '.zshrc'),
    `${PUT}PROMPT='ready> '\nautoload -Uz compinit\ncompinit -u -D\nsource '${script}'\n${all}bindkey -e\nbindkey '^X' all-matches\n${close}`,
  );
  return await openInteractive('zsh', ['-i'], '\u0018', options);
}

const FISH = `set -g number 0
set -g fish_greeting
set -g fish_autosuggestion_enabled 0
function fish_prompt; echo 'ready> '; end
function put
    set -g number (math $number + 1)
    printf '%s\\0' $argv > "$PUT_FOLDER/$number"
    echo "[[put $number]]"
end
function close_line
    set -l line (commandline | string collect)
    for end in '' '"' "'"
        commandline -r -- "put $line$end"
        commandline --is-valid
        and break
    end
end
function fish_user_key_bindings; bind \\c_ close_line; end
`;

/** fish prints its completions itself, each word that it would insert on a line. */
export async function openFish(options: ShellOptions): Promise<Shell> {
  const script = await writeScript('fish', options);
  const folder = join(options.place.home, '.config', 'fish');
  mkdirSync(folder, { recursive: true });
  // Without this folder fish fills it as soon as it starts, for a long time.
  mkdirSync(join(options.place.home, '.local', 'share', 'fish', 'generated_completions'), { recursive: true });
  writeFileSync(join(folder, 'config.fish'), `${FISH}source '${script}'\n`);
  const shell = await openInteractive('fish', ['-i'], '', options);
  return {
    ...shell,
    async complete(line) {
      const command = `source '${script}'; complete -C "$argv[1]"`;
      const { env, cwd } = options;
      const ended = await start('fish', ['--no-config', '-c', command, line], { env, cwd }).ended;
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
  argv: string[],
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
  const ended = new Promise<void>((resolve) => {
    pty.onExit(() => resolve());
  });
  after(async () => {
    pty.kill('SIGKILL');
    await ended;
  });
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
  const put = async (keys: string): Promise<string[]> => {
    number += 1;
    screen = '';
    pty.write(keys);
    await until(`[[put ${number}]]`);
    return readFileSync(join(folder, String(number)), 'utf8')
      .split('\0')
      .slice(0, -1);
  };
  return {
    pid: pty.pid,
    complete: (line) => put(`${line}${completeAll}${BEGIN_OF_LINE}put \r`),
    accept: (line, around) =>
      put(around === undefined ? `${line}\t${CLOSE_LINE}\r` : `put ${around[0]}\r${line}\t${around[1]}\r`),
  };
}
