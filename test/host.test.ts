import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createHost } from '../src/host.ts';
import { ROOT } from './support/shipped.ts';

describe('the home folder', () => {
  test('is what the machine says', () => {
    expect(createHost(process, () => '/home/ana').home).toBe('/home/ana');
    expect(createHost(process, () => 'home/ana').home).toBe('');
  });

  test('is empty where the machine knows none', () => {
    const findHome = (): never => {
      throw Object.assign(new Error('uv_os_homedir returned ENOENT'), { code: 'ERR_SYSTEM_ERROR' });
    };
    expect(createHost(process, findHome).home).toBe('');
  });
});

test.skipIf(process.platform === 'win32')('code that does not end hears Ctrl-C', () => {
  const script = `
    const host = require(${JSON.stringify(join(ROOT, 'dist', 'main.cjs'))}).createHost(process);
    host.onSignal('SIGINT', () => undefined);
    try {
      host.runInterruptibly(() => {
        process.kill(process.pid, 'SIGINT');
        for (;;);
      });
    } catch (error) {
      console.log(error.code, host.runInterruptibly(() => 'and goes on'));
    }`;
  const said = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect(said).toBe('ERR_SCRIPT_EXECUTION_INTERRUPTED and goes on\n');
});
