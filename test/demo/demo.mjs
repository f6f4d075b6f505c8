// Shows orgctl at work on the embedded service: real commands, over real HTTP, with their real output.
// Everything it makes lies in a temporary folder, which it removes.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ORGCTL = fileURLToPath(new URL('../../bin/orgctl.cjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'orgctl-demo-'));
const colour = process.stdout.isTTY === true && !process.env['NO_COLOR'];
const bold = (text) => (colour ? `\u001b[1m${text}\u001b[22m` : text);

const environment = {
  PATH: process.env['PATH'],
  HOME: folder,
  ORGCTL_CONFIG_DIR: join(folder, 'config'),
  ORGCTL_STATE_DIR: join(folder, 'state'),
  ...(colour ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
};

const server = spawn(
  process.execPath,
  [ORGCTL, 'sandbox', 'serve', '--state', ':memory:', '--port', '0', '-o', 'json'],
  {
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  },
);
let failures = 0;
try {
  const service = await readAnnouncement();
  const base = {
    ...environment,
    ORGCTL_BASE_URL: service['base-url'],
    ORGCTL_ORG: 'acme',
    ORGCTL_TOKEN: tokenOf(service, 'owner'),
  };

  say(`orgctl on its own sandbox: the service itself, embedded, at ${service['base-url']}.`);
  say('No account, no network. The organization is acme; the token is that of an owner.');

  step('Which plans are there, and which may acme have?');
  show(['feature-sets', 'list', '--eligible', '-o', 'table'], base);

  step('Invite somebody. Teams go by name.');
  show(['members', 'invite', 'ana@example.com', '--team', 'platform'], base);
  step('Again: whoever is there already is left as they are.');
  show(
    ['members', 'invite', 'ANA@example.com', '--team', 'platform', '-o', 'json', '--fields', 'email,status,changed'],
    base,
  );
  show(['members', 'list', '--status', 'invited', '-o', 'table'], base);

  step('Curate a public provider, and add a private one.');
  show(['providers', 'create', 'hashicorp/google'], base);
  show(['providers', 'create', 'billing'], base);
  show(['providers', 'list', '-o', 'table'], base);

  step('Make an audit trail token: the secret alone on stdout, here into a file.');
  const secretFile = join(folder, 'audit-token');
  show(['audit-token', 'generate', '--expires', '90d', '--yes'], base, { into: secretFile, shownAs: 'audit-token' });
  say(`(${statSync(secretFile).size} bytes in the file, and the secret nowhere else)\n`);
  show(['audit-token', 'show', '-o', 'table'], base);

  step('Read the audit trail with it.');
  const auditor = { ...base, ORGCTL_TOKEN: readFileSync(secretFile, 'utf8').trim() };
  show(
    ['audit-trail', 'list', '-o', 'table', '--fields', 'timestamp,resource.type,resource.action,auth.description'],
    auditor,
    {
      prefix: 'ORGCTL_TOKEN=$(cat audit-token) ',
    },
  );

  step('Refusals explain themselves: a plain member invites somebody …');
  show(
    ['members', 'invite', 'ben@example.com', '--team', 'platform'],
    { ...base, ORGCTL_TOKEN: tokenOf(service, 'member') },
    {
      prefix: 'ORGCTL_TOKEN=sandbox.member ',
      expected: 5,
    },
  );
  step('… and an organization where curation is switched off:');
  show(['providers', 'create', 'hashicorp/aws', '--org', 'initech'], base, { expected: 6 });
} finally {
  // It writes into the folder until it has ended.
  const isRunning = server.exitCode === null && server.signalCode === null;
  const ended = isRunning ? once(server, 'exit') : undefined;
  server.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

if (failures > 0) {
  say(`${failures} of these did not go as they should.`);
  process.exitCode = 1;
} else {
  say(bold('Your turn:'));
  say(
    '  npm link                           makes the command orgctl available (or: alias orgctl="node bin/orgctl.cjs")',
  );
  say('  orgctl --sandbox members list      the same service, its state kept between commands');
  say('  orgctl --sandbox audit-token generate --expires 90d --dry-run');
  say('  orgctl --help                      everything there is; README.md tells the rest');
}

/** The first line of the server: its base URL and tokens, as JSON. */
function readAnnouncement() {
  return new Promise((resolve, reject) => {
    createInterface({ input: server.stdout }).once('line', (line) => resolve(JSON.parse(line)));
    server.once('exit', (code) => reject(new Error(`the sandbox ended at once (${code})`)));
  });
}

function tokenOf(service, kind) {
  return service.tokens.find((token) => token.kind === kind).token;
}

/** Runs a command and shows it with its output and, where it is not 0, its exit code. */
function show(args, env, { into, shownAs, prefix = '', expected = 0 } = {}) {
  say(bold(`$ ${prefix}orgctl ${args.map(quote).join(' ')}${into === undefined ? '' : ` > ${shownAs}`}`));
  const { status, stdout, stderr } = spawnSync(process.execPath, [ORGCTL, ...args], { env, encoding: 'utf8' });
  if (into === undefined) process.stdout.write(stdout);
  else spawnSync('sh', ['-c', 'umask 077 && cat > "$1"', 'sh', into], { input: stdout });
  process.stdout.write(stderr);
  if (status !== 0) say(`(exit ${status})`);
  say('');
  if (status !== expected) failures += 1;
}

function quote(word) {
  return /^[\w./,@:=-]+$/.test(word) ? word : `'${word}'`;
}

function step(text) {
  say(bold(text));
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
