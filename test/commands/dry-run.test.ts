import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createFolder } from '../support/files.ts';
import { startService } from '../support/service.ts';
import { WRITING } from '../support/verbs.ts';

test.each(Object.entries(WRITING))(
  '%s --dry-run asks and sends nothing, and says what would be done',
  async (words, argv) => {
    const [service, home] = [await startService(), createFolder()];
    const countWrites = () => service.requests.filter(({ method }) => method !== 'GET').length;
    const call = async (...more: string[]) =>
      await service.run([...words.split(' '), ...argv, ...more], { home, env: { PATH: process.env.PATH } });

    const said = await call('--dry-run');
    expect(said.code, said.stderr).toBe(0);
    expect(said.stdout + said.stderr).toMatch(/planned|^Would /m);
    expect(service.requests.length).toBeGreaterThan(0);

    const { stdout } = await call('--dry-run', '-o', 'json');
    for (const row of [JSON.parse(stdout)].flat()) expect(row).toMatchObject({ changed: false, result: 'planned' });

    expect([countWrites(), readdirSync(home)]).toEqual([0, []]);

    const done = await call('--yes');
    expect(done.code, done.stderr).toBe(0);
    expect(countWrites()).toBeGreaterThan(0);
  },
);
