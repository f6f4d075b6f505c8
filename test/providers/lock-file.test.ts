import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { decodeText } from '../../src/lib/input-text.ts';
import { parseLockFile } from '../../src/providers/lock-file.ts';

const AWS = 'registry.terraform.io/hashicorp/aws';
const RANDOM = 'registry.terraform.io/hashicorp/random';

test.each([
  ['listed', [AWS, RANDOM]],
  ['none', []],
  [
    'private',
    ['app.terraform.io/acme/inventory', 'localterraform.com/ACME/internal-dns', 'app.terraform.io/globex/reactor'],
  ],
  ['bom-one-line', [AWS]],
])('%s, also with the line ends of Windows', (name, sources) => {
  const text = decodeText(readFileSync(`test/fixtures/lock-files/${name}.hcl`), name);
  expect(parseLockFile(text, 'lock')).toEqual(sources);
  expect(parseLockFile(text.replaceAll('\n', '\r\n'), 'lock')).toEqual(sources);
});

test.each([
  `  provider "${AWS}" {\n}`,
  `\tprovider\t"${AWS}"\t{ version = "1" }`,
  `provider"${AWS}"{}`,
  `/* a */ provider /* b\n */ "${AWS}" { # }\n // "\n}`,
  `provider "${AWS}"\n{\r\n  hashes=["a" , # "b"]\n "c\\"]",]\n version="\\\\" }`,
  `provider "${AWS}" {\n  hashes = []\n}\n# provider "a/b/c" {}\n/* provider "a/b/c" {} */`,
])('%j is HCL too', (text) => expect(parseLockFile(text, 'lock')).toEqual([AWS]));

test.each([
  '{"provider": 1}',
  'provider "aws" {\n}\n',
  'provider aws {\n}\n',
  'terraform {\n}\n',
  'version = "1"',
  `/* not ended provider "${AWS}" {}`,
  `provider "\${host}/a/b/c" {\n}\n`,
  `provider "\${host}/a/b" {\n}\n`,
  `provider "${AWS}" {\n  provider "${AWS}" {}\n}`,
  `provider "${AWS}" {\n  version = <<EOT\n}\nEOT\n}`,
  `provider "${AWS}" {\n  version = "1`,
  `provider "${AWS}" "${RANDOM}" {}`,
  `} provider "${AWS}" {}`,
])('%j is not a lock file', (text) => {
  expect(() => parseLockFile(`# one\n${text}`, 'lock')).toThrow('lock is not a lock file: line 2');
});
