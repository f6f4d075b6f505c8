import { expect, test } from 'vitest';
import { parseManifest, parseSums } from '../../src/providers/release.ts';

const STEM = 'terraform-provider-billing_1.2.0';
const SUM = 'a'.repeat(64);
const LINUX = `${STEM}_linux_amd64.zip`;
const parse = (text: string) => {
  const faults: string[] = [];
  return { lines: parseSums(Buffer.from(text), STEM, faults), faults };
};

test('SHA256SUMS has a line for each file', () => {
  const text = `${SUM.toUpperCase()}  ${LINUX}\r\n${SUM}  ${STEM}_manifest.json\n`;
  expect(parse(text)).toEqual({
    lines: [
      { name: LINUX, sum: SUM, platform: { os: 'linux', arch: 'amd64' } },
      { name: `${STEM}_manifest.json`, sum: SUM, platform: undefined },
    ],
    faults: [],
  });
});

/** Terraform crashes at the first, and finds no file by the others. */
test.each([
  ['an empty line', `${SUM}  ${LINUX}\n\n`, 2],
  ['a comment', `# sums\n${SUM}  ${LINUX}\n`, 1],
  ['a short sum', `${SUM.slice(1)}  ${LINUX}\n`, 1],
  ['binary mode', `${SUM} *${LINUX}\n`, 1],
  ['a mark', `${SUM}  *${LINUX}\n`, 1],
  ['a folder', `${SUM}  ./${LINUX}\n`, 1],
  ['one space', `${SUM} ${LINUX}\n`, 1],
])('SHA256SUMS with %s is wrong', (_what, text, line) => {
  expect(parse(text).faults).toEqual([`${STEM}_SHA256SUMS, line ${line}: it is not a sum, two spaces and a file name`]);
});

test.each([
  [
    'another version',
    `${SUM}  terraform-provider-billing_1.1.0_linux_amd64.zip`,
    'line 1: .* is not .*_<os>_<arch>.zip',
  ],
  ['another provider', `${SUM}  terraform-provider-aws_1.2.0_linux_amd64.zip`, 'line 1: .* is not .*_<os>_<arch>.zip'],
  ['no platform', `${SUM}  ${STEM}_Linux.zip`, 'line 1: .* is not .*_<os>_<arch>.zip'],
  ['a file twice', `${SUM}  ${LINUX}\n${SUM}  ${LINUX}`, 'line 2: .* is listed twice'],
  ['no zip', `${SUM}  README.md`, 'names no .*_<os>_<arch>.zip'],
])('SHA256SUMS of %s are wrong', (_what, text, fault) => {
  expect(parse(text).faults).toEqual([expect.stringMatching(`^${STEM}_SHA256SUMS,? ${fault}$`)]);
});

test.each([
  ['{"version":1,"metadata":{"protocol_versions":["5.0","6.0"]}}', ['5.0', '6.0']],
  ['\ufeff{"metadata":{"protocol_versions":["6.0"]}}', ['6.0']],
  ['{"metadata":{"protocol_versions":["7.0"]}}', undefined],
  ['{"metadata":{"protocol_versions":[]}}', undefined],
  ['{"metadata":{}}', undefined],
  ['{', undefined],
])('a manifest %s', (text, protocols) => {
  const faults: string[] = [];
  expect(parseManifest(Buffer.from(text), 'manifest.json', faults)).toEqual(protocols);
  expect(faults).toHaveLength(protocols ? 0 : 1);
});
