import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countPoints } from '../campaign/kill.ts';
import type { Program, WatchedEnd } from '../campaign/process.ts';
import { ageLocks, createHome, findMadeOpen, findOpenToOthers, type Home, listAll, run, start } from './home.ts';

/** Commands that write files of orgctl's own, and what may be in these at any time. */
export interface Writer {
  readonly name: string;
  readonly argv: readonly string[];
  readonly stdin?: string;
  /** What is there before, and what each file holds afterwards. */
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
  /** Files beside these that may stay; none where it is left out. */
  readonly stays?: RegExp;
}

const CONFIG = '.config/orgctl/config.json';
const CREDENTIALS = '.config/orgctl/credentials.json';
/** conf leaves these if it is killed; only their owner can read them. */
const TEMPORARY = /\.json\.tmp-[0-9a-f]+$/;
const STATE = /^\.local(\/|$)/;

/** `url` is a sandbox that is running. */
export function createWriters(url: string): readonly Writer[] {
  const { origin } = new URL(url);
  const old = { credentials: { 'https://app.terraform.io': { token: 'old' } } };
  const stored = { [CREDENTIALS]: { credentials: { [origin]: { token: 'sandbox.owner' } } } };
  const reading = { [CREDENTIALS]: { credentials: { [origin]: { token: 'sandbox.org-token.acme' } } } };
  const unchanged = { before: stored, after: stored };
  return [
    {
      name: 'settings',
      argv: ['settings', 'set', 'output', 'json'],
      before: { [CONFIG]: { org: 'acme' } },
      after: { [CONFIG]: { version: 1, org: 'acme', output: 'json' } },
    },
    {
      name: 'login',
      argv: ['auth', 'login', '--base-url', url],
      stdin: 'sandbox.owner',
      before: { [CREDENTIALS]: old },
      after: {
        [CREDENTIALS]: { version: 1, credentials: { ...old.credentials, [origin]: { token: 'sandbox.owner' } } },
      },
      stays: /^\.config\/orgctl\/config\.json$/,
    },
    {
      name: 'first-settings',
      argv: ['settings', 'set', 'org', 'acme'],
      after: { [CONFIG]: { version: 1, org: 'acme' } },
    },
    {
      name: 'sandbox',
      argv: ['--sandbox', 'members', 'invite', 'new@example.com', '--team', 'platform', '-q'],
      stays: STATE,
    },
    {
      name: 'rotate',
      argv: [
        ...['audit-token', 'rotate', '--base-url', url, '--org', 'acme', '-q', '--yes', '--expires', '90d'],
        ...['--to', 'file:secret', '--to', 'env-file:secret.env#TOKEN'],
      ],
      ...unchanged,
      stays: /^\.local(\/|$)|^secret(\.env)?$/,
    },
    {
      name: 'follow',
      argv: ['audit-trail', 'follow', '--cursor', 'acme.json', '--once', '-q', '--base-url', url, '--org', 'acme'],
      before: reading,
      after: reading,
      stays: /^acme\.json$|^\.acme\.json\.lock$/,
    },
  ];
}

function prepare(home: Home, { before = {} }: Writer): void {
  for (const [name, value] of Object.entries(before)) {
    const path = join(home.path, name);
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
    writeFileSync(path, JSON.stringify(value), { mode: 0o600 });
  }
}

/** Undefined where there is no such file, or what it holds; text that is no JSON is a fault of its own. */
function readJson(home: Home, name: string): unknown {
  try {
    return JSON.parse(readFileSync(join(home.path, name), 'utf8'));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'torn';
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The files as they are: each as before or as after, and nobody else's to see. */
function findFaults(home: Home, { before = {}, after = {} }: Writer): readonly string[] {
  const torn = Object.keys(after).filter((name) => {
    const present = readJson(home, name);
    return !isSame(present, before[name]) && !isSame(present, after[name]);
  });
  return [...torn.map((name) => `${name} is neither old nor new`), ...findOpenToOthers(home.path)];
}

function findUnfinished(home: Home, writer: Writer, { code, stderr }: WatchedEnd): readonly string[] {
  const { after = {} } = writer;
  const known = new Set(Object.keys(after).flatMap((name) => [name, ...toFolders(name)]));
  const left = listAll(home.path)
    .map((path) => path.slice(home.path.length + 1))
    .filter((name) => !known.has(name) && !TEMPORARY.test(name) && writer.stays?.test(name) !== true);
  return [
    ...(code === 0 ? [] : [`ended with ${code}: ${stderr}`]),
    ...Object.keys(after)
      .filter((name) => !isSame(readJson(home, name), after[name]))
      .map((name) => `${name} is not as it should be in the end`),
    ...left.map((name) => `${name} is left`),
  ];
}

function toFolders(name: string): readonly string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
}

/** Runs it whole. The points at which it could be killed, and what was wrong. */
export async function record(
  program: Program,
  writer: Writer,
  umask: string,
): Promise<{ readonly points: number; readonly ended: WatchedEnd; readonly faults: readonly string[] }> {
  const home = createHome();
  try {
    prepare(home, writer);
    const ended = await run(program, writer.argv, { home: home.path, stdin: writer.stdin, umask });
    const faults = [...findFaults(home, writer), ...findUnfinished(home, writer, ended), ...findMadeOpen(ended)];
    return { points: countPoints(ended.operations), ended, faults };
  } finally {
    home.remove();
  }
}

/** Kills it at a point, looks at what is there, and runs it again to its end. */
export async function killAt(program: Program, writer: Writer, at: number): Promise<readonly string[]> {
  const home = createHome();
  try {
    prepare(home, writer);
    const options = { home: home.path, stdin: writer.stdin };
    const first = await run(program, writer.argv, { ...options, point: { at } });
    const faults = [...findFaults(home, writer), ...findMadeOpen(first)];
    ageLocks(first);
    const second = await run(program, writer.argv, options);
    // The person is told that somebody is there already, and it was this run that died.
    const all = [...faults, ...findFaults(home, writer), ...findUnfinished(home, writer, second)];
    const { name = 'its end', path = '', when = '' } = first.stopped ?? {};
    return all.map(
      (fault) => `${writer.name} killed at ${at}, ${when} ${name} ${path.slice(home.path.length)}: ${fault}`,
    );
  } finally {
    home.remove();
  }
}

export interface Storm {
  readonly writers: number;
  /** Which of them is killed, and at which point. */
  readonly victim: number;
  readonly at: number;
}

/** Several at once, into one file, one of which is killed; somebody reads whenever one of them does something. */
export async function storm(program: Program, { writers, victim, at }: Storm): Promise<readonly string[]> {
  const home = createHome();
  const faults: string[] = [];
  const look = (): boolean => {
    if (readJson(home, CONFIG) === 'torn') faults.push('a reader met half a file');
    return false;
  };
  try {
    const all = Array.from({ length: writers }, (_, index) =>
      start(program, ['settings', 'set', 'org', `org-${index}`, '--profile', `p${index}`], {
        home: home.path,
        ...(index === victim ? { point: { at } } : {}),
      }),
    );
    for (const one of all) one.untilOperation(look).catch(() => undefined);
    void all[victim]?.ended.then(ageLocks);
    const ended = await Promise.all(all.map((one) => one.ended));
    // The last one wins: writers do not wait for each other.
    for (const [index, { code, stderr }] of ended.entries()) {
      if (index !== victim && code !== 0) faults.push(`writer ${index} ended with ${code}: ${stderr}`);
    }
    return [...faults, ...findOpenToOthers(home.path)].map(
      (fault) => `storm of ${writers}, writer ${victim} killed at ${at}: ${fault}`,
    );
  } finally {
    home.remove();
  }
}
