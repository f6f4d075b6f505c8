import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectDelivered, expectRotation, runSteps } from './job.ts';
import { expectUntraced, openWorkshop, readRecipe, readResult, type Workshop } from './workshop.ts';

const text = readRecipe('Jenkinsfile');
const STORED = 'vault/secret/hcp-terraform/audit/token';

/** Groovy leaves such a text as it is, but for backslashes: there are none. */
function readScript(): string {
  const scripts = [...text.matchAll(/^ *sh '''\n([^']*(?:'[^']+)*)'''$/gm)].map(([, script = '']) => script);
  expect(scripts.length).toBe(1);
  expect(scripts[0]).not.toContain('\\');
  return scripts[0] ?? '';
}

function readEnvironment(workshop: Workshop): Readonly<Record<string, string>> {
  const [, block = ''] = /\n {2}environment \{\n([^}]+)\}/.exec(text) ?? [];
  const entries = [...block.matchAll(/^ +(\w+) = '([^']*)'$/gm)].map(([, name = '', value = '']) => [
    name,
    value.startsWith('/') ? join(workshop.folder, value) : value,
  ]);
  expect(entries.length).toBeGreaterThan(0);
  return Object.fromEntries(entries) as Readonly<Record<string, string>>;
}

async function build(workshop: Workshop, parameter?: string) {
  const [, usual = ''] = /name: 'IF_DUE', defaultValue: '([^']*)'/.exec(text) ?? [];
  const env = {
    CI: 'true',
    ...readEnvironment(workshop),
    IF_DUE: parameter ?? usual,
    ORGCTL_TOKEN: workshop.owner,
    VAULT_TOKEN: 'vault-writer',
  };
  // As the step sh does, which shows every command.
  return await runSteps(workshop, [{ name: 'sh', shell: ['sh', '-xe'], script: readScript(), env }]);
}

test('is in a text that Groovy puts nothing into, with every credential from withCredentials', () => {
  expect(text).not.toContain('"""');
  expect([...text.matchAll(/variable: '(\w+)'/g)].map(([, name]) => name)).toEqual(['ORGCTL_TOKEN', 'VAULT_TOKEN']);
});

test('stores the token in force, shows it to nobody, and leaves it alone while there is time', async () => {
  const workshop = await openWorkshop();
  await expectRotation(
    workshop,
    () => workshop.readStored(STORED),
    [`stores/${STORED}`],
    (run) => build(workshop, run === 'first' ? '' : undefined),
  );
});

test('a token that did not reach Vault waits for the next build', async () => {
  const workshop = await openWorkshop();
  workshop.breakDown('vault');
  const first = await build(workshop, '');
  expect(first.code, first.stderr).toBe(12);
  expect(first.stderr).not.toContain('in a CI job the recovery file dies');
  const id = await workshop.readTokenId();
  workshop.repair('vault');
  const second = await build(workshop);
  expect(second.code, second.stderr).toBe(0);
  expect(readResult(second)).toEqual({ id, changed: true });
  const secret = workshop.readStored(STORED) ?? '';
  await expectDelivered(workshop, secret);
  expect(workshop.countPosts()).toBe(1);
  expectUntraced(workshop, secret, [first, second], [`stores/${STORED}`]);
});

test('the first build asks for a person', async () => {
  const workshop = await openWorkshop();
  expect((await build(workshop)).code).toBe(13);
  expect(workshop.countPosts()).toBe(0);
});
