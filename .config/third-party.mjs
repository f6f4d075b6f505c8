import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i;

/** What packages carry of others without saying so in their licence files. */
const CARRIED = {
  // Compiled to WebAssembly. undici does not tell its version.
  undici: {
    name: 'llhttp',
    license: 'MIT',
    text: `This software is licensed under the MIT License.

Copyright Fedor Indutny, 2018.

Permission is hereby granted, free of charge, to any person obtaining a
copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including
without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the
following conditions:

The above copyright notice and this permission notice shall be included
in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS
OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN
NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE
USE OR OTHER DEALINGS IN THE SOFTWARE.`,
  },
};

const MIT_0 = `MIT No Attribution

Copyright Amazon.com, Inc. or its affiliates. All Rights Reserved.

Permission is hereby granted, free of charge, to any person obtaining a copy of
this software and associated documentation files (the "Software"), to deal in
the Software without restriction, including without limitation the rights to
use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of
the Software, and to permit persons to whom the Software is furnished to do so.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS
FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER
IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** The texts of licences that packages name, and leave out. */
const LEFT_OUT = {
  '@aws-lambda-powertools/commons': { license: 'MIT-0', text: MIT_0 },
  '@aws-lambda-powertools/jmespath': { license: 'MIT-0', text: MIT_0 },
};

/**
 * The licences of the packages in the bundle, whose comments minifying removes, and the bill of materials: these packages
 * and the ones that npm installs beside them. Both hold nothing that changes between two builds of the same sources.
 * A package without a licence, or of another version than the lock file's, fails the build.
 *
 * `node`: the version and the licence of the Node that is handed on with the bundle, beside which npm installs nothing;
 * `notices`: more to say, by title.
 */
export function thirdParty({ node, notices = [] } = {}) {
  return {
    name: 'third-party',
    generateBundle(_options, bundle) {
      const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
      const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
      const bundled = [...new Set(chunks.flatMap(({ moduleIds }) => moduleIds.flatMap(toLockKey)))]
        .map((key) => readPackage(key, lock))
        .sort(byName);
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source: renderLicenses(bundled, notices) });
      const materials = createMaterials(bundled, lock, node);
      this.emitFile({ type: 'asset', fileName: 'sbom.cdx.json', source: `${JSON.stringify(materials, null, 2)}\n` });
    },
  };
}

/** The lock file's name for the package of a module; none for our own modules and those that plugins make. */
function toLockKey(id) {
  const modules = `${realpathSync(join(ROOT, 'node_modules'))}/`.replaceAll('\\', '/');
  const path = id.replaceAll('\\', '/');
  if (!path.startsWith(modules)) return [];
  const [key] = /^(?:(?:.*\/)?node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path.slice(modules.length));
  return [`node_modules/${key}`];
}

function readPackage(key, lock) {
  const folder = join(ROOT, key);
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (version !== lock[key]?.version) {
    throw new Error(`${key} is ${version}, and ${lock[key]?.version} in package-lock.json: run npm ci`);
  }
  const files = readdirSync(folder).filter((file) => LICENSE_FILE.test(file));
  const known = LEFT_OUT[name]?.license === license ? [LEFT_OUT[name].text] : [];
  const text = files.length === 0 ? known : files.sort().map((file) => readFileSync(join(folder, file), 'utf8'));
  if (typeof license !== 'string' || text.length === 0) throw new Error(`${key} has no licence: review ${folder}`);
  return { key, name, version, license, text: tidy(text.join('\n\n')), carried: CARRIED[name] };
}

function tidy(text) {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[ \t]+$/gm, '')
    .trim();
}

function byName(a, b) {
  return a.name < b.name || (a.name === b.name && a.version < b.version) ? -1 : 1;
}

/** Many share one text, which is then there once. */
function renderLicenses(packages, notices) {
  const texts = new Map();
  const add = (text, title) => texts.set(text, [...(texts.get(text) ?? []), title]);
  for (const { name, version, license, text, carried } of packages) {
    add(text, `${name} ${version} (${license})`);
    if (carried !== undefined) {
      add(tidy(carried.text), `${carried.name} (${carried.license}), carried by ${name} ${version}`);
    }
  }
  for (const [title, text] of notices) add(tidy(text), title);
  return [
    `orgctl contains the following software by others, each under the licence that follows its name.\n`,
    ...[...texts].map(([text, titles]) => `${'-'.repeat(72)}\n\n${titles.join('\n')}\n\n${text}\n`),
  ].join('\n');
}

/** CycloneDX 1.5, in the words of npm's own bill, which cannot tell what a bundle holds. */
function createMaterials(bundled, lock, node) {
  const own = lock[''];
  const installed = Object.keys(lock).filter((key) => node === undefined && key !== '' && lock[key].dev !== true);
  const isBundled = new Set(bundled.map(({ key }) => key));
  const carried = new Map(bundled.map((each) => [each.key, each.carried]));
  const present = new Map([...installed, ...isBundled].map((key) => [key, toReference(key, lock[key])]));
  // Of copies of the same version one tells; a bundled one, where there is one.
  const unique = [...new Map([...present].map(([key, reference]) => [reference, key]))].sort();
  const toDependencies = (key, names) => names.flatMap((name) => present.get(resolveKey(key, name, lock)) ?? []).sort();
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: {
        'bom-ref': toReference('node_modules/orgctl', own),
        type: 'application',
        name: own.name,
        version: own.version,
        purl: toPurl(own.name, own.version),
        licenses: toLicenses(own.license),
      },
    },
    components: [
      ...unique.map(([reference, key]) =>
        toComponent(reference, nameOf(key), lock[key], isBundled.has(key), carried.get(key)),
      ),
      ...(node === undefined ? [] : [toRuntime(node)]),
    ],
    dependencies: [
      {
        ref: toReference('node_modules/orgctl', own),
        dependsOn: toDependencies('', [
          ...Object.keys(own.dependencies ?? {}),
          ...Object.keys(own.devDependencies ?? {}),
        ]),
      },
      ...unique.map(([ref, key]) => ({
        ref,
        dependsOn: toDependencies(key, [
          ...Object.keys(lock[key].dependencies ?? {}),
          ...Object.keys(lock[key].optionalDependencies ?? {}),
        ]),
      })),
    ],
  };
}

function toComponent(reference, name, { version, license, integrity, optional }, isBundled, carried) {
  return {
    'bom-ref': reference,
    type: 'library',
    name,
    version,
    scope: optional === true ? 'optional' : 'required',
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
    licenses: toLicenses(license),
    purl: toPurl(name, version),
    ...(isBundled ? { properties: [{ name: 'cdx:npm:package:bundled', value: 'true' }] } : {}),
    ...(carried === undefined
      ? {}
      : { components: [{ type: 'library', name: carried.name, licenses: toLicenses(carried.license) }] }),
  };
}

function toRuntime({ version }) {
  return {
    'bom-ref': `node@${version}`,
    type: 'platform',
    name: 'node',
    version,
    scope: 'required',
    licenses: toLicenses('MIT'),
    purl: `pkg:generic/node@${version}`,
  };
}

function toLicenses(license) {
  return [/ (?:AND|OR|WITH) /.test(license) ? { expression: license } : { license: { id: license } }];
}

function toReference(key, { version }) {
  return `${nameOf(key)}@${version}`;
}

function nameOf(key) {
  return key.slice(key.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function toPurl(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** Where Node would find it: in the package's own folder, or in one around it. */
function resolveKey(from, name, lock) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const key = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (lock[key] !== undefined || folder === '') return key;
  }
}
