import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { expectDelivered, expectRotation, fillIn, runSteps, type Step } from './job.ts';
import { expectUntraced, openWorkshop, readRecipe, type Workshop } from './workshop.ts';

interface Pipeline {
  readonly trigger: string;
  readonly variables: Values;
  readonly jobs: readonly [{ readonly steps: readonly PipelineStep[] }];
}

type Values = Readonly<Record<string, string>>;

interface PipelineStep {
  readonly bash?: string;
  readonly task?: string;
  readonly displayName?: string;
  readonly env?: Values;
  readonly inputs?: Values;
}

const pipeline = parse(readRecipe('azure-pipelines.yml')) as Pipeline;
const STORED = 'az/acme-secrets/audit-token';

async function runPipeline(workshop: Workshop) {
  const variables = { ORGCTL_TOKEN: workshop.owner };
  const steps = pipeline.jobs[0].steps.flatMap(
    ({ bash, task, displayName: name = '', env = {}, inputs }): readonly Step[] => {
      const script = bash ?? (task?.startsWith('AzureCLI@') === true ? inputs?.['inlineScript'] : undefined);
      if (script === undefined) return [];
      const handed = Object.entries(env).map(([key, text]) => [key, fillIn(text, /\$\((\w+)\)/g, variables)]);
      return [{ name, script, shell: ['bash'], env: { ...pipeline.variables, ...Object.fromEntries(handed) } }];
    },
  );
  return await runSteps(workshop, steps);
}

/** The vault holds something from the start, as the recipe asks for. */
async function openAzure(flags: readonly string[] = []): Promise<Workshop> {
  const workshop = await openWorkshop(flags);
  workshop.store(STORED, 'replace-me');
  return workshop;
}

test('hands over the secret variable and no more', () => {
  const handed = pipeline.jobs[0].steps.flatMap(({ env = {} }) => Object.entries(env));
  expect(handed).toEqual([['ORGCTL_TOKEN', '$(ORGCTL_TOKEN)']]);
  expect(Object.keys(pipeline.variables)).not.toContain('ORGCTL_TOKEN');
  expect(pipeline.trigger).toBe('none');
});

test('stores the token in force, shows it to nobody, and leaves it alone while there is time', async () => {
  const workshop = await openAzure();
  await expectRotation(
    workshop,
    () => workshop.readStored(STORED),
    [`stores/${STORED}`],
    () => runPipeline(workshop),
  );
});

test('tries the vault again with the same token', async () => {
  const workshop = await openAzure();
  workshop.failOnce('az');
  const ended = await runPipeline(workshop);
  expect(ended.code, ended.stderr).toBe(0);
  const secret = workshop.readStored(STORED) ?? '';
  await expectDelivered(workshop, secret);
  expect(workshop.countPosts()).toBe(1);
  expectUntraced(workshop, secret, [ended], [`stores/${STORED}`]);
});

test("after a run that lost its token, and after somebody else's, the next one makes another", async () => {
  const workshop = await openAzure();
  expect((await runPipeline(workshop)).code).toBe(0);
  await workshop.replaceToken();
  const ended = await runPipeline(workshop);
  expect(ended.code, ended.stderr).toBe(0);
  await expectDelivered(workshop, workshop.readStored(STORED));
});

test('replaces nothing while the vault cannot be read', async () => {
  const workshop = await openWorkshop();
  const ended = await runPipeline(workshop);
  expect(ended.code).not.toBe(0);
  expect(workshop.countPosts()).toBe(0);
});
