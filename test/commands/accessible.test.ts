import { describe, expect, test } from 'vitest';
import { createNames } from '../support/names.ts';
import { joinLines, type RunOptions } from '../support/run.ts';
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

const MEMBERS = joinLines(
  'Email: olive.owner@example.com',
  'Status: active',
  'Teams: owners',
  'User: olive-owner',
  'ID: ou-olive',
  '',
  'Email: milo.member@example.com',
  'Status: active',
  'Teams: audit',
  'User: milo-member',
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

  test('colours are left out unless they are asked for', async () => {
    expect((await run('members list --limit 2 --accessible', { env: { NO_COLOR: '' } })).stdout).toBe(MEMBERS);
    const { stdout } = await run('members list --limit 2 --accessible', { env: { NO_COLOR: '', FORCE_COLOR: '1' } });
    expect(stdout).toContain('Status: \u001b[32mactive');
  });

  test('one thing is a line a field', async () => {
    const { code, stdout } = await run('members show olive.owner@example.com --fields id,status --accessible');
    expect({ code, stdout }).toEqual({ code: 0, stdout: joinLines('id: ou-olive', 'status: active') });
  });

  test.each(['tsv', 'csv', 'json', 'ndjson', 'markdown', 'html'])('%s stays as it is', async (format) => {
    const plain = await run(`members list -o ${format}`);
    expect(plain.stdout).not.toBe('');
    expect(await run(`members list -o ${format} --accessible`)).toEqual(plain);
  });

  test('an error has no signs', () =>
    transcript()`
      $ members show nobody@example.com --accessible
      ! orgctl: acme has no member or invitation nobody@example.com
      !   orgctl members list shows who is there.
      = 5
    `);
});
