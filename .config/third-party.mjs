import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The licence of llhttp, which undici carries as WebAssembly without saying so in its own. */
const LLHTTP = `This software is licensed under the MIT License.

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
USE OR OTHER DEALINGS IN THE SOFTWARE.`;

const FREE = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT'];

/**
 * Writes the licences of the packages in the bundle, whose comments minifying removes. A package without a licence text, or
 * with a licence that is not in the list, fails the build. `more`: further licences; `notices`: more to say, by title.
 */
export function thirdParty({ more = [], notices = [] } = {}) {
  return {
    name: 'third-party',
    generateBundle(_options, bundle) {
      const ids = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
      const folders = ids.flatMap((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id) ?? []);
      // Many share one text, which is then there once.
      const titles = new Map();
      const add = (text, title) => titles.set(text, [...(titles.get(text) ?? []), title]);
      for (const folder of [...new Set(folders)].sort()) {
        const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
        const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
        if (files.length === 0 || ![...FREE, ...more].includes(license)) this.error(`review the licence of ${folder}`);
        const texts = files
          .sort()
          .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
        add(texts.join('\n\n'), `${name} ${version} (${license})`);
      }
      add(LLHTTP, 'llhttp (MIT), carried by undici');
      for (const [title, text] of notices) add(text, title);
      const parts = [...titles].map(([text, names]) => `${'-'.repeat(72)}\n\n${names.join('\n')}\n\n${text}\n`);
      const head = 'orgctl contains the following software by others, each under the licence that follows its name.\n';
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source: [head, ...parts].join('\n') });
    },
  };
}
