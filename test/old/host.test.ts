import { describe, expect, test } from 'vitest';
import { createHost } from '../../src/old/host.ts';

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
