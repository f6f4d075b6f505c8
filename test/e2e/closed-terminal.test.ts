import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serve } from '../support/served.ts';
import { ORGCTL } from '../support/shipped.ts';

const PATIENCE = { timeout: 60_000 };

test('a terminal that is closed while a token is created takes no token with it', async () => {
  // Drawing goes on meanwhile, on a terminal that is gone.
  const served = await serve(['--fault', 'POST authentication-token: delay=2s']);
  const target = join(served.home, 'token');
  const argv = ['audit-token', 'rotate', '--expires', '90d', '--to', `file:${target}`, '--yes'];
  const pty = spawn(process.execPath, [ORGCTL, ...argv], {
    cols: 80,
    rows: 24,
    cwd: served.home,
    env: { ...served.as('owner'), TERM: 'xterm-256color' },
  });
  onTestFinished(() => pty.kill('SIGKILL'));
  let screen = '';
  pty.onData((piece) => (screen += piece));
  await vi.waitFor(() => expect(screen).toContain('Creating the new token'), PATIENCE);
  pty.kill('SIGHUP');
  (pty as unknown as { destroy(): void }).destroy();
  await vi.waitFor(() => expect(readFileSync(target, 'utf8')).toMatch(/^sandbox\.\S+$/), PATIENCE);
});
