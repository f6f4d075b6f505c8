import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readBlocks } from '../support/documents.ts';
import { getRecipePath, openWorkshop } from './workshop.ts';

/** Rotation into secret stores, on a machine that keeps its state. */

const STORES = readBlocks('src/help/recipes/stores.md').map(({ heading, text }) => [heading, text] as const);

test.each(STORES)('the store of %s has the token in force, and nobody sees it', async (_store, line) => {
  const workshop = await openWorkshop();
  const [, program = ''] = /\b(vault|aws|az|kubectl|gh|glab) /.exec(line) ?? [];
  workshop.failOnce(program);
  const command = line.replace('rotate.sh', `'${getRecipePath('rotate.sh')}'`);
  workshop.expectStored(program, await workshop.run('sh', ['-c', command]).ended);
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
