import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ORGCTL, ROOT } from '../support/shipped.ts';

/** What Node compiled in an earlier run, and runs again without asking who put it there. */

const US = process.geteuid?.() ?? -1;
// Numbers that no user has.
const [VICTIM, OTHER] = [61_001, 61_002];
const CACHES = process.platform === 'darwin' ? ['Library', 'Caches'] : ['.cache'];
const NO_CACHE = 'enableCompileCache' in module ? undefined : 'needs Node 22.1';
const NO_USERS = NO_CACHE ?? (US !== 0 ? 'needs root' : isOpenToAll() ? undefined : 'needs a folder that all may read');

const toCacheHome = (home: string): string => join(home, ...CACHES);
const titled = (title: string, why: string | undefined): string => (why === undefined ? title : `${title} (${why})`);

function isOpenToAll(): boolean {
  return act(VICTIM, [ORGCTL, '--version'], {}).status === 0;
}

function act(user: number, argv: readonly string[], env: Readonly<Record<string, string>>) {
  const as = user === US ? {} : { uid: user, gid: user };
  return spawnSync(process.execPath, argv, { ...as, env: { TZ: 'UTC', ...env }, cwd: '/', encoding: 'utf8' });
}

function printPath(user: number, env: Readonly<Record<string, string>>): string {
  const { status, stdout, stderr } = act(user, [ORGCTL, 'settings', 'list'], env);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

/** A folder that is gone afterwards. */
function createFolder(owner: number, mode: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-cache-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return give(folder, owner, mode);
}

function makeFolder(path: string, owner: number, mode: number): string {
  mkdirSync(path, { recursive: true });
  return give(path, owner, mode);
}

function give(path: string, owner: number, mode: number): string {
  if (owner !== US) chownSync(path, owner, owner);
  chmodSync(path, mode);
  return path;
}

function createHome(owner: number): string {
  const home = createFolder(owner, 0o755);
  for (const [index] of CACHES.entries()) makeFolder(join(home, ...CACHES.slice(0, index + 1)), owner, 0o755);
  return home;
}

describe.skipIf(NO_CACHE !== undefined)(titled('compiled code', NO_CACHE), () => {
  const listKept = (home: string): readonly string[] => readdirSync(toCacheHome(home));

  test("is kept in a folder of one's own, which is made where it is missing", () => {
    const home = createHome(US);
    rmSync(toCacheHome(home), { recursive: true });
    const path = printPath(US, { HOME: home });
    const folder = join(toCacheHome(home), 'orgctl');
    expect(lstatSync(toCacheHome(home)).mode & 0o777).toBe(0o700);
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
    const [tag = ''] = readdirSync(folder);
    expect(readdirSync(join(folder, tag)).length).toBeGreaterThan(1);
    expect(printPath(US, { HOME: home })).toBe(path);
  });

  test.skipIf(process.platform !== 'linux')('is kept below XDG_CACHE_HOME', () => {
    const [home, caches] = [createHome(US), createFolder(US, 0o700)];
    printPath(US, { HOME: home, XDG_CACHE_HOME: caches });
    expect(readdirSync(caches)).toEqual(['orgctl']);
    expect(listKept(home)).toEqual([]);
    printPath(US, { HOME: home, XDG_CACHE_HOME: 'caches' });
    expect(listKept(home)).toEqual(['orgctl']);
  });

  test('is kept where NODE_COMPILE_CACHE says, and nowhere with NODE_DISABLE_COMPILE_CACHE', () => {
    const [home, named] = [createHome(US), createFolder(US, 0o700)];
    printPath(US, { HOME: home, NODE_DISABLE_COMPILE_CACHE: '1' });
    printPath(US, { HOME: home, NODE_DISABLE_COMPILE_CACHE: '1', NODE_COMPILE_CACHE: named });
    expect(readdirSync(named)).toEqual([]);
    printPath(US, { HOME: home, NODE_COMPILE_CACHE: named });
    expect(readdirSync(named)).toHaveLength(1);
    expect(listKept(home)).toEqual([]);
  });

  test('is kept nowhere without a home', () => {
    const temporary = createFolder(US, 0o700);
    const homes: Record<string, string>[] = [{}, { HOME: '' }, { HOME: join(temporary, 'missing') }];
    for (const home of homes) {
      act(US, [ORGCTL, '--help'], { ...home, TMPDIR: temporary });
    }
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe.skipIf(NO_USERS !== undefined)(titled('code that another user planted', NO_USERS), () => {
  /** The victim's surroundings, and the folder that Node may be given for compiled code. */
  const inHome = (home: string, owner: number, mode: number) => ({
    env: { HOME: home },
    at: makeFolder(join(toCacheHome(home), 'orgctl'), owner, mode),
  });
  const rows: Readonly<Record<string, () => { readonly env: Readonly<Record<string, string>>; readonly at: string }>> =
    {
      'in the folder for temporary files, which is shared': () => {
        const temporary = createFolder(0, 0o1777);
        return { env: { HOME: createHome(VICTIM), TMPDIR: temporary }, at: join(temporary, 'node-compile-cache') };
      },
      "in the folder of one's own, which the other made first": () => inHome(createHome(VICTIM), OTHER, 0o755),
      "in the folder of one's own, which was open to others": () => inHome(createHome(VICTIM), VICTIM, 0o770),
      'where a symlink leads': () => {
        const [home, elsewhere] = [createHome(VICTIM), createFolder(VICTIM, 0o700)];
        symlinkSync(elsewhere, join(toCacheHome(home), 'orgctl'));
        return { env: { HOME: home }, at: elsewhere };
      },
    };

  test.each(Object.entries(rows))('%s, is not run', (_where, prepare) => {
    const { env, at } = prepare();
    plant(at);
    expect(printPath(VICTIM, { ...env, NODE_COMPILE_CACHE: at })).toContain('planted');
    expect(printPath(VICTIM, env)).not.toContain('planted');
  });
});

/**
 * Puts code where Node looks for what it compiled of orgctl's entry. V8 compares the length of the source alone, and Node
 * a checksum of it, which stands in the fourth of five numbers before the code.
 */
function plant(folder: string): void {
  const work = createFolder(OTHER, 0o700);
  const [genuine, forged, script] = [join(work, 'genuine'), join(work, 'forged'), join(work, 'forged.cjs')];
  const { length } = readFileSync(join(ROOT, 'dist', 'main.cjs'));
  act(OTHER, [ORGCTL, 'settings', 'list'], { HOME: work, NODE_COMPILE_CACHE: genuine });
  writeFileSync(script, `require('fs').writeSync(1, 'planted\\n');process.exit();`.padEnd(length));
  act(OTHER, ['-e', `require(${JSON.stringify(script)})`], { NODE_COMPILE_CACHE: forged });
  const [kept, own] = [genuine, forged].map((kind) =>
    readKept(kind).find(({ bytes }) => bytes.readUInt32LE(4) === length),
  );
  if (kept === undefined || own === undefined) throw new Error('Node kept nothing');
  kept.bytes.copy(own.bytes, 12, 12, 16);
  const there = join(folder, kept.tag.replace(/\d+$/, String(VICTIM)));
  mkdirSync(there, { recursive: true });
  writeFileSync(join(there, kept.name), own.bytes);
}

function readKept(folder: string): readonly { readonly tag: string; readonly name: string; readonly bytes: Buffer }[] {
  return readdirSync(folder).flatMap((tag) =>
    readdirSync(join(folder, tag)).map((name) => ({ tag, name, bytes: readFileSync(join(folder, tag, name)) })),
  );
}
