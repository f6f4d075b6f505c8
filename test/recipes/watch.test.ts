import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { fillIn, openWorkshop, readRecipe, type Step, type Workshop } from './workshop.ts';

/** The recipes that tell when tokens expire, or rules of organizations are broken. */

async function rotate({ service }: Workshop, org: string, expires: string): Promise<void> {
  const argv = ['audit-token', 'rotate', '--expires', expires, '--to', 'file:token', '--yes', '--org', org];
  expect(await service.run(argv, { now: Date.now() })).toMatchObject({ code: 0 });
}

test('github-issue.sh keeps one issue open while a token expires soon, and closes it when all is well', async () => {
  const workshop = await openWorkshop();
  const { write, recipe, readCalls, service } = workshop;
  await service.run(['audit-token', 'generate', '--org', 'initech', '--yes']);
  await service.run(['tokens', 'delete', 'team:platform/reports', '--org', 'initech', '--yes']);
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

test('gitlab-check.yml fails on what is new', async () => {
  const { service, runSteps, write, owner } = await openWorkshop();
  write('tmp/rules.yaml', 'admin-teams: [security]\naudit-trail-token: off\n');
  const { script } = parse(readRecipe('gitlab-check.yml'))['check-organizations'];
  const check = () => runSteps([{ run: script.join('\n') }], { ORGCTL_TOKEN: owner });
  expect(await check()).toMatchObject({ code: 13 });
  expect(await check()).toMatchObject({ code: 0, stdout: '' });
  await service.run(['teams', 'update', 'platform', '--access', 'manage-membership', '--yes']);
  expect(await check()).toMatchObject({ code: 13, stdout: '"acme","admin-teams","failed","platform"\n' });
});

test('github-actions-check.yml fails on what is new, and keeps the rest', async () => {
  const { service, run, runSteps, at, write, owner } = await openWorkshop();
  write('tmp/rules.yaml', 'admin-teams: [security]\naudit-trail-token: off\n');
  const git =
    'git init -q --bare ../far && git init -q -b main && git remote add origin ../far && git push -q -u origin main';
  const commit = 'git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m start';
  const prepared = await run('sh', ['-c', git.replace('git push', `${commit} && git push`)]).ended;
  expect(prepared.code, prepared.stderr).toBe(0);
  const steps: Step[] = parse(readRecipe('github-actions-check.yml')).jobs.check.steps;
  const check = async (token = owner) => {
    const step = steps.filter(({ name }) => name === 'check');
    const fill = (text: string) => fillIn(text, /\$\{\{ (.+?) \}\}/g, { 'secrets.ORGCTL_TOKEN': token });
    const { code, stdout, stderr } = await runSteps(step, {}, fill);
    const log = await run('git', ['--git-dir', at('far'), 'log', '--format=%s', 'main']).ended;
    return { code, rows: stdout.split('\n').filter(Boolean), stderr, commits: log.stdout.split('\n').length - 1 };
  };
  const first = await check();
  expect(first, first.stderr).toMatchObject({ code: 13, commits: 2 });
  expect(first.rows).toContain('"acme","two-factor-required","failed","password, no single sign-on"');
  expect(first.rows.join()).not.toMatch(/admin-teams|"ok"|"off"|gone/);
  expect(await check()).toMatchObject({ code: 0, rows: [], commits: 2 });
  await service.run(['teams', 'update', 'platform', '--access', 'manage-membership', '--yes']);
  expect(await check()).toMatchObject({ code: 13, rows: ['"acme","admin-teams","failed","platform"'], commits: 3 });
  expect(await check()).toMatchObject({ code: 0, rows: [], commits: 3 });
  service.sandbox.accept('ivan.invitee@example.com');
  await service.run(['teams', 'add', 'owners', 'ivan.invitee@example.com', '--yes']);
  const rows = ['"acme","members-without-2fa","failed","ivan.invitee@example.com"'];
  expect(await check()).toMatchObject({ code: 13, rows, commits: 4 });
  await service.run(['members', 'remove', 'milo.member@example.com', '--yes']);
  // What is better is no reason to fail.
  expect(await check()).toMatchObject({ code: 0, rows: [], commits: 5 });
  expect(await check('wrong')).toMatchObject({ code: 4, rows: [], commits: 5 });
  const gone = ['acme', 'globex', 'initech'].map((org) => `"${org}","admin-teams","gone"`);
  write('tmp/rules.yaml', 'admin-teams: off\naudit-trail-token: off\n');
  expect(await check()).toMatchObject({ code: 13, rows: gone });
  expect(await check()).toMatchObject({ code: 0, rows: [] });
  const leave = ['members', 'remove', 'olive.owner@example.com', '--org', 'globex', '--yes'];
  service.sandbox.accept('noor.newcomer@example.com');
  await service.run(['teams', 'add', 'owners', 'noor.newcomer@example.com', '--org', 'globex', '--yes']);
  expect(await service.run(leave, { as: 'org-token', org: 'globex' })).toMatchObject({ code: 0 });
  const last = await check();
  expect(last.code).toBe(13);
  expect(last.rows).toContain('"globex","owners","gone"');
  expect(last.rows.join()).not.toMatch(/"globex","[^,]*,"failed"|"acme"/);
  const manager = service.sandbox.tokenFor('team-manager', 'acme') ?? '';
  await check(manager);
  expect(await check(manager)).toMatchObject({ code: 10, rows: [] });
});
