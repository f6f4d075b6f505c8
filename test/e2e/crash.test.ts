import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openKills } from '../campaign/kills.ts';

const token = (secret: string) => ({ token: secret });

test.skipIf(process.platform === 'win32').each([
  ['settings set output json', 'config.json', { org: 'acme' }, { version: 1, org: 'acme', output: 'json' }],
  [
    'auth logout --base-url https://a.example',
    'credentials.json',
    { credentials: { 'https://a.example': token('a'), 'https://b.example': token('b') } },
    { version: 1, credentials: { 'https://b.example': token('b') } },
  ],
])('%s, killed at any point, leaves %s as it was or as it should be', async (line, name, before, after) => {
  let points = 1;
  for (let killAt = 0; killAt <= points; killAt += 1) {
    const kills = await openKills(async () => Response.json({}, { status: 404 }));
    const folder = join(kills.folder, 'config');
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(folder, name), JSON.stringify(before), { mode: 0o600 });
    const env = { ORGCTL_BASE_URL: '', ORGCTL_TOKEN: '' };
    const ended = await kills.run(line.split(' '), { killAt }, env);
    if (killAt === 0) points = ended.points.length;
    const left = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    expect([before, after], ended.points.at(-1)).toContainEqual(left);
    for (const one of readdirSync(folder)) expect(statSync(join(folder, one)).mode & 0o077, one).toBe(0);
    await kills.run(line.split(' '), {}, env);
    expect(JSON.parse(readFileSync(join(folder, name), 'utf8'))).toEqual(after);
    kills.close();
  }
  expect(points).toBeGreaterThan(3);
});
