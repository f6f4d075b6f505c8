import { describe, expect, test } from 'vitest';
import { expectUntraced, openWorkshop, readRecipe, readResult, toRecipePath, type Workshop } from './workshop.ts';

/** The scripts that bring the token to a secret store, on a machine that stays. */

const SCRIPTS: readonly [Script, ...Script[]] = [
  { name: 'vault.sh', program: 'vault', place: 'vault/secret/hcp-terraform/audit/token' },
  { name: 'aws-secrets-manager.sh', program: 'aws', place: 'aws/hcp-terraform/audit' },
  { name: 'azure-key-vault.sh', program: 'az', place: 'az/acme-secrets/audit-token' },
  { name: 'kubernetes.sh', program: 'kubectl', place: 'kubectl/siem/audit-token/token' },
  { name: 'github-secret.sh', program: 'gh', place: 'gh/acme/siem/AUDIT_TOKEN' },
  { name: 'gitlab-variable.sh', program: 'glab', place: 'glab/acme/siem/AUDIT_TOKEN' },
];

interface Script {
  readonly name: string;
  readonly program: string;
  readonly place: string;
}

/** The ways to call a script that its head tells of, as printed there. */
function readUses(name: string): { readonly now: string; readonly daily: string; readonly look: string } {
  const [now = '', daily = '', look = ''] = [
    ...readRecipe(name).matchAll(/^# {3}(sh \S+(?: -\S+(?: \w+)?)?) {2,}/gm),
  ].map(([, line = '']) => line);
  return { now, daily, look };
}

async function run(workshop: Workshop, name: string, line: string) {
  const env = { ...workshop.env, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: workshop.owner };
  return await workshop.run('sh', ['-c', line.replace(name, toRecipePath(name))], env);
}

describe.each(SCRIPTS)('$name', ({ name, program, place }) => {
  const { now, daily, look } = readUses(name);

  test('says how to use it', () => {
    expect({ now, daily, look }).toEqual({
      now: `sh ${name}`,
      daily: `sh ${name} --if-expires-within 30d`,
      look: `sh ${name} --dry-run`,
    });
  });

  test('stores the token in force, shows it to nobody, and leaves it alone while there is time', async () => {
    const workshop = await openWorkshop();
    const first = await run(workshop, name, now);
    expect(first.code, first.stderr).toBe(0);
    const secret = workshop.readStored(place) ?? '';
    expect(secret).toMatch(/^sandbox\.\S+$/);
    expect(await workshop.isInForce(secret)).toBe(true);
    expect(readResult(first)).toEqual({ id: await workshop.readTokenId(), changed: true });

    const calls = workshop.readCalls();
    const second = await run(workshop, name, daily);
    expect(second.code, second.stderr).toBe(0);
    expect(readResult(second)).toEqual({ id: await workshop.readTokenId(), changed: false });
    expect([workshop.countPosts(), workshop.readCalls()]).toEqual([1, calls]);
    expectUntraced(workshop, secret, [first, second], [`stores/${place}`]);
  });

  test('tries the store again with the same token, and hides what the store says', async () => {
    const workshop = await openWorkshop();
    workshop.failOnce(program);
    const ended = await run(workshop, name, now);
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stderr).toContain('the store is not there for [removed]');
    const secret = workshop.readStored(place) ?? '';
    expect([workshop.countPosts(), await workshop.isInForce(secret)]).toEqual([1, true]);
    expectUntraced(workshop, secret, [ended], [`stores/${place}`]);
  });

  test('tells what it would do, and does nothing', async () => {
    const workshop = await openWorkshop();
    const id = await workshop.readTokenId();
    const { code, stdout, stderr } = await run(workshop, name, look);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^planned\t.*\n$/);
    expect([workshop.countPosts(), workshop.readCalls(), await workshop.readTokenId()]).toEqual([0, [], id]);
  });
});

/** Beside the command that stores, they are the same script. */
test('the scripts differ in nothing but their store', () => {
  const bodies = SCRIPTS.map(({ name }) =>
    readRecipe(name)
      .replace(/^#.*\n/gm, '')
      .replace(/^ {4}--to .*\n/m, ''),
  );
  expect(new Set(bodies).size).toBe(1);
});

describe('each of them', () => {
  const [{ name, place }] = SCRIPTS;
  const { now, daily } = readUses(name);

  test('finds out what became of a request without an answer', async () => {
    const fault = 'POST authentication-token: nth=1 reset-after-commit';
    const workshop = await openWorkshop(['--document-only', '--fault', fault]);
    const ended = await run(workshop, name, now);
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stderr).toContain("unknown whether acme's audit trail token was replaced");
    expect(workshop.countPosts()).toBe(2);
    expect(workshop.readStored(place)).toMatch(/^sandbox\.\S+$/);
  });

  test('notices that somebody else replaced the token', async () => {
    const workshop = await openWorkshop();
    expect((await run(workshop, name, now)).code).toBe(0);
    await workshop.replaceToken();
    const ended = await run(workshop, name, daily);
    expect({ code: ended.code, posts: workshop.countPosts() }, ended.stderr).toEqual({ code: 13, posts: 1 });
    expect((await run(workshop, name, now)).code).toBe(0);
    expect(await workshop.isInForce(workshop.readStored(place) ?? '')).toBe(true);
  });

  test('without memory and with time left it asks for a person', async () => {
    const workshop = await openWorkshop();
    const { code, stderr } = await run(workshop, name, daily);
    expect({ code, posts: workshop.countPosts() }, stderr).toEqual({ code: 13, posts: 0 });
  });
});
