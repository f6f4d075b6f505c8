import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { isWrite, startRecorder } from '../support/recorder.ts';
import { serve } from '../support/served.ts';
import { type Ended, type Environment, ORGCTL, type Running, start } from '../support/shipped.ts';

/** A machine to run recipes on: orgctl, the sandbox behind a recorder, and stand-ins for the programs they call. */
export interface Workshop {
  /** Everything that a run may leave is in here. */
  readonly folder: string;
  /** What every job finds. */
  readonly env: Environment;
  /** Of the sandbox itself, past the recorder, which cannot pass on an answer that is cut short. */
  readonly sandboxUrl: string;
  /** What a token of somebody who may rotate is. */
  readonly owner: string;
  /** What a ready-made audit trail token is. */
  readonly auditToken: string;
  /** How many tokens were asked for so far. */
  countPosts(): number;
  /** The present token's, as the service tells. */
  readTokenId(): Promise<string>;
  /** The ids of all events of the organization, oldest first. */
  listEvents(): Promise<readonly string[]>;
  /** Whether the service takes it for the audit trail token. */
  isInForce(secret: string): Promise<boolean>;
  /** Somebody else makes a token. */
  replaceToken(): Promise<void>;
  /** What a stand-in holds; undefined when it holds nothing there. */
  readStored(place: string): string | undefined;
  store(place: string, value: string): void;
  /** The next call of a stand-in that would store something fails, and prints what it was to store. */
  failOnce(name: string): void;
  /** Until it is repaired, a stand-in stores nothing. */
  breakDown(name: string): void;
  repair(name: string): void;
  /** Their names and arguments, in order. */
  readCalls(): readonly string[];
  run(command: string, argv: readonly string[], env: Environment): Promise<Ended>;
  /** The same, while it runs; ended when the test is over. */
  start(command: string, argv: readonly string[], env: Environment): Running;
  /** A file of its own for this script. */
  write(name: string, text: string): string;
  /** What is left in the folder for temporary files. */
  listTemporaries(): readonly string[];
  /** Files that hold the secret, by their path in the folder. */
  findFilesWith(secret: string): readonly string[];
}

const RECIPES = fileURLToPath(new URL('../../src/help/recipes', import.meta.url));
const STAND_IN = fileURLToPath(new URL('./stand-in.mjs', import.meta.url));
const STAND_INS = ['vault', 'aws', 'az', 'kubectl', 'gh', 'glab', 'npm'];

export function toRecipePath(name: string): string {
  return join(RECIPES, name);
}

export function readRecipe(name: string): string {
  return readFileSync(toRecipePath(name), 'utf8');
}

/** Flags are for `sandbox serve`. */
export async function openWorkshop(flags: readonly string[] = []): Promise<Workshop> {
  const served = await serve(flags);
  const recorder = await startRecorder({ behind: served.url });
  const folder = join(served.home, 'workshop');
  const [bin, temporary, home] = ['bin', 'tmp', 'home'].map((name) => {
    mkdirSync(join(folder, name), { recursive: true });
    return join(folder, name);
  }) as [string, string, string];
  for (const name of STAND_INS) {
    writeProgram(join(bin, name), `exec '${process.execPath}' '${STAND_IN}' '${folder}' ${name} "$@"`);
  }
  // Only the minute between two readings is another.
  writeProgram(
    join(bin, 'orgctl'),
    `case "$1 $2" in
  'audit-trail follow') set -- "$@" --interval 1s ;;
esac
exec '${process.execPath}' '${ORGCTL}' "$@"`,
  );
  const env = {
    PATH: [bin, process.env['PATH'] ?? ''].join(delimiter),
    HOME: home,
    TMPDIR: temporary,
    // Node's own, from 22 on: what is left there is no trace of orgctl's.
    NODE_DISABLE_COMPILE_CACHE: '1',
    TZ: 'UTC',
    ORGCTL_BASE_URL: recorder.url,
  };
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const toStore = (place: string): string => join(folder, 'stores', place);
  const ask = (path: string, token: string): Promise<Response> =>
    fetch(`${served.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const tokenPath = '/organizations/acme/authentication-token?token=audit-trails';
  return {
    folder,
    env,
    sandboxUrl: served.url,
    owner: served.tokenOf('owner'),
    auditToken: served.tokenOf('audit-token'),
    countPosts: () => recorder.requests.filter(isWrite).length,
    readTokenId: () => readTokenId(ask(tokenPath, served.tokenOf('owner'))),
    listEvents: async () => {
      const answer = await ask('/organization/audit-trail', served.tokenOf('org-token'));
      const { data } = (await answer.json()) as { readonly data: readonly { readonly id: string }[] };
      return data.map(({ id }) => id).reverse();
    },
    isInForce: async (secret) => (await ask('/organization/audit-trail', secret)).status === 200,
    async replaceToken() {
      const { code, stderr } = await start(process.execPath, [ORGCTL, 'audit-token', 'generate', '--yes'], {
        env: served.as('owner'),
      }).ended;
      expect(code, stderr).toBe(0);
    },
    readStored: (place) => (existsSync(toStore(place)) ? readFileSync(toStore(place), 'utf8') : undefined),
    store(place, value) {
      mkdirSync(join(toStore(place), '..'), { recursive: true });
      writeFileSync(toStore(place), value);
    },
    failOnce: (name) => void write(`fail-${name}`, 'once'),
    breakDown: (name) => void write(`fail-${name}`, 'always'),
    repair: (name) => rmSync(join(folder, `fail-${name}`)),
    readCalls: () => readCalls(folder).map(({ name, argv }) => [name, ...argv].join(' ')),
    run: (command, argv, own) => start(command, argv, { env: own, cwd: temporary }).ended,
    start(command, argv, own) {
      const running = start(command, argv, { env: own, cwd: temporary });
      onTestFinished(async () => {
        running.child.kill('SIGTERM');
        await running.ended;
      });
      return running;
    },
    write,
    listTemporaries: () => readdirSync(temporary),
    findFilesWith: (secret) =>
      listFiles(folder)
        .filter((path) => readFileSync(path).includes(secret))
        .map((path) => relative(folder, path)),
  };
}

async function readTokenId(answer: Promise<Response>): Promise<string> {
  const { data } = (await (await answer).json()) as { readonly data: { readonly id: string } };
  return data.id;
}

/** Nobody who looks at the machine or at the log sees the secret: only those files hold it. */
export function expectUntraced(workshop: Workshop, secret: string, logs: readonly Ended[], files: readonly string[]) {
  const log = logs.map(({ stdout, stderr }) => stdout + stderr).join('\n');
  const processes = readCalls(workshop.folder).flatMap((call) => call.processes);
  expect(processes.length).toBeGreaterThan(0);
  for (const form of toForms(secret)) {
    expect(log).not.toContain(form);
    expect(processes.filter((each) => `${each.commandLine}\n${each.environment}`.includes(form))).toEqual([]);
  }
  expect([...workshop.findFilesWith(secret)].sort()).toEqual([...files].sort());
}

/** The result that orgctl printed last, of the columns it has when nobody watches. */
export function readResult({ stdout, stderr }: Ended): { readonly id: string; readonly changed: boolean } {
  const line = stdout.split('\n').findLast((each) => /^(?:rotated|delivered|unchanged)\t/.test(each));
  if (line === undefined) throw new Error(`there is no result: ${stdout}${stderr}`);
  const [result, , , , id = ''] = line.split('\t');
  return { id, changed: result !== 'unchanged' };
}

interface Call {
  readonly name: string;
  readonly argv: readonly string[];
  /** Its own, its parent's, and so on. */
  readonly processes: readonly { readonly commandLine: string; readonly environment: string }[];
}

function readCalls(folder: string): readonly Call[] {
  const calls = join(folder, 'calls');
  if (!existsSync(calls)) return [];
  return readdirSync(calls)
    .sort()
    .map((name) => JSON.parse(readFileSync(join(calls, name), 'utf8')) as Call);
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

function writeProgram(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

/** The secret as it stands, and in base64 wherever it begins in something longer. */
function toForms(secret: string): readonly string[] {
  const pieces = [0, 1, 2].map((before) => {
    const text = Buffer.concat([new Uint8Array(before), Buffer.from(secret)]).toString('base64');
    return text.slice(Math.ceil((before * 4) / 3), Math.floor(((before + secret.length) * 4) / 3));
  });
  return [secret, ...pieces];
}
