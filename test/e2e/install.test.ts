import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startRecorder } from '../support/recorder.ts';
import { createPlace, type Ended, orgctl, type Place, ROOT, start } from '../support/shipped.ts';
import { readStored } from '../support/stored.ts';

const configPathOf = ({ home }: Place): string => join(home, '.config', 'orgctl', 'config.json');
const posix = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('settings', () => {
  test('are stored for their owner alone, where the home is, and nowhere else', async () => {
    const place = createPlace();
    for (const pair of [
      ['org', 'acme'],
      ['timeout', '10s'],
    ]) {
      expect(await orgctl(['settings', 'set', ...pair], place)).toMatchObject({ code: 0, stdout: '' });
    }
    const path = configPathOf(place);
    expect(readStored(path)).toEqual({ org: 'acme', timeout: '10s' });
    expect([posix(path), posix(dirname(path))]).toEqual(['600', '700']);
    const files = readdirSync(place.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(path.startsWith(place.home)).toBe(true);
    expect(files.map((file) => join(file.parentPath, file.name))).toEqual([path]);
  });

  test('written by several processes at once are a whole file', async () => {
    const place = createPlace();
    const orgs = ['acme', 'globex', 'initech', 'umbrella'];
    const ended = await Promise.all(orgs.map((org) => orgctl(['settings', 'set', 'org', org], place)));
    expect(ended.filter(({ code }) => code !== 0)).toEqual([]);
    expect(orgs.map((org) => ({ org }))).toContainEqual(readStored(configPathOf(place)));
  });

  test('in a file that is cut off: it is named, and left as it is', async () => {
    const text = '{"org": "ac';
    const place = createPlace();
    const path = await writeSettings(place, 'config.json', text);
    for (const argv of [
      ['settings', 'list'],
      ['settings', 'set', 'org', 'globex'],
      ['members', 'list'],
      ['--sandbox', 'members', 'list'],
    ]) {
      const ended = await orgctl(argv, { env: { ...place.env, ORGCTL_TOKEN: 'unused' } });
      expectUsage(ended, path);
      expect(readFileSync(path, 'utf8')).toBe(text);
    }
    expect(readdirSync(dirname(path))).toEqual([basename(path)]);
  });
});

describe('a stored token', () => {
  test('is not used from a file that others may read', async () => {
    const place = createPlace();
    const service = await startRecorder();
    for (const mode of [0o644, 0o640, 0o604]) {
      const credentials = { [service.origin]: { token: 'secret-of-the-file' } };
      const path = await writeSettings(place, 'credentials.json', JSON.stringify({ credentials }));
      chmodSync(path, mode);
      const ended = await orgctl(['members', 'list'], { env: environmentFor(place, service.url) });
      expectUsage(ended, path);
      expect(ended.stderr).not.toContain('secret-of-the-file');
    }
    expect(service.requests).toEqual([]);
  });

  test('of the environment is never sent on to where a redirect points', async () => {
    const place = createPlace();
    const other = await startRecorder();
    const own = await startRecorder({ redirectTo: other.url });
    const env = { ...environmentFor(place, own.url), ORGCTL_TOKEN: 'secret-of-the-environment' };
    const ended = await orgctl(['members', 'list'], { env });
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 9, stdout: '' });
    expect(own.requests.length).toBeGreaterThan(0);
    expect(other.requests).toEqual([]);
  });
});

describe('the package', () => {
  test('holds what is needed to run, and nothing else', async () => {
    const place = createPlace();
    // Its scripts would build anew, under the feet of other tests.
    const argv = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const { code, stdout, stderr } = await start('npm', argv, { env: place.env, cwd: ROOT }).ended;
    expect(code, stderr).toBe(0);
    const [packed] = JSON.parse(stdout) as [{ files: { path: string; mode: number }[] }];
    const paths = packed.files.map(({ path }) => path);
    const allowed =
      /^(?:bin\/orgctl\.cjs|dist\/[\w-]+\.cjs|dist\/THIRD-PARTY-LICENSES\.txt|src\/help\/recipes\/[\w./-]+|README\.md|CHANGELOG\.md|LICENSE|package\.json)$/;
    expect(paths.filter((path) => !allowed.test(path))).toEqual([]);
    expect(paths).toEqual(expect.arrayContaining(['bin/orgctl.cjs', 'dist/main.cjs', 'LICENSE', 'package.json']));
    expect(paths.filter((path) => path.startsWith('dist/')).sort()).toEqual(
      readdirSync(join(ROOT, 'dist'), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(cjs|txt)$/.test(name))
        .map((name) => `dist/${name}`)
        .sort(),
    );
    const executable = packed.files.filter(({ mode }) => (mode & 0o111) !== 0).map(({ path }) => path);
    expect(executable).toEqual([
      'bin/orgctl.cjs',
      'src/help/recipes/systemd/follow-audit-trail',
      'src/help/recipes/systemd/rotate-audit-token',
    ]);
  });
});

async function writeSettings(place: Place, name: string, text: string): Promise<string> {
  const folder = dirname(configPathOf(place));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  chmodSync(path, 0o600);
  return path;
}

function environmentFor(place: Place, url: string) {
  return { ...place.env, ORGCTL_BASE_URL: url, ORGCTL_ORG: 'acme' };
}

function expectUsage({ code, stdout, stderr }: Ended, path: string): void {
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(path);
}
