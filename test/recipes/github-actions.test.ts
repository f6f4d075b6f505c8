import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { expectDelivered, expectRotation, fillIn, runSteps, type Step } from './job.ts';
import { expectUntraced, openWorkshop, readRecipe, readResult, type Workshop } from './workshop.ts';

interface Workflow {
  readonly permissions: object;
  readonly defaults: { readonly run: { readonly shell: string } };
  readonly concurrency: { readonly 'cancel-in-progress': boolean };
  readonly jobs: { readonly rotate: { readonly env: Values; readonly steps: readonly WorkflowStep[] } };
}

type Values = Readonly<Record<string, string>>;

interface WorkflowStep {
  readonly name?: string;
  readonly shell?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Values;
}

const workflow = parse(readRecipe('github-actions.yml')) as Workflow;
const { env: jobEnv, steps } = workflow.jobs.rotate;
const STORED = 'gh/acme/siem/AUDIT_TOKEN';

/** A run of the workflow on a machine that is new but for the secret stores. */
async function runWorkflow(workshop: Workshop) {
  const temporary = join(workshop.folder, 'runner');
  mkdirSync(temporary, { recursive: true });
  const expressions = {
    'secrets.AUDIT_TOKEN': workshop.readStored(STORED) ?? '',
    'secrets.ORGCTL_TOKEN': workshop.owner,
    'secrets.SECRETS_WRITER': 'github-writer',
    'github.repository': 'acme/siem',
    'runner.temp': temporary,
  };
  const fill = (env: Values = {}): Values =>
    Object.fromEntries(
      Object.entries(env).map(([name, text]) => [name, fillIn(text, /\$\{\{ ([\w.]+) \}\}/g, expressions)]),
    );
  const runs = steps.flatMap(({ name = '', run: script, env }): readonly Step[] => {
    if (script === undefined) return [];
    const found = { CI: 'true', GITHUB_ACTIONS: 'true', RUNNER_TEMP: temporary, ...jobEnv, ...fill(env) };
    // As the runner does where `shell: bash` is the default.
    return [{ name, script, env: found, shell: ['bash', '--noprofile', '--norc', '-eo', 'pipefail'] }];
  });
  const always = steps.flatMap(({ name = '', if: when }) => (when === 'always()' ? [name] : []));
  return await runSteps(workshop, runs, always);
}

test.each([
  ['bash', workflow],
  ['pwsh', parse(readRecipe('github-actions-windows.yml')) as Workflow],
] as const)('keeps to what GitHub is known to do, in %s', (shell, workflow) => {
  const { steps } = workflow.jobs.rotate;
  expect(workflow.permissions).toEqual({});
  expect(workflow.concurrency['cancel-in-progress']).toBe(false);
  const scripts = steps.filter((step) => step.run !== undefined);
  // An expression would put a secret into the text of a script.
  expect(workflow.defaults.run.shell).toBe(shell);
  expect(scripts.filter((step) => step.shell !== undefined || step.run?.includes('${{'))).toEqual([]);
  // The one step that sees the stored token starts no program.
  const handing = steps.filter((step) => step.env?.['AUDIT_TOKEN'] !== undefined);
  expect(handing.map((step) => step.name)).toEqual(['hand over the stored token']);
});

// PowerShell is not there: its line is read as bash reads it, once what differs is written as there.
test('the command for Windows rotates', async () => {
  const { steps } = (parse(readRecipe('github-actions-windows.yml')) as Workflow).jobs.rotate;
  const { run: script = '' } = steps.find(({ name }) => name === 'rotate') ?? {};
  const [line = ''] = /^ *orgctl [^}]*/m.exec(script) ?? [];
  const workshop = await openWorkshop();
  const env = {
    ...workshop.env,
    ...jobEnv,
    ORGCTL_TOKEN: workshop.owner,
    GH_TOKEN: 'github-writer',
    GH_REPO: 'acme/siem',
  };
  const words = line.replaceAll('`\n', '\\\n').replaceAll('$env:', '$');
  const ended = await workshop.run('bash', ['-euc', words], { ...env, RUNNER_TEMP: workshop.folder });
  expect(ended.code, ended.stderr).toBe(0);
  await expectDelivered(workshop, workshop.readStored(STORED));
});

test('stores the token in force, shows it to nobody, and leaves it alone while there is time', async () => {
  const workshop = await openWorkshop();
  await expectRotation(
    workshop,
    () => workshop.readStored(STORED),
    [`stores/${STORED}`],
    () => runWorkflow(workshop),
  );
});

test('tries GitHub again with the same token', async () => {
  const workshop = await openWorkshop();
  workshop.failOnce('gh');
  const ended = await runWorkflow(workshop);
  expect(ended.code, ended.stderr).toBe(0);
  const secret = workshop.readStored(STORED) ?? '';
  await expectDelivered(workshop, secret);
  expect(workshop.countPosts()).toBe(1);
  expectUntraced(workshop, secret, [ended], [`stores/${STORED}`]);
});

test("after a run that lost its token, and after somebody else's, the next one makes another", async () => {
  const workshop = await openWorkshop();
  expect((await runWorkflow(workshop)).code).toBe(0);
  await workshop.replaceToken();
  const ended = await runWorkflow(workshop);
  expect(ended.code, ended.stderr).toBe(0);
  expect(readResult(ended).changed).toBe(true);
  await expectDelivered(workshop, workshop.readStored(STORED));
});

test('leaves nothing behind when it fails', async () => {
  const workshop = await openWorkshop(['--fault', 'POST authentication-token: 403']);
  const ended = await runWorkflow(workshop);
  expect(ended.code, ended.stderr).toBe(6);
  expect(workshop.readStored(STORED)).toBeUndefined();
});
