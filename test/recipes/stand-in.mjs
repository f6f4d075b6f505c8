// Stands in for the programs that recipes hand a secret to: takes the options that the real one takes and no others,
// gets the secret the way the real one does, and notes what it was called with.
//
//   node stand-in.mjs <folder> <name> <argument>…
//
// In the folder: `calls/` gets a file for each call, `stores/` holds what was stored. With a file `fail-<name>` that
// says `once` or `always`, calls that would store something fail.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';

const [folder, name, ...argv] = process.argv.slice(2);

const PROGRAMS = { vault, aws, az, kubectl, gh, glab, npm };

try {
  note();
  await PROGRAMS[name]();
} catch (error) {
  process.stderr.write(`${name}: ${error.message}\n`);
  process.exitCode = 1;
}

async function vault() {
  const { options, words } = parse({ mount: 'value' }, /^-([a-z]+)(?:=(.*))?$/);
  const [kv, put, path, pair] = words;
  expect(kv === 'kv' && put === 'put' && words.length === 4, 'usage: vault kv put -mount=MOUNT PATH KEY=-');
  const [, key] = /^([a-z]+)=-$/.exec(pair) ?? [];
  expect(key !== undefined, `${pair} is not read from stdin`);
  store(join('vault', options.mount, path, key), await readStdin());
  say('======= Metadata =======');
}

function aws() {
  const { options, words } = parse({ 'secret-id': 'value', 'secret-string': 'value' });
  expect(words.join(' ') === 'secretsmanager put-secret-value', 'usage: aws secretsmanager put-secret-value');
  const [, path] = /^file:\/\/(.+)$/.exec(options['secret-string']) ?? [];
  expect(path !== undefined, 'the secret is in argv');
  store(join('aws', options['secret-id']), readFileSync(path, 'utf8'));
  say(JSON.stringify({ Name: options['secret-id'], VersionStages: ['AWSCURRENT'] }));
}

function az() {
  const text = ['vault-name', 'name', 'file', 'encoding', 'output', 'query'];
  const { options, words } = parse(Object.fromEntries(text.map((option) => [option, 'value'])));
  const place = join('az', options['vault-name'], options.name);
  if (words.join(' ') === 'keyvault secret show') {
    expect(options.query === 'value' && options.output === 'tsv', 'it would print more than the value');
    say(readFileSync(join(folder, 'stores', place), 'utf8'));
    return;
  }
  expect(words.join(' ') === 'keyvault secret set', 'usage: az keyvault secret set');
  expect(options.encoding === 'utf-8', 'unknown encoding');
  const value = readFileSync(options.file, 'utf8');
  store(place, value);
  if (options.output !== 'none') say(JSON.stringify({ value }));
}

async function kubectl() {
  const text = ['namespace', 'from-file', 'output', 'field-manager', 'filename'];
  const { options, words } = parse({
    ...Object.fromEntries(text.map((option) => [option, 'value'])),
    'dry-run': 'attached',
    'server-side': 'flag',
    'force-conflicts': 'flag',
  });
  if (words[0] === 'apply') {
    expect(options.filename === '-' && options['server-side'] === true, 'it would leave the secret in an annotation');
    const manifest = await readStdin();
    expect(manifest !== '', 'no objects passed to apply');
    const get = (pattern) => pattern.exec(manifest)?.[1] ?? '';
    const place = [/^ {2}namespace: (.+)$/m, /^ {2}name: (.+)$/m].map(get);
    const value = Buffer.from(get(/^ {2}token: (.+)$/m), 'base64').toString();
    store(join('kubectl', ...place, 'token'), value);
    say(`secret/${place[1]} serverside-applied`);
    return;
  }
  const [create, secret, generic, called] = words;
  expect(create === 'create' && secret === 'secret' && generic === 'generic', 'usage: kubectl create secret generic');
  expect(options['dry-run'] === 'client' && options.output === 'yaml', 'it would create the secret');
  const [, key, path] = /^([a-z]+)=(.+)$/.exec(options['from-file']) ?? [];
  const value = readFileSync(path).toString('base64');
  say(
    `apiVersion: v1\ndata:\n  ${key}: ${value}\nkind: Secret\nmetadata:\n  name: ${called}\n  namespace: ${options.namespace}`,
  );
}

/** One issue, 7, is in the store while it is open. */
async function ghIssue() {
  const text = ['repo', 'state', 'search', 'json', 'jq', 'title', 'body-file'];
  const { options, words } = parse(Object.fromEntries(text.map((option) => [option, 'value'])));
  const place = join('gh', options.repo, 'issue-7');
  const path = join(folder, 'stores', place);
  const isOpen = existsSync(path) && readFileSync(path, 'utf8') !== 'closed';
  const [, act, number] = words;
  if (act === 'list') {
    expect(options.jq === '.[0].number' && options.json === 'number', 'unknown query');
    say(isOpen ? '7' : '');
  } else if (act === 'create') {
    expect(!isOpen && options['body-file'] === '-' && options.title !== undefined, 'must provide title and body');
    store(place, `${options.title}\n\n${await readStdin()}`);
  } else {
    expect(isOpen && number === '7', `no issue ${number}`);
    store(place, act === 'close' ? 'closed' : await readStdin());
  }
}

async function gh() {
  if (argv[0] === 'issue') return await ghIssue();
  const { options, words } = parse({ repo: 'value' });
  const [secret, set, key] = words;
  expect(secret === 'secret' && set === 'set' && words.length === 3, 'usage: gh secret set NAME');
  const repository = options.repo ?? process.env.GH_REPO;
  expect(repository !== undefined, 'no git remotes found');
  // As the real one does.
  store(join('gh', repository, key), (await readStdin()).replace(/[\r\n]+$/, ''));
}

async function glab() {
  const { options, words } = parse({ repo: 'value', masked: 'flag', protected: 'flag', raw: 'flag' });
  const [variable, update, key] = words;
  expect(variable === 'variable' && update === 'update' && words.length === 3, 'usage: glab variable update KEY');
  expect(options.masked === true && options.raw === true, 'it would be shown in logs');
  store(join('glab', options.repo, key), await readStdin());
  say(`Updated variable ${key}`);
}

function npm() {
  const { options, words } = parse({ global: 'flag', 'ignore-scripts': 'flag' });
  expect(
    words[0] === 'install' && words.length === 2 && options.global === true,
    'usage: npm install --global PACKAGE',
  );
}

/** Options are `flag`, `value` (--a b and --a=b) or `attached` (--a=b). An unknown one is refused. */
function parse(known, pattern = /^--([a-z-]+)(?:=(.*))?$/) {
  const options = {};
  const words = [];
  for (let at = 0; at < argv.length; at += 1) {
    const [matched, option, value] = pattern.exec(argv[at]) ?? [];
    if (matched === undefined) {
      words.push(argv[at]);
      continue;
    }
    expect(option in known, `unknown option ${argv[at]}`);
    if (known[option] === 'flag') {
      options[option] = true;
    } else if (value !== undefined) {
      options[option] = value;
    } else {
      expect(known[option] === 'value', `${argv[at]} needs a value`);
      at += 1;
      options[option] = argv[at];
    }
  }
  return { options, words };
}

async function readStdin() {
  const pieces = [];
  for await (const piece of process.stdin) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

function store(place, value) {
  const failure = join(folder, `fail-${name}`);
  if (existsSync(failure)) {
    if (readFileSync(failure, 'utf8') === 'once') rmSync(failure);
    // A careless program that shows what it was given.
    throw new Error(`the store is not there for ${value}`);
  }
  const path = join(folder, 'stores', place);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, value);
}

/** What anybody on this machine could have seen: of this process, and of those it was started by. */
function note() {
  const processes = [];
  for (let id = process.pid; id > 1 && existsSync(`/proc/${id}/stat`); ) {
    const [commandLine, environment] = ['cmdline', 'environ'].map((part) =>
      readFileSync(`/proc/${id}/${part}`, 'utf8'),
    );
    processes.push({ commandLine, environment });
    id = Number(
      readFileSync(`/proc/${id}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    );
  }
  const calls = join(folder, 'calls');
  mkdirSync(calls, { recursive: true });
  const own = { commandLine: argv.join(' '), environment: JSON.stringify(process.env) };
  const call = { name, argv, processes: [own, ...processes] };
  writeFileSync(join(calls, `${process.hrtime.bigint()}-${process.pid}.json`), JSON.stringify(call));
}

function say(text) {
  process.stdout.write(`${text}\n`);
}

function expect(condition, message) {
  if (!condition) throw new Error(message);
}
