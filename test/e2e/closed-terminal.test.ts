import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { expect, onTestFinished, test, vi } from 'vitest';
import { pass } from '../support/faults.ts';
import { startFront } from '../support/front.ts';
import { openSandbox } from '../support/product.ts';
import { createPlace, ORGCTL } from '../support/shipped.ts';

test('a terminal that is closed while a token is created takes no token with it', async () => {
  const sandbox = openSandbox({ state: ':memory:', now: Date.now, randomBytes });
  onTestFinished(() => sandbox.close());
  let screen = '';
  const front = await startFront(sandbox, async (passing, self) => {
    if (passing.isWrite) {
      await vi.waitFor(() => expect(screen).toContain('Creating the new token'), { timeout: 60_000 });
      // Drawing goes on, on a terminal that is gone, and the signal of its end comes.
      pty.kill('SIGHUP');
      (pty as unknown as { destroy(): void }).destroy();
    }
    await pass(passing, self);
  });
  const place = createPlace();
  const token = sandbox.tokens().find(({ kind }) => kind === 'owner')?.token ?? '';
  const target = join(place.home, 'token');
  const argv = ['audit-token', 'rotate', '--expires', '90d', '--to', `file:${target}`, '--yes'];
  const pty = spawn(process.execPath, [ORGCTL, ...argv], {
    cols: 80,
    rows: 24,
    cwd: place.home,
    env: {
      ...place.env,
      TERM: 'xterm-256color',
      ORGCTL_BASE_URL: front.url,
      ORGCTL_ORG: 'acme',
      ORGCTL_TOKEN: token,
    },
  });
  onTestFinished(() => pty.kill('SIGKILL'));
  pty.onData((piece) => (screen += piece));
  await vi.waitFor(() => expect(readFileSync(target, 'utf8')).toMatch(/^sandbox\.\S+$/), { timeout: 60_000 });
});
