import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type RolldownOptions, rolldown } from 'rolldown';
import { beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import packageLock from '../../package-lock.json' with { type: 'json' };
import { ROOT } from '../support/shipped.ts';

type Locked = Readonly<Record<'version' | 'integrity', string>> & { readonly dev?: boolean };
type Component = Readonly<Record<'bom-ref' | 'type' | 'name' | 'version' | 'scope' | 'purl', string>> & {
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses: readonly [{ readonly license: { readonly id: string } }];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
};

interface Materials {
  readonly metadata: { readonly component: unknown };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const lock = packageLock.packages as unknown as Readonly<Record<string, Locked>>;
const licences = readFileSync(join(ROOT, 'dist', 'THIRD-PARTY-LICENSES.txt'), 'utf8');
const materials = JSON.parse(readFileSync(join(ROOT, 'dist', 'sbom.cdx.json'), 'utf8')) as Materials;
const references = materials.components.map((component) => component['bom-ref']);
const toReference = (key: string, { version }: Locked): string => `${key.replace(/^.*node_modules\//, '')}@${version}`;
const isBundled = ({ properties = [] }: Component): boolean =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:bundled' && value === 'true');

/** The folders of the packages that have code in the chunks, by a build of the same configuration that writes nothing. */
let folders: readonly string[] = [];
beforeAll(async () => {
  const path = pathToFileURL(join(ROOT, '.config', 'rolldown.config.mjs')).href;
  const { default: config } = (await import(path)) as { default: RolldownOptions & { plugins: { name: string }[] } };
  // The pages are made of what was written.
  const plugins = config.plugins.filter(({ name }) => !['manual-pages', 'third-party'].includes(name));
  const bundle = await rolldown({ ...config, plugins, logLevel: 'silent' });
  const { output } = await bundle.generate({ format: 'cjs', minify: false });
  const ids = output.flatMap((chunk) =>
    chunk.type === 'chunk'
      ? Object.entries(chunk.modules).flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : []))
      : [],
  );
  folders = [...new Set(ids.flatMap((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id) ?? []))];
});

const readBundled = (): readonly { name: string; version: string; license: string; folder: string }[] =>
  folders.map((folder) => ({ ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')), folder }));

describe('the licences', () => {
  test('of every bundled package are shipped', () => {
    const texts = licences.replaceAll(/\s+/g, ' ');
    const bundled = readBundled();
    expect(bundled.length).toBeGreaterThan(20);
    expect(bundled.filter(({ name, version }) => !licences.includes(`\n${name} ${version} (`))).toEqual([]);
    const withoutText = bundled.filter(({ folder, license }) => {
      const files = readdirSync(folder).filter((file) => /^licen[cs]e/i.test(file));
      const read = files.map((file) => readFileSync(join(folder, file), 'utf8').trim().replaceAll(/\s+/g, ' '));
      // Some packages only name theirs.
      if (read.length === 0) return license !== 'MIT-0' || !texts.includes('MIT No Attribution');
      return read.some((text) => !texts.includes(text));
    });
    expect(withoutText).toEqual([]);
  });

  test('allow to hand the code on, with their text beside it', () => {
    const ids = materials.components.map(({ licenses: [{ license }] }) => license.id);
    const free = ['0BSD', 'Apache-2.0', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'MIT-0'];
    // openpgp alone is under the LGPL. It is installed beside orgctl, and not bundled.
    expect([...new Set(ids)].sort()).toEqual([...free, 'LGPL-3.0+'].sort());
    // Inside undici as WebAssembly, and not in its licence.
    expect(licences).toContain('llhttp (MIT), carried by undici');
    expect(licences).toContain('Copyright Fedor Indutny, 2018.');
  });
});

describe('the bill of materials', () => {
  test('names what is bundled and what npm installs beside it, and nothing else', () => {
    const bundled = readBundled().map(({ name, version }) => `${name}@${version}`);
    const installed = Object.entries(lock)
      .filter(([key, { dev }]) => key !== '' && dev !== true)
      .map(([key, each]) => toReference(key, each));
    expect(installed).toContain(`libsql@${packageJson.dependencies.libsql}`);
    expect(references).toEqual([...new Set([...bundled, ...installed])].sort());
    const marked = materials.components.filter(isBundled).map((component) => component['bom-ref']);
    expect(marked).toEqual(bundled.toSorted());
  });

  test('has the versions and checksums of the lock file', () => {
    const locked = new Map(Object.entries(lock).map(([key, each]) => [toReference(key, each), each.integrity]));
    const digests = materials.components.map(({ hashes: [hash] }) =>
      hash?.alg === 'SHA-512' ? `sha512-${Buffer.from(hash.content, 'hex').toString('base64')}` : hash,
    );
    expect(digests).toEqual(references.map((reference) => locked.get(reference)));
  });

  test('is CycloneDX', () => {
    expect(materials).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 });
    expect(materials.metadata.component).toMatchObject({
      'bom-ref': `orgctl@${packageJson.version}`,
      name: 'orgctl',
      version: packageJson.version,
      licenses: [{ license: { id: packageJson.license } }],
    });
    for (const component of materials.components) {
      expect(component).toMatchObject({
        'bom-ref': `${component.name}@${component.version}`,
        type: 'library',
        scope: expect.stringMatching(/^(required|optional)$/),
        purl: `pkg:npm/${component.name.replace('@', '%40')}@${component.version}`,
      });
    }
  });

  test('tells who needs whom, down from orgctl', () => {
    const needs = new Map(materials.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
    const reached = new Set<string>();
    const visit = (reference: string): void => {
      if (reached.has(reference)) return;
      reached.add(reference);
      for (const needed of needs.get(reference) ?? []) visit(needed);
    };
    visit(`orgctl@${packageJson.version}`);
    expect([...reached].sort()).toEqual([...references, `orgctl@${packageJson.version}`].sort());
    expect([...needs.keys()].sort()).toEqual([...reached].sort());
  });
});
