import { expect, test } from 'vitest';
import { openWorkshop, toRecipePath } from './workshop.ts';

test('keeps one issue open while a token expires soon, and closes it when all is well', async () => {
  const workshop = await openWorkshop();
  const env = { ...workshop.env, ORGCTL_TOKEN: workshop.owner };
  const watch = async (own = env) =>
    (await workshop.run('sh', [toRecipePath('github-issue.sh'), 'acme/platform'], own)).code;
  const rotate = async (expires: string) => {
    const line = `orgctl audit-token rotate --org globex --expires ${expires} --to file:globex.token --yes`;
    expect(await workshop.run('sh', ['-c', line], env)).toMatchObject({ code: 0 });
  };
  // Of a service that is not HCP Terraform it is not known that there is none.
  await workshop.run('sh', ['-c', 'orgctl audit-token generate --org initech --yes'], env);
  const readIssue = () => workshop.readStored('gh/acme/platform/issue-7');
  expect(await watch()).toBe(0);
  expect(readIssue()).toBeUndefined();
  await rotate('20d');
  expect(await watch()).toBe(13);
  expect(readIssue()).toMatch(
    /^Tokens expire soon\n\n\| ORGANIZATION \| TOKEN \|.*\n\|.*\n\| globex \| audit-trail \| in 20 days \|.*\| expiring \|/,
  );
  const before = readIssue();
  await rotate('10d');
  expect(await watch()).toBe(13);
  expect(readIssue()).not.toBe(before);
  // Nothing is known with a token that is refused.
  expect(await watch({ ...env, ORGCTL_TOKEN: 'wrong' })).toBe(4);
  await rotate('90d');
  expect(await watch()).toBe(0);
  expect(readIssue()).toBe('closed');
  expect(workshop.readCalls().filter((call) => call.startsWith('gh issue create'))).toHaveLength(1);
});
