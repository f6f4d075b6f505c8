import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import packageLock from '../../package-lock.json' with { type: 'json' };

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const { '': root, ...locked } = packageLock.packages as unknown as Readonly<Record<string, Locked>>;
const named = { ...packageJson.dependencies, ...packageJson.devDependencies };

test('package.json names exact versions, and the lock file the same ones', () => {
  expect(Object.entries(named).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  expect({ ...root?.dependencies, ...root?.devDependencies }).toEqual(named);
  const versions = Object.keys(named).map((name) => [name, locked[`node_modules/${name}`]?.version]);
  expect(Object.fromEntries(versions)).toEqual(named);
  expect(readFileSync('.npmrc', 'utf8')).toContain('save-exact=true');
});

test('the lock file has a checksum for every package, and every package comes from the registry', () => {
  const entries = Object.entries(locked);
  expect(entries.length).toBeGreaterThan(Object.keys(named).length);
  expect(entries.filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity))).toEqual([]);
  // Names of addresses would be kept here, of files or repositories too.
  expect(entries.filter(([, { resolved, link }]) => resolved !== undefined || link === true)).toEqual([]);
});

test('no package needs a script to be installed', () => {
  const entries = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript === true);
  expect(entries).toEqual([]);
});

test('README.md and the recipes name the version that is released next', () => {
  const recipes = readdirSync('src/manual/recipes', { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const named = ['README.md', ...recipes].flatMap(
    (path) => readFileSync(path, 'utf8').match(/(?<=@v|orgctl-|orgctl\/v)\d+\.\d+\.\d+/g) ?? [],
  );
  expect(named.length).toBeGreaterThan(3);
  expect([...new Set(named)]).toEqual([packageJson.version]);
  expect(root?.version).toBe(packageJson.version);
});
