import { describe, expect, test } from 'vitest';
import { findConfigDirectory, resolveStateDirectory } from '../../../src/old/settings/directories.ts';

const ANA = '/home/ana';
const [CONFIG, STATE] = [`${ANA}/.config/orgctl`, `${ANA}/.local/state/orgctl`];
const OWN = { ORGCTL_CONFIG_DIR: '/oc', ORGCTL_STATE_DIR: '/os' };

describe('config and state directory', () => {
  test.each<[platform: NodeJS.Platform, home: string, env: Record<string, string>, config: string, state: string]>([
    ['linux', ANA, {}, CONFIG, STATE],
    ['linux', ANA, { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s' }, '/c/orgctl', '/s/orgctl'],
    ['linux', ANA, { XDG_CONFIG_HOME: 'c', XDG_STATE_HOME: '' }, CONFIG, STATE],
    ['linux', ANA, { ...OWN, XDG_CONFIG_HOME: '/c' }, '/oc', '/os'],
    ['linux', '', OWN, '/oc', '/os'],
    ['freebsd', ANA, {}, CONFIG, STATE],
    [
      'darwin',
      '/m',
      { XDG_CONFIG_HOME: '/c' },
      '/m/Library/Preferences/orgctl',
      '/m/Library/Application Support/orgctl',
    ],
    ['win32', 'C:\\ana', { APPDATA: 'D:\\A', LOCALAPPDATA: 'D:\\L' }, 'D:\\A\\orgctl\\Config', 'D:\\L\\orgctl\\Data'],
    ['win32', 'C:\\ana', {}, 'C:\\ana\\AppData\\Roaming\\orgctl\\Config', 'C:\\ana\\AppData\\Local\\orgctl\\Data'],
  ])('%s %s %j', (platform, home, env, config, state) => {
    expect(findConfigDirectory({ platform, home, env })).toBe(config);
    expect(resolveStateDirectory({ platform, home, env })).toBe(state);
  });

  test.each<NodeJS.Platform>(['linux', 'darwin', 'win32'])('a relative folder is refused on %s', (platform) => {
    const machine = { platform, home: '/home/ana', env: { ORGCTL_CONFIG_DIR: 'own', ORGCTL_STATE_DIR: './own' } };
    const message = "ORGCTL_CONFIG_DIR must be an absolute path, not 'own'";
    expect(findConfigDirectory(machine)).toMatchObject({ message });
    expect(() => resolveStateDirectory(machine)).toThrow("ORGCTL_STATE_DIR must be an absolute path, not './own'");
  });

  test.each<NodeJS.Platform>(['linux', 'darwin', 'win32'])('no home folder on %s', (platform) => {
    const machine = { platform, home: '', env: {} };
    expect(findConfigDirectory(machine)).toBe(undefined);
    expect(() => resolveStateDirectory(machine)).toThrow('no home folder');
  });
});
