import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openWorkshop, readRecipe } from './workshop.ts';

/** The scripts that bring a token to a secret store, on a machine that stays. */

const SCRIPTS: readonly (readonly [script: string, program: string])[] = [
  ['vault.sh', 'vault'],
  ['aws-secrets-manager.sh', 'aws'],
  ['azure-key-vault.sh', 'az'],
  ['kubernetes.sh', 'kubectl'],
  ['github-secret.sh', 'gh'],
  ['gitlab-variable.sh', 'glab'],
];

test.each(SCRIPTS)('%s stores the token in force, and shows it to nobody', async (script, program) => {
  const workshop = await openWorkshop();
  workshop.expectStored(program, await workshop.recipe(script));
});

test('the scripts differ in nothing but their store', () => {
  const bodies = SCRIPTS.map(([script]) =>
    readRecipe(script)
      .replace(/^#.*\n/gm, '')
      .replace(/^ {4}--to .*\n/m, ''),
  );
  expect(new Set(bodies).size).toBe(1);
});

test('a store that fails once gets the same token again', async () => {
  const workshop = await openWorkshop();
  workshop.failOnce('vault');
  workshop.expectStored('vault', await workshop.recipe('vault.sh'));
});

test('team-token.sh stores a new token of the team, and deletes the old one', async () => {
  const workshop = await openWorkshop();
  workshop.failOnce('gh');
  const { code, stderr } = await workshop.recipe('team-token.sh');
  expect(code, stderr).toBe(0);
  const authorization = `Bearer ${readFileSync(workshop.at('bin/gh.stored'), 'utf8')}`;
  expect((await fetch(`${workshop.service.url}/account/details`, { headers: { authorization } })).status).toBe(200);
  const { body } = await workshop.service.ask('GET', '/organizations/acme/team-tokens?q=platform');
  const { data } = body as { data: { attributes: { description: string } }[] };
  const descriptions = data.map(({ attributes }) => attributes.description).filter((each) => each.startsWith('ci'));
  expect(descriptions).toEqual([expect.stringMatching(/^ci \d{4}-\d\d-\d\d-[0-9a-f]{16}$/)]);
});
