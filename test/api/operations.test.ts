import { expect, test } from 'vitest';
import { createCall, ORG, operation } from '../../src/api/operations.ts';

const SHOW = operation('GET', `${ORG}/files/:os/:arch`, "show ':name'@:version of :org", {
  absent: ':org has no :kind',
});
const PARAMS = { org: 'acme', os: 'linux', arch: 'a/b', name: 'x', version: '1', kind: 'file' };

test('a call has every parameter of the path and of the sentences', () => {
  expect(createCall(SHOW, PARAMS)).toMatchObject({
    path: '/organizations/acme/files/linux/a%2Fb',
    action: "show 'x'@1 of acme",
    absent: 'acme has no file',
  });
});

test('a call whose parameters are not those of the operation does not compile', () => {
  const { arch, kind, ...rest } = PARAMS;
  const text: string = '/:os';
  const calls = [
    // @ts-expect-error: a parameter of the path is missing
    () => createCall(SHOW, { ...rest, kind }),
    // @ts-expect-error: a parameter of a sentence is missing
    () => createCall(SHOW, { ...rest, arch }),
    // @ts-expect-error: a parameter is misspelt
    () => createCall(SHOW, { ...PARAMS, ogr: 'acme' }),
    // @ts-expect-error: a parameter may be undefined
    () => createCall(SHOW, { ...PARAMS, os: undefined }),
    // @ts-expect-error: the text does not say where the first name ends
    () => createCall(operation('GET', '/:os/:arch', 'find :os_:arch'), PARAMS),
    // @ts-expect-error: the compiler does not know the text
    () => createCall(operation('GET', text, 'find it'), PARAMS),
  ];
  expect(calls).toHaveLength(6);
});
