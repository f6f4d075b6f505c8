import { expect, test } from 'vitest';
import { expectUntraced, openWorkshop, readResult, toRecipePath, type Workshop } from './workshop.ts';

/** The script that brings a team's token to a job. */

const PLACE = 'gh/acme/infrastructure/TF_API_TOKEN';

async function run(workshop: Workshop, ...more: readonly string[]) {
  const env = { ...workshop.env, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: workshop.owner };
  return await workshop.run('sh', [toRecipePath('team-token.sh'), ...more], env);
}

/** Whether the service takes it, and the descriptions of the tokens that teams have. */
async function look({ sandboxUrl, owner }: Workshop, secret: string) {
  const ask = (path: string, token: string) =>
    fetch(`${sandboxUrl}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const { data } = (await (await ask('/organizations/acme/team-tokens', owner)).json()) as {
    data: { attributes: { description: string | null } }[];
  };
  return {
    works: (await ask('/account/details', secret)).status === 200,
    descriptions: data.map(({ attributes }) => attributes.description).filter((text) => text?.startsWith('ci')),
  };
}

test('a new token is stored and works before the old one is deleted, and is left alone while there is time', async () => {
  const workshop = await openWorkshop();
  const first = await run(workshop);
  expect(first.code, first.stderr).toBe(0);
  const secret = workshop.readStored(PLACE) ?? '';
  expect(await look(workshop, secret)).toEqual({
    works: true,
    descriptions: [expect.stringMatching(/^ci \d{4}-\d\d-\d\d-[0-9a-f]{16}$/)],
  });
  expect(readResult(first)).toMatchObject({ changed: true });

  const second = await run(workshop, '--if-expires-within', '30d');
  expect(second.code, second.stderr).toBe(0);
  expect(readResult(second)).toMatchObject({ changed: false });
  expectUntraced(workshop, secret, [first, second], [`stores/${PLACE}`]);
});

test('a store that fails once leaves the old token, and the script ends with the new one stored', async () => {
  const workshop = await openWorkshop();
  workshop.failOnce('gh');
  const { code, stderr } = await run(workshop);
  expect(code, stderr).toBe(0);
  expect((await look(workshop, workshop.readStored(PLACE) ?? '')).works).toBe(true);
});
