import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { MachineName, SinkKind, TokenKind } from './plan.ts';
import type { Ended } from './process.ts';

/** A machine that rotates: its state, and the places it delivers to. All below one folder. */
export type Machine = ReturnType<typeof createMachine>;

interface JournalText {
  readonly open?: { readonly phase: string; readonly posts: number; readonly lost?: true; readonly recovery: string };
  readonly last?: { readonly id: string };
}

const ORGANIZATION_FOLDER = (port: number): string => join(`http%3A%2F%2F127.0.0.1%3A${port}`, 'acme');
const ENV_BEFORE = '# settings\nOTHER=1\nAUDIT_TOKEN=none\n';
/** Every machine that gives a small disk: 64 pages. */
const DISK_BYTES = 262_144;
const PAGE = 4_096;

/** Whether this process may mount a small disk. */
function canMount(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

const STORE = `#!/bin/sh
cat /proc/$$/cmdline /proc/$$/environ /proc/$PPID/cmdline /proc/$PPID/environ >> "$2" 2>/dev/null
how=$(cat "$1.broken" 2>/dev/null)
[ "$how" != closes ] || { exec 0<&-; exit 1; }
value=$(cat)
[ -n "$value" ] && [ "$how" != fails ] || exit 1
printf '%s\\n' "$value" >> "$1"
half=\${value%????????????????????????????????????????}
printf 'stored %s' "$half"
printf '%s\\n' "\${value#"$half"}"
printf '%s' "$value" | base64 >&2
exit 0
`;
const VERIFY = `#!/bin/sh
value=$(cat)
printf 'looked at %s\\n' "$value"
[ -n "$value" ] && [ "$1" = ok ]
`;

/** The commands that a trial runs. */
export function writeCommands(folder: string): { readonly store: string; readonly verify: string } {
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o755 });
    chmodSync(path, 0o755);
    return path;
  };
  return { store: write('store', STORE), verify: write('verify', VERIFY) };
}

export function createMachine(
  parent: string,
  name: MachineName,
  kinds: readonly SinkKind[],
  store: string,
  port: () => number,
  kind: TokenKind,
  /** Another machine, whose files and store are this one's too. */
  sharing?: { readonly folder: string; readonly sinks: string },
) {
  const folder = join(parent, name);
  const [state, outputs] = [join(folder, 'state'), join(folder, 'outputs')];
  const sinks = sharing?.sinks ?? join(folder, 'sinks');
  for (const each of [folder, state, sinks, outputs]) mkdirSync(each, { recursive: true });
  const file = join(sinks, 'token');
  const env = join(sinks, 'settings.env');
  const stored = join(sharing?.folder ?? folder, 'stored');
  const witness = join(folder, 'witness');
  if (sharing === undefined) writeFileSync(env, ENV_BEFORE);
  const mounted = new Set<string>();
  let isImmutable = false;
  let count = 0;
  const letChange = (): void => {
    if (isImmutable) tryRun('chattr', '-i', sinks);
    isImmutable = false;
  };
  const home = (): string => {
    const organization = join(state, ORGANIZATION_FOLDER(port()));
    if (kind === 'audit-trail') return organization;
    const [only = 'none'] = existsSync(join(organization, 'tokens')) ? readdirSync(join(organization, 'tokens')) : [];
    return join(organization, 'tokens', only);
  };

  const TO: Readonly<Record<SinkKind, string>> = {
    file: `file:${file}`,
    'env-file': `env-file:${env}#AUDIT_TOKEN`,
    exec: `exec:${store} ${stored} ${witness}`,
    'github-output': 'github-output:audit_token',
    stdout: 'stdout',
  };
  const holds: Readonly<Record<SinkKind, (secret: string, ended: readonly Ended[]) => boolean>> = {
    file: (secret) => readText(file) === secret,
    'env-file': (secret) => {
      const values = [`AUDIT_TOKEN=${secret}`, `AUDIT_TOKEN='${secret}'`, `AUDIT_TOKEN="${secret}"`];
      return values.some((value) => readText(env) === ENV_BEFORE.replace('AUDIT_TOKEN=none', () => value));
    },
    exec: (secret) => readText(stored).split('\n').includes(secret),
    'github-output': (secret) =>
      readdirSync(outputs).some((each) => findOutput(readText(join(outputs, each))).includes(secret)),
    stdout: (secret, ended) => ended.some(({ stdout }) => findPrinted(stdout) === secret),
  };

  return {
    folder,
    state,
    sinks,
    to: kinds.map((kind) => TO[kind]),
    /** A step of its own begins, with an empty file for its outputs. */
    nextOutputs(): string {
      count += 1;
      const path = join(outputs, `step-${count}`);
      writeFileSync(path, '');
      return path;
    },
    /** Which of the sinks hold this secret as a whole. `ended`: the runs whose stdout counts. */
    holders: (secret: string, ended: readonly Ended[]): readonly SinkKind[] =>
      kinds.filter((kind) => holds[kind](secret, ended)),
    /** Which of the places that may be shared hold something else than this secret. */
    strangers(secret: string): readonly SinkKind[] {
      const last = readText(stored).trimEnd().split('\n').at(-1);
      return kinds.filter((kind) =>
        kind === 'exec' ? last !== secret : ['file', 'env-file'].includes(kind) && !holds[kind](secret, []),
      );
    },
    /** Secrets that wait in recovery files, and whether the facts that prove each whole are there too. */
    recoveries() {
      const names = existsSync(home()) ? readdirSync(home()) : [];
      return names
        .filter((each) => each.startsWith('undelivered-token-'))
        .flatMap((each) => {
          const text = readText(join(home(), each)).replace(/\0+$/, '');
          if (text === '') return [];
          const [secret = '', facts = ''] = text.split('\n');
          return [{ name: each, secret, isWhole: facts.endsWith('}') }];
        });
    },
    journal(): JournalText | undefined {
      const text = readText(join(home(), 'rotation.json'));
      return text === '' ? undefined : (JSON.parse(text) as JournalText);
    },
    /** Files that were made to be renamed or removed, by name. */
    temporaries: () => [...listFiles(state), ...listFiles(sinks)].filter((path) => path.includes('.orgctl-')),
    /** Whether a file is one that may hold a secret. */
    mayHold(path: string, killed: boolean): boolean {
      if ([file, env, stored].includes(path) || path.startsWith(outputs)) return true;
      const isLeft = killed && path.startsWith(sinks) && basename(path).includes('.orgctl-');
      return isLeft || basename(path).startsWith('undelivered-token-');
    },
    breakExec: (how: 'fails' | 'closes') => writeFileSync(`${stored}.broken`, how),
    putFolderInstead() {
      rmSync(file, { recursive: true, force: true });
      mkdirSync(join(file, 'full'), { recursive: true });
    },
    makeImmutable() {
      isImmutable = tryRun('chattr', '+i', sinks);
    },
    limit(where: 'state' | 'sinks') {
      const path = where === 'state' ? state : sinks;
      if (mounted.has(path)) return;
      // What is mounted hides the folder that is to be changed back.
      letChange();
      const kept = listFiles(path).map((each) => [each, readFileSync(each), statSync(each).mode] as const);
      if (!canMount() || !tryRun('mount', '-t', 'tmpfs', '-o', `size=${DISK_BYTES},mode=700`, 'matrix', path)) return;
      mounted.add(path);
      for (const [each, content, mode] of kept) {
        mkdirSync(dirname(each), { recursive: true, mode: 0o700 });
        writeFileSync(each, content, { mode });
      }
    },
    fill(where: 'state' | 'sinks', pagesLeft: number) {
      const path = where === 'state' ? state : sinks;
      if (!mounted.has(path)) return;
      const { bavail } = statfsSync(path);
      writeFileSync(join(path, 'filler'), Buffer.alloc(Math.max(0, bavail - pagesLeft) * PAGE));
    },
    /** Undoes all that was broken. */
    mend() {
      letChange();
      for (const each of [`${stored}.broken`, join(state, 'filler'), join(sinks, 'filler')])
        rmSync(each, { force: true });
      if (existsSync(file) && statSync(file).isDirectory()) rmSync(file, { recursive: true });
    },
    remove() {
      this.mend();
      for (const path of mounted) tryRun('umount', '-l', path);
    },
  };
}

/** Every file below, by its path. */
export function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** What the sink stdout printed, by itself or within the result. */
export function findPrinted(stdout: string): string | undefined {
  if (!stdout.endsWith('\n')) return undefined;
  if (!stdout.startsWith('{')) return stdout.slice(0, -1);
  const { token } = JSON.parse(stdout) as { token?: string };
  return token;
}

/** As the runner reads it: a name, a delimiter, and lines up to that delimiter. */
function findOutput(text: string): readonly string[] {
  const found = /^audit_token<<(\S+)\n([\s\S]*)\n\1\n$/.exec(text);
  return found?.[2] === undefined ? [] : [found[2]];
}

function readText(path: string): string {
  return existsSync(path) && statSync(path).isFile() ? readFileSync(path, 'utf8') : '';
}

function tryRun(command: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
