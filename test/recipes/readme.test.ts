import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT_CODES } from '../../src/exit-codes.ts';
import { findFreePort } from '../support/ports.ts';
import { ROOT } from '../support/shipped.ts';
import { expectDelivered } from './job.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

/** What README.md says of rotations happens when a reader does it. */

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const rotating = readSection('Rotate the audit trail token');
const offline = readSection('Test your rotation job offline');

function readSection(heading: string): string {
  const [, text = ''] = readme.split(`\n## ${heading}\n`);
  const [section = ''] = text.split('\n## ');
  expect(section, heading).not.toBe('');
  return section;
}

function readBlock(section: string): string {
  const [, block = ''] = /^```sh\n([^`]+)^```$/m.exec(section) ?? [];
  expect(block).not.toBe('');
  return block;
}

function run(workshop: Workshop, line: string) {
  return workshop.run('sh', ['-c', line], { ...workshop.env, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: workshop.owner });
}

function readDelivered(workshop: Workshop): string {
  return readFileSync(join(workshop.folder, 'tmp', 'audit-token'), 'utf8');
}

describe('rotate the audit trail token', () => {
  test('the commands work, one after the other', async () => {
    const workshop = await openWorkshop();
    for (const line of readBlock(rotating).trim().split('\n')) {
      const ended = await run(workshop, line);
      expect(ended.code, `${line}\n${ended.stderr}`).toBe(0);
    }
    await expectDelivered(workshop, readDelivered(workshop));
    expect(workshop.readStored('vault/secret/hcp-terraform/audit/token')).toMatch(/^sandbox\.\S+$/);
  });

  test('every recipe it names is there', () => {
    const paths = [...rotating.matchAll(/\]\((src\/manual\/recipes\/[^)]+)\)/g)].map(([, path = '']) => path);
    expect(paths.length).toBe(11);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('its exit codes are those of orgctl', () => {
    const codes = [...rotating.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
    const { 'outcome-unknown': unknown, 'not-delivered': undelivered, attention, busy } = EXIT_CODES;
    expect(codes).toEqual([unknown, undelivered, attention, busy].map(({ code }) => code));
  });
});

describe('test your rotation job offline', () => {
  test('the script works, on another port', async () => {
    const workshop = await openWorkshop();
    const script = readBlock(offline).replaceAll('8480', String(await findFreePort()));
    // Should it fail in between, its server ends as well.
    const file = workshop.write('offline.sh', `trap 'kill $! 2> /dev/null || true' EXIT\n${script}`);
    const ended = await workshop.run('bash', ['-euo', 'pipefail', file], workshop.env);
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stderr).toContain('its secret is lost: a token is made once more');
    expect(ended.stdout).toMatch(/^acme\t\S+\t\S+\t\S+\ttrue\ttrue\n\d{4}-\S+\t\S.*\n$/);
  });

  const rows = [
    ...offline.matchAll(/^\| `(--[^`]+)` \| [^|]+ \| (\d+)(, after a second one|, nothing was replaced)?/gm),
  ].map(([, flags = '', code, more]) => ({ flags, code: Number(code), more }));

  test('its table has rows', () => {
    expect(rows.length).toBe(7);
  });

  test.each(rows)('$flags ends with $code', async ({ flags, code, more }) => {
    const words = [...flags.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
    const workshop = await openWorkshop(words);
    const before = code === 0 ? undefined : await workshop.readTokenId().catch(() => undefined);
    const line = `ORGCTL_BASE_URL=${workshop.sandboxUrl} orgctl audit-token rotate --expires 90d --to file:./audit-token`;
    const ended = await run(workshop, line);
    expect(ended.code, ended.stderr).toBe(code);
    expect(ended.stderr.includes('once more')).toBe(more === ', after a second one' || code === 11);
    if (more === ', nothing was replaced' && before !== undefined) expect(await workshop.readTokenId()).toBe(before);
    if (code !== 0) expect(existsSync(join(workshop.folder, 'tmp', 'audit-token'))).toBe(false);
    else if (flags !== '--document-only') await expectDelivered(workshop, readDelivered(workshop));
    else expect(ended.stderr).toContain('warning: the new token could not be verified');
  });

  test('a place that refuses keeps the token for the next run', async () => {
    const workshop = await openWorkshop();
    expect(offline).toContain('`--to exec:false`');
    expect((await run(workshop, 'orgctl audit-token rotate --expires 90d --to exec:false')).code).toBe(12);
    const id = await workshop.readTokenId();
    expect((await run(workshop, 'orgctl audit-token rotate --expires 90d --to file:./audit-token')).code).toBe(0);
    expect([await workshop.readTokenId(), workshop.countPosts()]).toEqual([id, 1]);
    await expectDelivered(workshop, readDelivered(workshop));
  });
});
