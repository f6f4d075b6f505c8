import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT_CODES } from '../../src/old/exit-codes.ts';
import { readBlocks, readDocument } from '../support/documents.ts';
import { findFreePort } from '../support/ports.ts';
import { ROOT } from '../support/shipped.ts';
import { expectDelivered } from './job.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

/** What the topics say of rotations happens when a reader does it. */

const rotation = readDocument('src/old/manual/rotation.md');
const sandbox = readDocument('src/old/manual/sandbox.md');
const [rotating] = readBlocks('src/old/manual/rotation.md');
const [script = ''] = readBlocks('src/old/manual/sandbox.md')
  .filter(({ heading }) => heading === 'Test a rotation job')
  .map(({ text }) => text);

function run(workshop: Workshop, line: string) {
  return workshop.run('sh', ['-c', line], { ...workshop.env, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: workshop.owner });
}

function readDelivered(workshop: Workshop): string {
  return readFileSync(join(workshop.folder, 'tmp', 'audit-token'), 'utf8');
}

describe('rotation', () => {
  test('the commands work, one after the other', async () => {
    const workshop = await openWorkshop();
    for (const line of rotating?.text.trim().split('\n') ?? []) {
      const ended = await run(workshop, line);
      expect(ended.code, `${line}\n${ended.stderr}`).toBe(0);
    }
    await expectDelivered(workshop, readDelivered(workshop));
    expect(workshop.readStored('vault/secret/hcp-terraform/audit/token')).toMatch(/^sandbox\.\S+$/);
  });

  test('every recipe it names is there', () => {
    const paths = [...rotation.matchAll(/\]\((recipes\/[^)]+)\)/g)].map(([, path = '']) => path);
    expect(paths.length).toBe(21);
    expect(paths.filter((path) => !existsSync(join(ROOT, 'src', 'help', path)))).toEqual([]);
  });

  test('its exit codes are those of orgctl', () => {
    const codes = [...rotation.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
    const { 'outcome-unknown': unknown, 'not-delivered': undelivered, attention, busy } = EXIT_CODES;
    expect(codes).toEqual([unknown, undelivered, attention, busy].map(({ code }) => code));
  });
});

describe('test a rotation job', () => {
  test('the script works, on another port', async () => {
    const workshop = await openWorkshop();
    const lines = script.replaceAll('8480', String(await findFreePort())).replaceAll(' --settle 1s', '');
    // Should it fail in between, its server ends as well.
    const file = workshop.write('offline.sh', `trap 'kill $! 2> /dev/null || true' EXIT\n${lines}`);
    const ended = await workshop.run('bash', ['-euo', 'pipefail', file], workshop.env);
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stderr).toContain('The token was replaced, but the secret never arrived. Creating another.');
    expect(ended.stdout).toMatch(/^acme\t\S+\t\S+\t\S+\ttrue\ttrue\n\d{4}-\S+\t\S.*\n$/);
  });

  const rows = [
    ...[...sandbox.matchAll(/^\| `([^`]+)` \| [^|]+ \| (\d+)(, after a second one|, nothing was replaced)?/gm)].map(
      ([, fault = '', code, more]) => ({
        flags: ['--fault', `POST authentication-token: ${fault}`],
        code: Number(code),
        more,
      }),
    ),
    { flags: ['--fault', 'GET authentication-token: 503'], code: 9, more: ', nothing was replaced' },
    { flags: ['--document-only'], code: 0, more: undefined },
  ];

  test('its table has rows', () => {
    expect(rows.length).toBe(7);
  });

  test.each(rows)('$flags ends with $code', async ({ flags, code, more }) => {
    const workshop = await openWorkshop(flags);
    const before = code === 0 ? undefined : await workshop.readTokenId().catch(() => undefined);
    const line = `ORGCTL_BASE_URL=${workshop.sandboxUrl} orgctl audit-token rotate --expires 90d --to file:./audit-token`;
    const ended = await run(workshop, line);
    expect(ended.code, ended.stderr).toBe(code);
    expect(/Sending the request again|Creating another/.test(ended.stderr)).toBe(
      more === ', after a second one' || code === 11,
    );
    if (more === ', nothing was replaced' && before !== undefined) expect(await workshop.readTokenId()).toBe(before);
    if (code !== 0) expect(existsSync(join(workshop.folder, 'tmp', 'audit-token'))).toBe(false);
    else if (flags[0] !== '--document-only') await expectDelivered(workshop, readDelivered(workshop));
    else expect(ended.stderr).toContain('warning: Not verified: ');
  });

  test('a place that refuses keeps the token for the next run', async () => {
    const workshop = await openWorkshop();
    expect(sandbox).toContain('`--to exec:false`');
    expect((await run(workshop, 'orgctl audit-token rotate --expires 90d --to exec:false')).code).toBe(12);
    const id = await workshop.readTokenId();
    expect((await run(workshop, 'orgctl audit-token rotate --expires 90d --to file:./audit-token')).code).toBe(0);
    expect([await workshop.readTokenId(), workshop.countPosts()]).toEqual([id, 1]);
    await expectDelivered(workshop, readDelivered(workshop));
  });
});
