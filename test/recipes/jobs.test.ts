import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createFolder } from '../support/files.ts';
import { answer, startScripted } from '../support/scripted.ts';
import { ROOT, start } from '../support/shipped.ts';
import { fillIn, openWorkshop, readRecipe, type Step, type Values, type Workshop } from './workshop.ts';

/** The jobs for CI systems, by their very lines. Each stores the new token, though the store fails once. */

const ACTIONS = join(ROOT, '.github', 'actions');
const readAction = (name: string) => parse(readFileSync(join(ACTIONS, name, 'action.yml'), 'utf8'));
// Plain JavaScript, without types.
const { toArchive } = await import(pathToFileURL(join(ROOT, '.github', 'release', 'archive.mjs')).href);
const EXPRESSION = /\$\{\{ (.+?) \}\}/g;
const NAME = 'orgctl-1.2.3-linux-x64';

/** Pages of releases with one archive; `sum` replaces the true one. */
async function startReleases(name = NAME, sum?: string): Promise<string> {
  const program = '#!/bin/sh\nexec "$REAL_ORGCTL" "$@"\n';
  const archive = toArchive({ [`${name}/orgctl`]: { content: program, mode: 0o755 } });
  const sums = `${sum ?? createHash('sha256').update(archive).digest('hex')}  ${name}.tar.gz\n`;
  const pages = new Map([
    ['/acme/orgctl/releases/download/v1.2.3/SHA256SUMS', Buffer.from(sums)],
    [`/acme/orgctl/releases/download/v1.2.3/${name}.tar.gz`, archive],
  ]);
  const { origin } = await startScripted((socket, request) => {
    const page = pages.get(request.target);
    return answer(page === undefined ? 404 : 200, page ?? '')(socket, request);
  });
  return origin;
}

function readScriptOfJenkins(): string {
  const scripts = [...readRecipe('Jenkinsfile').matchAll(/^ *sh '''\n([^']*(?:'[^']+)*)'''$/gm)];
  expect(scripts).toHaveLength(1);
  return scripts[0]?.[1] ?? '';
}

const RUNNER = { CI: 'true', GITHUB_ACTIONS: 'true' };

/** A run on a machine that is new but for the secret stores. */
const JOBS: Record<string, (workshop: Workshop) => ReturnType<Workshop['runSteps']>> = {
  'github-actions.yml with gh': async ({ owner, at, env: machine, runSteps }) => {
    const { env, steps } = parse(readRecipe('github-actions.yml')).jobs.rotate;
    const values = {
      'secrets.AUDIT_TOKEN': 'ended',
      'secrets.ORGCTL_TOKEN': owner,
      'secrets.SECRETS_WRITER': 'github-writer',
      'github.repository': 'acme/siem',
      'runner.temp': at('tmp'),
      'vars.ORGCTL_PACKAGE': machine['ORGCTL_PACKAGE'] ?? '',
      'vars.ORGCTL_SHA256': machine['ORGCTL_SHA256'] ?? '',
    };
    return await runSteps(steps, { ...RUNNER, ...env, RUNNER_TEMP: at('tmp') }, (text) =>
      fillIn(text, EXPRESSION, values),
    );
  },
  'the action with gh': async ({ owner, at, env, service, runSteps, write }) => {
    const { inputs, runs } = readAction('rotate-audit-token');
    const given: Values = { organization: 'acme', token: owner, 'secrets-writer': 'writer', 'base-url': service.url };
    const usual = Object.entries<{ default?: string }>(inputs).map(([name, input]) => [
      `inputs.${name}`,
      given[name] ?? input.default ?? '',
    ]);
    const values: Values = {
      ...Object.fromEntries(usual),
      'inputs.version || github.action_ref': 'v1.2.3',
      'github.server_url': await startReleases(),
      'github.action_repository': 'acme/orgctl',
      'github.repository': 'acme/siem',
      'runner.temp': at('tmp'),
    };
    const runner = {
      ...RUNNER,
      GITHUB_ACTION_PATH: join(ACTIONS, 'rotate-audit-token'),
      GITHUB_PATH: write('path', ''),
      RUNNER_TEMP: at('tmp'),
      RUNNER_OS: 'Linux',
      RUNNER_ARCH: 'X64',
      REAL_ORGCTL: at('bin/orgctl'),
      PATH: `${at('bin')}:${join(at('tmp'), NAME)}:${env.PATH}`,
    };
    const ended = await runSteps(runs.steps, runner, (text) => fillIn(text, EXPRESSION, values));
    expect(readFileSync(at('path'), 'utf8')).toBe(`${join(at('tmp'), NAME)}\n`);
    return ended;
  },
  'azure-pipelines.yml with az': async ({ owner, runSteps, write }) => {
    write('bin/az.stored', 'replace-me');
    const { variables, jobs } = parse(readRecipe('azure-pipelines.yml'));
    const steps = jobs[0].steps.map(
      ({ bash, env, inputs }: { bash?: string; env?: Values; inputs?: Values }): Step => ({
        run: bash ?? inputs?.['inlineScript'],
        ...(env === undefined ? {} : { env }),
      }),
    );
    return await runSteps(steps, variables, (text) => fillIn(text, /\$\((\w+)\)/g, { ORGCTL_TOKEN: owner }));
  },
  'Jenkinsfile with vault': async ({ at, runSteps }) =>
    await runSteps([{ run: readScriptOfJenkins() }], { IF_DUE: '', ORGCTL_STATE_DIR: at('state') }),
};

test.each(Object.entries(JOBS))('%s stores the token in force, and shows it to nobody', async (name, run) => {
  const program = name.split(' ').at(-1) ?? '';
  const workshop = await openWorkshop();
  workshop.failOnce(program);
  workshop.expectStored(program, await run(workshop));
});

test('gitlab-ci.yml stores the token in force, and shows it to nobody', async () => {
  const workshop = await openWorkshop();
  const { env, write, service, folder } = workshop;
  let calls = 0;
  // GitLab's answer holds the value.
  const gitlab = await startScripted(async (socket, request) => {
    const { method, target, headers, body } = request;
    const sent = [method, target, headers.get('private-token')];
    expect(sent).toEqual(['PUT', '/projects/42/variables/AUDIT_TOKEN', 'writer']);
    const type = { 'content-type': headers.get('content-type') ?? '' };
    const value = String((await new Response(body, { headers: type }).formData()).get('value'));
    write('bin/gitlab.stored', value);
    calls += 1;
    await answer(calls === 1 ? 403 : 200, { value })(socket, request);
  });
  const { variables, before_script, script } = parse(readRecipe('gitlab-ci.yml'))['rotate-audit-token'];
  const ci = { CI_API_V4_URL: gitlab.origin, CI_PROJECT_ID: '42', VARIABLES_WRITER: 'writer' };
  const job = { ...env, CI: 'true', ...variables, ...ci, AUDIT_TOKEN: write('AUDIT_TOKEN', 'replace-me') };
  workshop.expectStored('gitlab', await workshop.runSteps([{ run: [...before_script, ...script].join('\n') }], job));
  expect([calls, workshop.readCalls('curl')]).toEqual([2, expect.not.stringContaining(service.secretOf() ?? folder)]);
});

const INSTALLS: [recipe: string, flags: string, read: (recipe: ReturnType<typeof parse>) => string][] = [
  ['github-actions.yml', '-eo pipefail', ({ jobs }) => jobs.rotate.steps[1].run],
  ['gitlab-ci.yml', '-eo pipefail', (recipe) => recipe['rotate-audit-token'].before_script.join('\n')],
  ['azure-pipelines.yml', '', ({ jobs }) => jobs[0].steps[2].bash],
];

describe.each(INSTALLS)('%s installs', (recipe, flags, read) => {
  const install = async (more: Values = {}) => {
    const { run, write, readCalls } = await openWorkshop();
    const script = write('install.sh', read(parse(readRecipe(recipe))));
    const { code } = await run('bash', [...flags.split(' ').filter(Boolean), script], more).ended;
    return [code === 0, readCalls('npm').split('\n')[0]];
  };
  const INSTALLED = [true, expect.stringMatching(/^npm install --global --ignore-scripts \/.*\/orgctl.tgz$/)];

  test('the package that is named', async () => {
    expect(await install()).toEqual(INSTALLED);
    const { origin } = await startScripted((socket, request) =>
      answer(request.target === '/a.tgz' ? 200 : 404, 'package')(socket, request),
    );
    expect(await install({ ORGCTL_PACKAGE: `${origin}/a.tgz` })).toEqual(INSTALLED);
  });

  test.each<Values>([{ ORGCTL_SHA256: '0'.repeat(64) }, { ORGCTL_SHA256: '' }, { ORGCTL_PACKAGE: 'orgctl' }])(
    'nothing with %j',
    async (more) => {
      expect(await install(more)).toEqual([false, '']);
    },
  );
});

// Without PowerShell, bash reads the line once what differs is written as there.
test('the command of github-actions-windows.yml rotates', async () => {
  const steps: Step[] = parse(readRecipe('github-actions-windows.yml')).jobs.rotate.steps;
  const [line = ''] = /^ *orgctl [^}]*/m.exec(steps.find(({ name }) => name === 'rotate')?.run ?? '') ?? [];
  const workshop = await openWorkshop();
  const run = line.replaceAll('`\n', '\\\n').replaceAll('$env:', '$');
  mkdirSync(workshop.at('runner'));
  const ended = await workshop.runSteps([{ run }, { run: 'rm -r "$RUNNER_TEMP"' }], {
    RUNNER_TEMP: workshop.at('runner'),
  });
  workshop.expectStored('gh', ended);
});

test.each(['github-actions.yml', 'github-actions-windows.yml', 'rotate-audit-token', 'setup'])(
  '%s puts no expression into a script, and one step alone sees the stored token',
  (name) => {
    const steps: Step[] = name.endsWith('.yml')
      ? parse(readRecipe(name)).jobs.rotate.steps
      : readAction(name).runs.steps;
    expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([]);
    const handing = steps.filter(({ env }) => env?.['AUDIT_TOKEN'] !== undefined);
    expect(handing.map((step) => step.name)).toEqual(name === 'setup' ? [] : ['hand over the stored token']);
  },
);

describe('the action setup', () => {
  async function setUp(more: Values, releases: string) {
    const folder = createFolder();
    const env = {
      PATH: process.env.PATH ?? '',
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
  ])('on %s %s fetches the executable for %s', async (system, processor, machine) => {
    const name = `orgctl-1.2.3-${machine}`;
    const ended = await setUp({ RUNNER_OS: system, RUNNER_ARCH: processor }, await startReleases(name));
    expect([ended.code, ended.stdout]).toEqual([0, '']);
    expect(readFileSync(join(ended.folder, 'path'), 'utf8')).toBe(`${join(ended.folder, name)}\n`);
    expect(readFileSync(join(ended.folder, name, 'orgctl'), 'utf8')).toContain('exec');
  });

  test.each([
    ['of a commit', { ORGCTL_VERSION: '0123abc' }, undefined, "'0123abc' is no version"],
    ['of another version', { ORGCTL_VERSION: '1.2.4' }, undefined, "can't fetch"],
    ['for another processor', { RUNNER_ARCH: 'X86' }, undefined, 'there is no executable for X86'],
    ['with another sum', {}, '0'.repeat(64), `${NAME}.tar.gz is not what SHA256SUMS says`],
  ])('%s puts nothing on the path, and says why', async (_name, more, sum, why) => {
    const { code, stdout, folder } = await setUp(more, await startReleases(NAME, sum));
    expect([code, stdout]).toEqual([1, expect.stringContaining(`::error::orgctl: ${why}`)]);
    for (const path of ['path', `${NAME}/orgctl`]) expect(() => readFileSync(join(folder, path))).toThrow('ENOENT');
  });
});
