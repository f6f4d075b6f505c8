import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { createFolder } from '../support/files.ts';
import { toArchive } from '../support/release-scripts.ts';
import { ROOT, start } from '../support/shipped.ts';
import { expectDelivered, expectRotation, fillIn, runSteps, type Step } from './job.ts';
import { expectUntraced, openWorkshop, type Workshop } from './workshop.ts';

/** The actions for GitHub, by their very lines: the executable comes from a stand-in for a page of releases. */

type Values = Readonly<Record<string, string>>;

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly runs: {
    readonly steps: readonly {
      readonly name?: string;
      readonly if?: string;
      readonly shell: string;
      readonly run: string;
      readonly env?: Values;
    }[];
  };
}

const ACTIONS = join(ROOT, '.github', 'actions');
const readAction = (name: string): Action => parse(readFileSync(join(ACTIONS, name, 'action.yml'), 'utf8')) as Action;
const rotate = readAction('rotate-audit-token');
const STORED = 'gh/acme/siem/AUDIT_TOKEN';

/** A page of releases with one archive, whose orgctl prints its name; `sum` replaces the true one. */
async function startReleases(name = 'orgctl-1.2.3-linux-x64', sum?: string) {
  const program = `#!/bin/sh\nexec "$REAL_ORGCTL" "$@"\n`;
  const archive = toArchive({
    [`${name}/orgctl`]: { content: program, mode: 0o755 },
    [`${name}/LICENSE`]: { content: '' },
  });
  const sums = `${sum ?? createHash('sha256').update(archive).digest('hex')}  ${name}.tar.gz\n`;
  const pages: Readonly<Record<string, string | Uint8Array>> = {
    '/acme/orgctl/releases/download/v1.2.3/SHA256SUMS': sums,
    [`/acme/orgctl/releases/download/v1.2.3/${name}.tar.gz`]: archive,
  };
  const server = createServer((request, answer) => {
    const page = pages[request.url ?? ''];
    answer.writeHead(page === undefined ? 404 : 200).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs the steps of an action on a runner; what it put on the path comes first in the steps that follow. */
async function runAction(workshop: Workshop, given: Values): Promise<Awaited<ReturnType<typeof runSteps>>> {
  const temporary = join(workshop.folder, 'runner');
  mkdirSync(temporary, { recursive: true });
  const inputs = Object.fromEntries(
    Object.entries(rotate.inputs).map(([name, { default: usual = '' }]) => [`inputs.${name}`, given[name] ?? usual]),
  );
  const expressions = {
    ...inputs,
    'inputs.version || github.action_ref': given['version'] ?? 'v1.2.3',
    'github.server_url': await startReleases(),
    'github.action_repository': 'acme/orgctl',
    'github.repository': 'acme/siem',
    'runner.temp': temporary,
  };
  const paths = workshop.write('github-path', '');
  const runner = {
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: join(ACTIONS, 'rotate-audit-token'),
    GITHUB_PATH: paths,
    RUNNER_TEMP: temporary,
    RUNNER_OS: 'Linux',
    RUNNER_ARCH: 'X64',
    REAL_ORGCTL: join(workshop.env['PATH']?.split(':')[0] ?? '', 'orgctl'),
    PATH: `${join(temporary, 'orgctl-1.2.3-linux-x64')}:${workshop.env['PATH']}`,
  };
  const steps = rotate.runs.steps.map(({ name = '', run, env = {} }): Step => {
    const filled = Object.entries(env).map(([key, text]) => [key, fillIn(text, /\$\{\{ (.+?) \}\}/g, expressions)]);
    const own = { ...runner, ...Object.fromEntries(filled) };
    return { name, script: run, env: own, shell: ['bash', '--noprofile', '--norc', '-eo', 'pipefail'] };
  });
  const always = rotate.runs.steps.flatMap(({ name = '', if: when }) => (when === 'always()' ? [name] : []));
  const ended = await runSteps(workshop, steps, always);
  if (ended.code === 0) expect(readFileSync(paths, 'utf8')).toBe(`${join(temporary, 'orgctl-1.2.3-linux-x64')}\n`);
  return ended;
}

const inputsFor = (workshop: Workshop): Values => ({
  organization: 'acme',
  token: workshop.owner,
  'secrets-writer': 'github-writer',
  'audit-token': workshop.readStored(STORED) ?? '',
  'base-url': workshop.env['ORGCTL_BASE_URL'] ?? '',
});

test('keep to what GitHub is known to do', () => {
  for (const { runs } of [readAction('setup'), rotate]) {
    expect(runs.steps.filter(({ shell, run }) => shell !== 'bash' || run.includes('${{'))).toEqual([]);
  }
  const handing = rotate.runs.steps.filter((step) => step.env?.['AUDIT_TOKEN'] !== undefined);
  expect(handing.map(({ name }) => name)).toEqual(['hand over the stored token']);
  const [fetched] = readAction('setup').runs.steps;
  expect(rotate.runs.steps[0]?.env).toEqual(fetched?.env);
});

test('the token in force is stored, shown nowhere, and left alone while there is time', async () => {
  const workshop = await openWorkshop();
  await expectRotation(
    workshop,
    () => workshop.readStored(STORED),
    [`stores/${STORED}`],
    () => runAction(workshop, inputsFor(workshop)),
  );
});

test('GitHub is tried again with the same token, and nothing stays behind', async () => {
  const workshop = await openWorkshop();
  workshop.failOnce('gh');
  const ended = await runAction(workshop, inputsFor(workshop));
  expect(ended.code, ended.stderr).toBe(0);
  const secret = workshop.readStored(STORED) ?? '';
  await expectDelivered(workshop, secret);
  expect(workshop.countPosts()).toBe(1);
  expectUntraced(workshop, secret, [ended], [`stores/${STORED}`]);
});

async function setUp(more: Values, releases: string) {
  const folder = createFolder();
  const env = {
    PATH: process.env['PATH'] ?? '',
    RUNNER_TEMP: folder,
    GITHUB_PATH: join(folder, 'path'),
    RUNNER_OS: 'Linux',
    RUNNER_ARCH: 'X64',
    ORGCTL_VERSION: 'v1.2.3',
    ORGCTL_RELEASES: `${releases}/acme/orgctl/releases/download`,
    ...more,
  };
  return { folder, ...(await start(join(ACTIONS, 'setup', 'setup.sh'), [], { env }).ended) };
}

test.each([
  ['Linux', 'ARM64', 'linux-arm64'],
  ['macOS', 'ARM64', 'darwin-arm64'],
  ['Windows', 'X64', 'windows-x64'],
])('on %s %s the executable for %s is fetched', async (system, processor, machine) => {
  const name = `orgctl-1.2.3-${machine}`;
  const releases = await startReleases(name);
  const { code, stdout, folder } = await setUp({ RUNNER_OS: system, RUNNER_ARCH: processor }, releases);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(readFileSync(join(folder, 'path'), 'utf8')).toBe(`${join(folder, name)}\n`);
  const env = { REAL_ORGCTL: '/bin/echo' };
  expect(spawnSync(join(folder, name, 'orgctl'), ['ran'], { env, encoding: 'utf8' }).stdout).toBe('ran\n');
});

test.each([
  ['of a commit', { ORGCTL_VERSION: '0123abc' }, "'0123abc' is no version"],
  ['of another version', { ORGCTL_VERSION: '1.2.4' }, "can't fetch"],
  ['for another processor', { RUNNER_ARCH: 'X86' }, 'there is no executable for X86'],
])('%s nothing is put on the path, and the log says why', async (_name, more, why) => {
  const { code, stdout, folder } = await setUp(more, await startReleases());
  expect(code).toBe(1);
  expect(stdout).toContain(`::error::orgctl: ${why}`);
  expect(() => readFileSync(join(folder, 'path'))).toThrow('ENOENT');
});

test('an archive with another sum is neither unpacked nor put on the path', async () => {
  const { code, stdout, folder } = await setUp({}, await startReleases(undefined, '0'.repeat(64)));
  expect([code, stdout]).toEqual([1, expect.stringContaining('is not what SHA256SUMS says')]);
  const unpacked = join(folder, 'orgctl-1.2.3-linux-x64', 'orgctl');
  expect(() => readFileSync(unpacked)).toThrow('ENOENT');
});
