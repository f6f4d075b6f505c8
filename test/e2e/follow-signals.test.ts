import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ORGCTL } from '../support/shipped.ts';
import { createHomeOf } from '../support/stored.ts';
import { MINUTE, startTrail } from '../support/trail.ts';

/** A follower in a process of its own, and a reader that takes nothing. */

test.skipIf(process.platform === 'win32')(
  'SIGTERM ends a follower whose reader stands still, and the cursor stays',
  async () => {
    const trail = await startTrail({ meta: 'x'.repeat(2_000) });
    trail.clock = Date.now();
    const home = createHomeOf({});
    const now = trail.clock - Date.UTC(2026, 10, 21, 9);
    // More than a pipe holds.
    trail.add(...Array.from({ length: 1_000 }, (_, index) => now - MINUTE + index));
    const child = spawn(process.execPath, [ORGCTL, 'audit-trail', 'follow', '--cursor', 'acme.json', '-o', 'ndjson'], {
      cwd: home,
      env: { ...trail.env, PATH: process.env['PATH'] ?? '', HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (piece) => {
      stderr += String(piece);
    });
    // The first bytes are there, so that the batch is being written. None is taken.
    await once(child.stdout, 'readable');
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number | null];
    expect({ code, cursor: existsSync(join(home, 'acme.json')) }).toEqual({ code: 143, cursor: false });
    expect(stderr).toContain('A batch was not taken within 10 s: the next run repeats it.');
  },
);
