import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = join(ROOT, '.github', 'workflows');

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly permissions: Readonly<Record<string, string>>;
  readonly needs?: string | readonly string[];
  readonly 'timeout-minutes': number;
  readonly strategy?: { readonly matrix: { readonly node: readonly string[] } };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: { readonly push: Readonly<Record<string, readonly string[]>> };
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const files = readdirSync(FOLDER).sort();
const textOf = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');
const read = (file: string): Workflow => parse(textOf(file)) as Workflow;
const release = read('release.yml');
const { build, publish } = release.jobs;

test('there are two', () => {
  expect(files).toEqual(['ci.yml', 'release.yml']);
});

test.each(files)('%s: actions are pinned to a commit, and the version is named beside it', (file) => {
  const lines = textOf(file)
    .split('\n')
    .filter((line) => line.includes('uses:'));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => !/uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
});

test.each(files)('%s: nothing is allowed but what a job asks for', (file) => {
  const { permissions, jobs } = read(file);
  expect(permissions).toEqual({});
  const asked = Object.entries(jobs).map(([name, job]) => [name, job.permissions]);
  expect(Object.fromEntries(asked)).toEqual(
    file === 'release.yml'
      ? {
          build: { contents: 'read' },
          publish: { 'id-token': 'write' },
          executable: { contents: 'read' },
          release: { contents: 'write', packages: 'write', attestations: 'write', 'id-token': 'write' },
        }
      : { test: { contents: 'read' }, fast: { contents: 'read' }, audit: { contents: 'read' } },
  );
  expect(Object.values(jobs).filter((job) => !(job['timeout-minutes'] > 0))).toEqual([]);
});

test.each(files)(
  '%s: no secret is handed over, no token is left on disk, and no line of shell is made of input',
  (file) => {
    expect(textOf(file)).not.toMatch(/secrets\.|_authToken/);
    const steps = Object.values(read(file).jobs).flatMap((job) => job.steps);
    // The job's own, which ends with it, and only to write the release and the image.
    const handed = steps.filter((step) => JSON.stringify(step).match(/_TOKEN\b|github\.token/));
    expect(handed.map(({ name }) => name)).toEqual(file === 'release.yml' ? ['The release', 'The image'] : []);
    const checkouts = steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout@'));
    expect(checkouts.length).toBeGreaterThan(0);
    expect(checkouts.filter((step) => step.with?.['persist-credentials'] !== false)).toEqual([]);
    expect(steps.filter(({ run = '' }) => run.includes('${{'))).toEqual([]);
  },
);

test('what runs on a push is what runs before a release, on the oldest Node and on each major', () => {
  const { jobs } = read('ci.yml');
  expect(jobs['test']?.steps.at(-1)?.run).toBe('.ci/run');
  expect(build?.steps.map(({ run }) => run)).toContain('.ci/run');
  const oldest = packageJson.engines.node.replace('>=', '');
  expect(jobs['test']?.strategy?.matrix.node).toEqual([oldest, '20', '22', '24', '26']);
});

test('the job that may publish publishes the archive that was built, with provenance, and runs nothing else', () => {
  expect(release.on.push).toEqual({ tags: ['v*.*.*'] });
  expect(publish?.needs).toEqual(['build', 'executable']);
  const runs = publish?.steps.flatMap(({ run }) => run ?? []) ?? [];
  expect(runs).toEqual([expect.stringMatching(/^npm publish .*--provenance .*\.\/orgctl-\*\.tgz$/)]);
  expect(runs[0]).toContain('--ignore-scripts');
  const actions = publish?.steps.flatMap(({ uses }) => uses?.replace(/@.*/, '') ?? []);
  expect(actions).toEqual(['actions/download-artifact', 'actions/setup-node']);
  const kept = build?.steps.find(({ uses = '' }) => uses.startsWith('actions/upload-artifact@'))?.with;
  const fetched = publish?.steps.find(({ uses = '' }) => uses.startsWith('actions/download-artifact@'))?.with;
  expect([kept?.['name'], kept?.['path']]).toEqual([fetched?.['name'], 'orgctl-*.tgz']);
});

test('the job that may write releases runs nothing that dependencies bring, on what the other jobs made', () => {
  const { release: job, executable } = release.jobs;
  expect(job?.needs).toEqual(['build', 'executable']);
  expect(JSON.stringify(job)).not.toMatch(/npm (?:ci|install|run)|npx/);
  const [, made] =
    /release\.mjs (\w+) /.exec(job?.steps.find(({ run }) => run?.includes('release.mjs'))?.run ?? '') ?? [];
  expect(made).toBe('rest');
  // What that step runs imports nothing but Node's own and files beside it.
  const script = readFileSync(join(ROOT, '.github', 'release', 'release.mjs'), 'utf8');
  const imported = [...script.matchAll(/^import .* from '(.*)';$/gm)].map(([, name]) => name);
  expect(imported.filter((name) => !name?.startsWith('node:'))).toEqual(['../../test/support/npm.mjs']);
  const kept = executable?.steps.find(({ uses = '' }) => uses.startsWith('actions/upload-artifact@'))?.with;
  expect(kept?.['path']).toBe('release/*');
});

const lineOf = (name: string): string => build?.steps.find((step) => step.name === name)?.run ?? 'exit 99';
const runLine = (line: string, cwd: string, more: Readonly<Record<string, string>>): number | null => {
  const env = { PATH: [dirname(process.execPath), process.env['PATH']].join(':'), HOME: cwd, ...more };
  return spawnSync('bash', ['-e', '-c', line], { cwd, env }).status;
};

test.each([
  [`v${packageJson.version}`, 0],
  [packageJson.version, 1],
  [`v${packageJson.version}0`, 1],
  ['v', 1],
])('a tag %s is accepted or not (%d)', (tag, status) => {
  expect(runLine(lineOf('The tag is the version'), ROOT, { GITHUB_REF_NAME: tag })).toBe(status);
});

test('the package that is published names the repository it was built in', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-release-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['package.json', 'README.md']) copyFileSync(join(ROOT, name), join(folder, name));
  const env = { GITHUB_SERVER_URL: 'https://git.example', GITHUB_REPOSITORY: 'acme/orgctl', GITHUB_REF_NAME: 'v1.2.3' };
  expect(runLine(lineOf('Name the repository'), folder, env)).toBe(0);
  const named = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(named).toEqual({
    ...packageJson,
    repository: { type: 'git', url: 'git+https://git.example/acme/orgctl.git' },
    homepage: 'https://git.example/acme/orgctl#readme',
    bugs: { url: 'https://git.example/acme/orgctl/issues' },
  });
  const findLinks = (path: string): readonly string[] =>
    [...readFileSync(path, 'utf8').matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => link);
  const page = readFileSync(join(folder, 'README.md'), 'utf8');
  expect(page).not.toContain('OWNER');
  expect(page).toContain('uses: acme/orgctl/.github/actions/rotate-audit-token@v1.2.3\n');
  expect(page).toContain('`uses: acme/orgctl/.github/actions/setup@v1.2.3`');
  expect(page).toContain('`ghcr.io/acme/orgctl`');
  expect(page).toContain('`orgctl-1.2.3-linux-x64.tar.gz`');
  const [picture, ...links] = findLinks(join(ROOT, 'README.md'));
  expect(picture).toBe('.github/demo.svg');
  expect(findLinks(join(folder, 'README.md'))).toEqual([
    'https://git.example/acme/orgctl/raw/v1.2.3/.github/demo.svg',
    ...links.map((link) => `https://git.example/acme/orgctl/blob/v1.2.3/${link}`),
  ]);
});
