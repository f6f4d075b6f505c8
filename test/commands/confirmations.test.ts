import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFolder } from '../support/files.ts';
import { createNames } from '../support/names.ts';
import { AT_TERMINAL, run as plainRun, type RunOptions } from '../support/run.ts';
import { formatRequests, startService, type TestService } from '../support/service.ts';
import { RELEASE } from '../support/verbs.ts';

/** What a terminal shows: the sequences that move the cursor or clear the line are left out. */
const removeSequences = (text: string): string =>
  text.replace(/\u001b\[(?:\d*[GJK]|\?2026[hl])/g, '').replaceAll('\r\n', '\n');
async function run(argv: string, options: RunOptions, started?: TestService) {
  const service = started ?? (await startService());
  const { plain, real } = await createNames(service.sandbox);
  const result = await service.run(real(argv).split(' '), { ...options, env: { NO_COLOR: '1', ...options.env } });
  return {
    result: { ...result, stdout: plain(result.stdout), stderr: removeSequences(plain(result.stderr)) },
    requests: formatRequests(service.requests, { plain }),
  };
}

describe('who is asked', () => {
  test.each([
    'members invite dan@example.com --team audit',
    'teams create reviewers --access manage-membership',
    'teams update audit --visibility organization --name auditors',
    'providers create hashicorp/google billing',
    `providers publish billing 1.2.0 --dir ${RELEASE} --public-key ${RELEASE}/key.asc`,
  ])('nobody, by %s', async (argv) => {
    for (const options of [AT_TERMINAL, {}]) {
      const { result, requests } = await run(argv, options);
      expect([result.code, requests.some((request) => !request.startsWith('GET '))]).toEqual([0, true]);
    }
  });

  test('nobody, by auth logout', async () => {
    const home = createFolder();
    const { sandbox, url } = await startService();
    const stdin = `${sandbox.tokenFor('owner', 'acme')}\n`;
    await plainRun(['auth', 'login', '--base-url', url], { home, stdin });
    const readToken = () => readFileSync(join(home, 'config', 'credentials.json'), 'utf8').includes(stdin.trim());
    expect(readToken()).toBe(true);
    expect((await plainRun(['auth', 'logout'], { home, ...AT_TERMINAL })).code).toBe(0);
    expect(readToken()).toBe(false);
  });
});

describe('what asks', () => {
  const toReplace = (kind: string) => `acme's current ${kind} token stops working at once. Replace it?`;
  test.each([
    ['members remove ada-auditor', 'Remove ada.auditor@example.com (active; audit) from acme?'],
    [
      'members resend ou-ivan',
      'Invite ivan.invitee@example.com (platform) to acme again, and revoke what was sent before?',
    ],
    ['members invite dan@example.com --team owners', 'Invite dan@example.com as an owner of acme?'],
    ['teams remove audit ada-auditor', 'Remove ada.auditor@example.com (active; audit) from audit (acme)?'],
    [
      'teams add platform ada-auditor --from audit',
      'Move ada.auditor@example.com (active; audit) from audit to platform (acme)?',
    ],
    ['teams add owners ada-auditor', 'Add ada.auditor@example.com (active; audit) to owners (acme)?'],
    ['teams update audit --access manage-modules', 'Change audit in acme: manage-modules no → yes?'],
    ['organizations update session-timeout=60', 'Change acme: session-timeout empty → 60?'],
    ['teams delete audit', 'Delete audit (2 members, 0 tokens) from acme?'],
    ['providers delete public/hashicorp/aws', 'Delete public/hashicorp/aws from acme?'],
    ['providers delete inventory hashicorp/aws', 'Delete these 2 providers?'],
    ['audit-token generate', toReplace('audit trail')],
    ['audit-token delete', "Delete acme's audit trail token (last used today)?"],
    ['tokens delete audit-trail', "Delete acme's audit trail token (last used today)?"],
    ['tokens delete team:platform/ci', 'Delete token "ci" of team platform (last used today) in acme?'],
    ['tokens delete organization team:platform/ci', 'Delete these 2 tokens of acme?'],
    ['audit-token rotate --expires 90d --to file:token', toReplace('audit trail')],
    ['tokens rotate organization --expires 90d --to file:token', toReplace('organization')],
    [
      'tokens rotate team:platform/ci --expires 90d --to file:token',
      'Create a new token "ci" of team platform in acme, and delete the current one when it works?',
    ],
  ])('%s asks once', async (argv, question) => {
    const asked = `${question} [y/N] `;
    const act = async (more: string, options: RunOptions, service: TestService) => {
      const { result, requests } = await run(`${argv}${more}`, { columns: 200, ...options }, service);
      const isChanged = requests.some((request) => !request.startsWith('GET '));
      return [result.code, result.stderr.split(asked).length - 1, isChanged];
    };
    const [asking, another] = [await startService(), await startService()];
    expect(await act(' --quiet', { ...AT_TERMINAL, stdin: 'n\n' }, asking)).toEqual([3, 1, false]);
    expect(await act(' --dry-run', AT_TERMINAL, asking)).toEqual([0, 0, false]);
    expect(await act('', {}, asking)).toEqual([2, 0, false]);
    expect(await act('', { ...AT_TERMINAL, stdin: 'y\n' }, asking)).toEqual([0, 1, true]);
    expect(await act(' --yes', AT_TERMINAL, another)).toEqual([0, 0, true]);
  });

  test.each([
    ['y', 0],
    ['YES ', 0],
    ['yno', 3],
    ['yes please', 3],
    ['', 3],
  ])('y or yes alone is a yes, and %o exits with %i', async (answer, code) => {
    const { result } = await run('audit-token delete', { ...AT_TERMINAL, stdin: `${answer}\n` });
    expect(result.code).toBe(code);
  });

  test.each<[place: string, more: string, options: RunOptions]>([
    ['stdin is no terminal', '', { tty: { stdout: true, stderr: true } }],
    ['stderr is no terminal', '', { tty: { stdin: true, stdout: true } }],
    ['in CI', '', { ...AT_TERMINAL, env: { CI: 'true' } }],
    ['--no-input', ' --no-input', AT_TERMINAL],
    ['ORGCTL_NO_INPUT', '', { ...AT_TERMINAL, env: { ORGCTL_NO_INPUT: '1' } }],
  ])('nobody is asked where %s: 2', async (_place, more, options) => {
    const { result, requests } = await run(`members remove ada-auditor${more}`, { ...options, stdin: 'y\n' });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('this needs a confirmation: Remove ada.auditor@example.com (active; audit) from');
    expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
  });
});
