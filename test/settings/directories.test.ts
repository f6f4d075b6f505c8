import { describe, expect, test } from 'vitest';
import { findConfigDirectory, resolveStateDirectory } from '../../src/settings/directories.ts';

describe('config and state directory', () => {
  test.each<[platform: NodeJS.Platform, home: string, env: Record<string, string>, config: string, state: string]>([
    ['linux', '/home/ana', {}, '/home/ana/.config/orgctl', '/home/ana/.local/state/orgctl'],
    ['linux', '/home/ana', { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s' }, '/c/orgctl', '/s/orgctl'],
    [
      'linux',
      '/home/ana',
      { XDG_CONFIG_HOME: 'c', XDG_STATE_HOME: '' },
      '/home/ana/.config/orgctl',
      '/home/ana/.local/state/orgctl',
    ],
    ['linux', '/home/ana', { ORGCTL_CONFIG_DIR: '/oc', ORGCTL_STATE_DIR: '/os', XDG_CONFIG_HOME: '/c' }, '/oc', '/os'],
    ['linux', '', { ORGCTL_CONFIG_DIR: '/oc', ORGCTL_STATE_DIR: '/os' }, '/oc', '/os'],
    ['freebsd', '/home/ana', {}, '/home/ana/.config/orgctl', '/home/ana/.local/state/orgctl'],
    [
      'darwin',
      '/Users/ana',
      { XDG_CONFIG_HOME: '/c' },
      '/Users/ana/Library/Preferences/orgctl',
      '/Users/ana/Library/Application Support/orgctl',
    ],
    [
      'win32',
      'C:\\Users\\ana',
      { APPDATA: 'C:\\Users\\ana\\AppData\\Roaming', LOCALAPPDATA: 'D:\\Local' },
      'C:\\Users\\ana\\AppData\\Roaming\\orgctl\\Config',
      'D:\\Local\\orgctl\\Data',
    ],
    [
      'win32',
      'C:\\Users\\ana',
      {},
      'C:\\Users\\ana\\AppData\\Roaming\\orgctl\\Config',
      'C:\\Users\\ana\\AppData\\Local\\orgctl\\Data',
    ],
  ])('%s %s %j', (platform, home, env, config, state) => {
    expect(findConfigDirectory({ platform, home, env })).toBe(config);
    expect(resolveStateDirectory({ platform, home, env })).toBe(state);
  });

  test.each<NodeJS.Platform>(['linux', 'darwin', 'win32'])('a relative folder is refused on %s', (platform) => {
    const machine = { platform, home: '/home/ana', env: { ORGCTL_CONFIG_DIR: 'own', ORGCTL_STATE_DIR: './own' } };
    expect(findConfigDirectory(machine)).toMatchObject({
      message: "ORGCTL_CONFIG_DIR is 'own', which is not an absolute path",
    });
    expect(() => resolveStateDirectory(machine)).toThrow("ORGCTL_STATE_DIR is './own', which is not an absolute path");
  });

  test.each<NodeJS.Platform>(['linux', 'darwin', 'win32'])('no home folder on %s', (platform) => {
    const machine = { platform, home: '', env: {} };
    expect(findConfigDirectory(machine)).toBe(undefined);
    expect(() => resolveStateDirectory(machine)).toThrow('there is no home folder');
  });
});
