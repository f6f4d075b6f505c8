import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openWorkshop, type Workshop } from './workshop.ts';

/** The scripts that tell when tokens expire. */

async function rotate({ service }: Workshop, org: string, expires: string): Promise<void> {
  const argv = ['audit-token', 'rotate', '--expires', expires, '--to', 'file:token', '--yes', '--org', org];
  expect(await service.run(argv, { now: Date.now() })).toMatchObject({ code: 0 });
}

test('github-issue.sh keeps one issue open while a token expires soon, and closes it when all is well', async () => {
  const workshop = await openWorkshop();
  const { write, recipe, readCalls, service } = workshop;
  await service.run(['audit-token', 'generate', '--org', 'initech', '--yes']);
  const watch = async (open: string, more = {}) => {
    write('bin/gh.stored', open);
    const { code } = await recipe('github-issue.sh', more, 'acme/platform');
    return code;
  };
  await rotate(workshop, 'globex', '20d');
  expect(await watch('')).toBe(13);
  expect(readFileSync(workshop.at('bin/gh.stored'), 'utf8')).toMatch(
    /^\| ORGANIZATION .*\n.*\n\| globex \| audit-trail /,
  );
  expect(await watch('7')).toBe(13);
  // A refused token says nothing of others.
  expect(await watch('7', { ORGCTL_TOKEN: 'wrong' })).toBe(4);
  await rotate(workshop, 'globex', '90d');
  expect(await watch('7')).toBe(0);
  const acts = [...readCalls('gh').matchAll(/^gh issue (?!list)(\w+(?: \d+)?)/gm)].map(([, act]) => act);
  expect(acts).toEqual(['create', 'edit 7', 'close 7']);
});

test('node-exporter.sh writes a metric for each organization, and one for each token that expires', async () => {
  const workshop = await openWorkshop();
  const folder = workshop.at('collector');
  mkdirSync(folder);
  await rotate(workshop, 'acme', '90d');
  await rotate(workshop, 'globex', '20d');
  const ended = await workshop.recipe('node-exporter.sh', {}, folder);
  expect([ended.code, ended.stdout], ended.stderr).toEqual([0, '']);
  const text = readFileSync(`${folder}/orgctl_audit_token.prom`, 'utf8');
  expect(
    text.replace(/((?:acme|globex)"\}|checked_timestamp_seconds) \d{10}$/gm, '$1 SECONDS'),
  ).toBe(`# TYPE orgctl_audit_token_status gauge
orgctl_audit_token_status{organization="acme",status="ok"} 1
orgctl_audit_token_status{organization="globex",status="expiring"} 1
orgctl_audit_token_status{organization="initech",status="not-found"} 1
# TYPE orgctl_audit_token_expiry_timestamp_seconds gauge
orgctl_audit_token_expiry_timestamp_seconds{organization="acme"} SECONDS
orgctl_audit_token_expiry_timestamp_seconds{organization="globex"} SECONDS
# TYPE orgctl_audit_token_checked_timestamp_seconds gauge
orgctl_audit_token_checked_timestamp_seconds SECONDS
`);
  expect((await workshop.recipe('node-exporter.sh', { ORGCTL_TOKEN: 'wrong' }, folder)).code).toBe(4);
  expect(readFileSync(`${folder}/orgctl_audit_token.prom`, 'utf8')).toBe(text);
  expect(readdirSync(folder)).toEqual(['orgctl_audit_token.prom']);
});
