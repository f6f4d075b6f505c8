import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startService } from '../support/service.ts';
import { createPlace, ORGCTL } from '../support/shipped.ts';

test('a terminal that is closed while a token is created takes no token with it', async () => {
  const { home, env } = createPlace();
  const target = join(home, 'token');
  const { url, sandbox } = await startService({
    alter(given, { method }) {
      if (method === 'POST') {
        pty.kill('SIGHUP');
        (pty as unknown as { destroy(): void }).destroy();
      }
      return given;
    },
  });
  const argv = ['audit-token', 'rotate', '--expires', '2099-01-01', '--to', `file:${target}`, '--yes'];
  const service = { ORGCTL_BASE_URL: url, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: sandbox.tokenFor('owner', 'acme') };
  const pty = spawn(process.execPath, [ORGCTL, ...argv], {
    cwd: home,
    env: { ...env, ...service, TERM: 'xterm-256color' },
  });
  onTestFinished(() => pty.kill('SIGKILL'));
  await vi.waitFor(() => expect(readFileSync(target, 'utf8')).toMatch(/^sandbox\.\S+$/), { timeout: 60_000 });
});
