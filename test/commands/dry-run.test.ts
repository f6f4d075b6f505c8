import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createFolder } from '../support/files.ts';
import { startService } from '../support/service.ts';
import { ASKING, WRITING } from '../support/verbs.ts';

describe.each(Object.entries(WRITING))('%s', (words, argv) => {
  const call = async (...more: string[]) => {
    const [service, home] = [await startService(), createFolder()];
    const env = { PATH: process.env.PATH };
    const result = await service.run([...words.split(' '), ...argv, ...more], { home, env });
    const writes = service.requests.filter(({ method }) => method !== 'GET').length;
    return { ...result, writes, files: readdirSync(home), reads: service.requests.length - writes };
  };

  test('--dry-run sends no write, asks nothing, and says what would be done', async () => {
    const { code, stdout, stderr, writes, reads } = await call('--dry-run');
    expect({ code, writes }, stderr).toEqual({ code: 0, writes: 0 });
    expect(reads).toBeGreaterThan(0);
    expect(stdout + stderr).toMatch(/planned|^Would /m);
  });

  test('--dry-run as JSON has rows whose result is planned', async () => {
    const { stdout, stderr } = await call('--dry-run', '-o', 'json');
    if (words === 'audit-token generate') return expect(stderr).toContain('Would replace');
    const rows = [JSON.parse(stdout)].flat();
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toMatchObject({ changed: false, result: 'planned' });
  });

  test('without it the write is sent', async () => {
    const { code, stderr, writes } = await call('--yes');
    expect(code, stderr).toBe(0);
    expect(writes).toBeGreaterThan(0);
  });

  test(`${ASKING.includes(words) ? 'nothing' : 'the write'} is sent where nobody can be asked`, async () => {
    const { code, stderr, writes } = await call();
    if (!ASKING.includes(words)) return expect({ code, isSent: writes > 0 }, stderr).toEqual({ code: 0, isSent: true });
    expect({ code, writes }).toEqual({ code: 2, writes: 0 });
    expect(stderr).toContain('this needs a confirmation: ');
  });
});
