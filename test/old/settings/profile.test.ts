import { describe, expect, test } from 'vitest';
import {
  checkProfiles,
  findProfile,
  isBundled,
  readProfile,
  readProfiles,
  requireBundled,
  requireStored,
} from '../../../src/old/settings/profile.ts';
import { SETTINGS, type StoredConfig } from '../../../src/old/settings/settings.ts';
import { toOrigin } from '../../../src/old/settings/stored-token.ts';

const WORK: StoredConfig = { org: 'acme' };
const CONFIG = { org: 'globex', profiles: { work: WORK, home: {} } } as unknown as StoredConfig;
const find = (option: string | undefined, variable?: string) =>
  findProfile({ option, env: { ORGCTL_PROFILE: variable }, readConfig: () => CONFIG });

describe('the profile that is named', () => {
  test("is the option's, else the variable's", () => {
    expect(find('work', 'home')).toEqual({ name: 'work', source: '--profile', settings: WORK, isNew: false });
    expect(find(undefined, 'home')).toEqual({ name: 'home', source: 'ORGCTL_PROFILE', settings: {}, isNew: false });
  });

  test('is else the stored default, and none without one', () => {
    expect(find(undefined)).toBeUndefined();
    expect(find(undefined, '')).toBeUndefined();
    const readConfig = () => ({ ...CONFIG, profile: 'work' });
    const stored = { name: 'work', source: 'config.json', settings: WORK, isNew: false };
    expect(findProfile({ option: undefined, env: { ORGCTL_PROFILE: '' }, readConfig })).toEqual(stored);
    expect(findProfile({ option: undefined, env: { ORGCTL_PROFILE: 'home' }, readConfig })?.name).toBe('home');
    expect(findProfile({ option: 'home', env: {}, readConfig })?.name).toBe('home');
  });

  test.each(['other', 'constructor', '__proto__x', 'toString'])('may be new: %s', (name) => {
    if (name.startsWith('_')) expect(() => find(name)).toThrow('is not a profile name');
    else expect(find(name)).toEqual({ name, source: '--profile', settings: {}, isNew: true });
  });
});

describe('a name', () => {
  test.each(['a', '7', 'A.b-c_d', 'x'.repeat(64), 'defaults', 'Default'])('%s is one', (name) => {
    expect(find(name)?.name).toBe(name);
  });

  test.each(['', '-a', '.a', '_a', 'a b', 'a/b', '../a', 'a\n', 'é', 'aé', 'x'.repeat(65), '__proto__'])(
    '%j is none',
    (name) => {
      const message = `--profile '${name}' is not a profile name`;
      const hint = expect.stringContaining('up to 64');
      expect(() => find(name)).toThrow(expect.objectContaining({ exit: 'usage', message, hint }));
    },
  );

  test('default is what is stored without one', () => {
    expect(find('default')).toBeUndefined();
    expect(find(undefined, 'default')).toBeUndefined();
  });
});

describe('what is stored', () => {
  test('is known by its own name alone', () => {
    expect(readProfiles(CONFIG)).toEqual({ work: WORK, home: {} });
    expect(readProfiles({})).toEqual({});
    expect(readProfile(CONFIG, 'work')).toBe(WORK);
    expect(readProfile(CONFIG, 'constructor')).toBeUndefined();
  });

  test('is wanted by some commands, which name what there is', () => {
    const named = find('work');
    const other = find('other');
    if (named === undefined || other === undefined) throw new Error('a profile was named');
    expect(() => requireStored(named, CONFIG)).not.toThrow();
    const refusal = {
      exit: 'usage',
      message: "no profile named 'other' (from --profile)",
      hint: 'Your profiles: default, work, home. To create this one, log in:',
      next: [['orgctl', 'auth', 'login', '--profile', 'other']],
    };
    expect(() => requireStored(other, CONFIG)).toThrow(expect.objectContaining(refusal));
    const hint = 'Your profiles: default. To create this one, log in:';
    expect(() => requireStored(other, {})).toThrow(expect.objectContaining({ ...refusal, hint }));
  });

  test.each<[unknown, string | undefined]>([
    [undefined, undefined],
    [{}, undefined],
    [{ work: { 'base-url': 'https://a/api', org: 'acme', to: ['stdout'], expires: '90d', more: 1 } }, undefined],
    // What no profile has is left to programs that know it.
    [{ work: { timeout: 7 } }, undefined],
    [[], "x.json: 'profiles' must be an object"],
    [null, "x.json: 'profiles' must be an object"],
    [{ work: null }, "x.json: the profile 'work' must be an object"],
    [{ ok: {}, work: [] }, "x.json: the profile 'work' must be an object"],
    [{ work: { org: 7 } }, "x.json: the profile 'work': 'org' must be a string"],
    [{ work: { to: 'stdout' } }, "x.json: the profile 'work': 'to' must be a list of strings"],
    [{ work: { expires: 90 } }, "x.json: the profile 'work': 'expires' must be a string"],
    [{ work: { 'base-url': 'x' } }, "x.json: the profile 'work': 'base-url' is not an http or https URL"],
  ])('as %j is checked', (profiles, message) => {
    const config = (profiles === undefined ? {} : { profiles }) as StoredConfig;
    const check = () => checkProfiles(config, 'x.json');
    if (message === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ message, exit: 'usage' }));
    if (message?.endsWith('has to be an object') !== true) return;
    const hint = expect.stringContaining('{"profiles": {"work": {"org": "acme"}}}');
    expect(check).toThrow(expect.objectContaining({ hint }));
  });
});

test('a profile holds five settings; the others are the same for all', () => {
  const bundled = ['base-url', 'org', 'token-command', 'to', 'expires'];
  for (const { name } of SETTINGS) {
    expect(isBundled(name)).toBe(bundled.includes(name));
    if (isBundled(name)) expect(() => requireBundled(name)).not.toThrow();
  }
  expect(() => requireBundled('timeout')).toThrow(
    expect.objectContaining({
      exit: 'usage',
      message: "timeout doesn't belong to a profile: it is the same for all",
      hint: 'A profile holds base-url, org, token-command, to, expires and a token. Leave out --profile.',
    }),
  );
});

test.each([
  ['https://a.example/api/v2', 'https://a.example'],
  ['HTTP://A.example:80/', 'http://a.example'],
  ['http://a.example:8080', 'http://a.example:8080'],
  ['a.example', 'https://a.example'],
  ['A.example:443', 'https://a.example'],
  // No scheme at its beginning: the whole is a host with a path.
  ['a.example/http://b.example', 'https://a.example'],
  ['a b', 'a b'],
  ['', ''],
])('the origin written as %j is %j', (written, origin) => {
  expect(toOrigin(written)).toBe(origin);
});
