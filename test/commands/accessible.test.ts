import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFolder } from '../support/files.ts';
import { createNames } from '../support/names.ts';
import { type RunOptions, toText } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

/** At a terminal, without colours. Ids have names in what comes back. */
async function run(argv: string, { env, ...options }: RunOptions = {}) {
  const service = await startService();
  const { plain } = await createNames(service.sandbox);
  const tty = { stdout: true };
  const result = await service.run(argv.split(' '), { tty, env: { NO_COLOR: '1', ...env }, ...options });
  return { ...result, stdout: plain(result.stdout), stderr: plain(result.stderr) };
}

const MEMBERS = toText(
  'EMAIL: olive.owner@example.com',
  'STATUS: active',
  'TEAMS: owners',
  'USER: olive-owner',
  'ID: ou-olive',
  '',
  'EMAIL: milo.member@example.com',
  'STATUS: active',
  'TEAMS: audit',
  'USER: milo-member',
  'ID: ou-milo',
);

describe('for screen readers', () => {
  test.each([
    { name: '--accessible', argv: ' --accessible', env: {} },
    { name: 'ORGCTL_ACCESSIBLE', argv: '', env: { ORGCTL_ACCESSIBLE: '1' } },
  ])('a list is a paragraph a row with $name, however wide the terminal', async ({ argv, env }) => {
    for (const columns of [20, 80, 0, 1000]) {
      expect(await run(`members list --limit 2${argv}`, { env, columns })).toEqual({
        code: 0,
        stdout: MEMBERS,
        stderr: '',
      });
    }
  });

  test('the setting is kept, and the variable overrules it', async () => {
    const home = createFolder();
    mkdirSync(join(home, 'config'));
    writeFileSync(join(home, 'config', 'config.json'), '{"accessible":true}');
    expect((await run('members list --limit 2', { home })).stdout).toBe(MEMBERS);
    const { stdout } = await run('members list --limit 2', { home, env: { ORGCTL_ACCESSIBLE: '0' } });
    expect(stdout).toMatch(/^EMAIL +STATUS /);
  });

  test('one thing is a line a field', async () => {
    const { code, stdout } = await run('members show olive.owner@example.com --fields id,status --accessible');
    expect({ code, stdout }).toEqual({ code: 0, stdout: toText('id: ou-olive', 'status: active') });
  });

  test.each(['tsv', 'csv', 'json', 'ndjson', 'markdown'])('%s stays as it is', async (format) => {
    const plain = await run(`members list -o ${format}`);
    expect(plain.stdout).not.toBe('');
    expect(await run(`members list -o ${format} --accessible`)).toEqual(plain);
  });

  test('an error has words in place of signs', () =>
    transcript()`
      $ members show nobody@example.com --accessible
      ! orgctl: no member or invitation in acme for nobody@example.com
      !   hint: See who is there:
      !   run: orgctl --org acme members list
      = 5
    `);

  test('so has what to run next', async () => {
    const { stderr } = await run('members list --accessible', { env: { ORGCTL_TOKEN: '' } });
    expect(stderr).toContain('\n  run: orgctl auth login\n');
    expect(stderr).not.toMatch(/→|\$ /);
  });

  test('a plan has them too', () =>
    transcript({
      tty: { stdout: true },
      env: { NO_COLOR: '1' },
      stdin: toText(
        'members:',
        '- {email: olive.owner@example.com, teams: [owners]}',
        '- {email: ada.auditor@example.com, teams: [platform]}',
        '- {email: ana@example.com, teams: [platform]}',
      ),
    })`
      $ members plan --file - --accessible
      invite ana@example.com (platform)
      ada.auditor@example.com: add to platform
      leave milo.member@example.com: not in the roster
      leave tara.team-manager@example.com: not in the roster
      leave rex.registry-manager@example.com: not in the roster
      leave ivan.invitee@example.com: not in the roster
      leave ada.auditor@example.com in audit: not in their row (--prune-teams removes)
      ! Plan for acme from stdin: 1 to invite, 1 team change; 1 unchanged, 4 not in the roster, 1 also in other teams.
      ! orgctl: acme differs from stdin
      !   hint: Apply the plan with members apply, which asks first.
      = 13
      $ members apply --file - --prune --max-removals 1 --yes --accessible
      ! orgctl: stdin would remove 4 people from acme; the limit is 1 (--max-removals)
      !   remove milo.member@example.com (active; audit; 2FA off)
      !   remove tara.team-manager@example.com (active; security; 2FA off)
      !   remove rex.registry-manager@example.com (active; platform; 2FA off)
      !   remove ivan.invitee@example.com (invited; platform)
      !   hint: Nothing was sent. To remove them all, add --max-removals 4.
      = 2
    `);
});
