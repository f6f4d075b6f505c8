import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
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
  const text = readFileSync(`test/fixtures/lock-files/${name}.hcl`, 'utf8');
  expect(parseLockFile(text, 'lock')).toEqual(sources);
  expect(parseLockFile(text.replaceAll('\n', '\r\n'), 'lock')).toEqual(sources);
});

test.each([
  '{"provider": 1}',
  'provider "aws" {\n}\n',
  'terraform {\n}\n',
  '/* not by terraform */ provider "a/b/c" {\n}\n',
  `provider "\${host}/a/b/c" {\n}\n`,
])('%j is not a lock file', (text) => {
  expect(() => parseLockFile(`# one\n${text}`, 'lock')).toThrow('lock is not a lock file: line 2');
});
