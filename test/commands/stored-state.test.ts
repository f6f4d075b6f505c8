import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createFolder } from '../support/files.ts';
import { openSandbox, serveSandbox } from '../support/product.ts';
import { NOW, run } from '../support/run.ts';
import { openDatabase } from '../support/sqlite.ts';

/**
 * Folders that orgctl 0.1.0 wrote, most of them by runs that were killed: `{home}` and `{origin}` stand for where they
 * were. Beside each is what that orgctl said and did when it ran next (`answer.txt`): every later one has to go on as it
 * would have. An answer changes with the sentences orgctl prints; the folders stay as they are.
 */
const STORED = fileURLToPath(new URL('../fixtures/stored', import.meta.url));

const ROTATIONS = readdirSync(STORED).filter((name) => /^(delivered|ended|killed)/.test(name));

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
}

/** A home with what is stored under this name, each file its owner's alone. */
function createStoredHome(name: string, origin = ''): string {
  const home = createFolder();
  for (const file of listFiles(join(STORED, name))) {
    if (/^(answer\.txt|replaced\.sql)$/.test(file)) continue;
    mkdirSync(dirname(join(home, file)), { recursive: true, mode: 0o700 });
    const text = readFileSync(join(STORED, name, file), 'utf8');
    writeFileSync(join(home, file), text.replaceAll('{home}', home).replaceAll('{origin}', origin), { mode: 0o600 });
  }
  return home;
}

/** The sandbox as the runs left it. */
function writeSandbox(home: string, name: string): string {
  const path = join(home, 'state', 'sandbox', 'state.sqlite');
  mkdirSync(dirname(path), { recursive: true });
  const database = openDatabase(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA application_id = 1869768547; PRAGMA user_version = 2;');
  database.exec(readFileSync(join(STORED, 'sandbox.sql'), 'utf8'));
  const files = listFiles(join(STORED, name));
  if (files.includes('replaced.sql')) database.exec(readFileSync(join(STORED, name, 'replaced.sql'), 'utf8'));
  database.close();
  return path;
}

/** Runs the commands one after the other, and says what each printed. */
async function converse(home: string, commands: readonly (readonly string[])[]): Promise<string> {
  const said: string[] = [];
  for (const [index, argv] of commands.entries()) {
    const { code, stdout, stderr } = await run(argv, { home, seed: `next ${index}` });
    said.push(`$ orgctl ${argv.join(' ')}\n${stdout}--- stderr\n${stderr}--- exit ${code}\n`);
  }
  return said.join('\n');
}

/** What is made at random differs from run to run of another build: it gets a name by its kind. */
function withoutChance(text: string, name: string): string {
  const known = listFiles(join(STORED, name)).map((file) => readFileSync(join(STORED, name, file), 'utf8'));
  const isStored = (word: string): boolean => known.some((content) => content.includes(word));
  return text
    .replaceAll(/\bsandbox\.[0-9A-Za-z]{40,}/g, (word) => (isStored(word) ? word : '<new secret>'))
    .replaceAll(/\bat-[0-9A-Za-z]{16}\b/g, (word) => (isStored(word) ? word : '<new token>'))
    .replaceAll(/\bsha256:[0-9a-f]{16}/g, (word) => (isStored(word) ? word : '<its fingerprint>'));
}

test.each(ROTATIONS)('the run after a rotation that was %s', async (name) => {
  const home = createStoredHome(name);
  writeSandbox(home, name);
  const places = ['--to', `file:${home}/token`, '--to', `env-file:${home}/env#AUDIT_TOKEN`];
  const argv = [
    '--sandbox',
    '--org',
    'acme',
    'audit-token',
    'rotate',
    '--expires',
    '90d',
    '--if-expires-within',
    '30d',
  ];
  const said = await converse(home, [[...argv, ...places]]);
  const left = listFiles(home)
    .filter((file) => !file.includes('sqlite'))
    .map((file) => `--- ${file}\n${readFileSync(join(home, file), 'utf8').replaceAll('\0', '')}`);
  const answer = withoutChance([said, ...left].join('\n').replaceAll(home, '{home}'), name);
  await expect(answer).toMatchFileSnapshot(join(STORED, name, 'answer.txt'));
});

test('settings, profiles and tokens that were stored are used', async () => {
  const state = createFolder();
  const sandbox = openSandbox({ state: writeSandbox(state, 'profiles'), now: () => NOW, randomBytes: Buffer.alloc });
  const server = await serveSandbox(sandbox, { port: 0, listen: '127.0.0.1', faults: [] });
  onTestFinished(async () => {
    await server.close();
    sandbox.close();
  });
  const { origin } = new URL(server.url);
  const home = createStoredHome('profiles', origin);
  const said = await converse(home, [
    ['settings', 'list'],
    ['settings', 'list', '--profile', 'globex', '-o', 'json'],
    ['auth', 'status', '-o', 'json'],
    ['members', 'list', '--profile', 'member'],
    ['auth', 'logout', '--profile', 'globex'],
    ['settings', 'unset', 'to'],
  ]);
  const left = listFiles(home).map((file) => `--- ${file}\n${readFileSync(join(home, file), 'utf8')}`);
  const answer = [said, ...left].join('\n').replaceAll(home, '{home}').replaceAll(origin, '{origin}');
  await expect(answer).toMatchFileSnapshot(join(STORED, 'profiles', 'answer.txt'));
});
