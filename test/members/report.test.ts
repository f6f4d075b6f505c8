import { expect, test } from 'vitest';
import { compareReports, findUnknown, parseReport } from '../../src/members/report.ts';

const HEADER = 'organization.id;email;status;owner;user.two-factor.enabled;user.is-service-account';
const read = (...lines: string[]) => [...parseReport([HEADER, ...lines].join('\r\n'), 'old.csv').values()].flat();
const NOW = [
  {
    email: 'ana@x.co',
    status: 'active',
    owner: true,
    user: { 'two-factor': { enabled: false } },
    organization: { id: 'acme' },
  },
];

test.each([
  ['FALSE', 'TRUE'],
  ['False', 'True'],
  ['0', '1'],
  ['no', ' YES '],
  ['FALSCH', 'WAHR'],
  ['FAUX', 'VRAI'],
  ['FALSO', 'VERDADERO'],
])('an owner %s with a second factor %s, as spreadsheets write it', (owner, twoFactor) => {
  const rows = compareReports(read(`acme;ana@x.co;active;${owner};${twoFactor};`), NOW);
  expect(rows.map(({ change }) => change)).toEqual(['owner-gained', '2fa-lost']);
});

test.each([
  ['acme;ana@x.co;active;x;true;', "line 2: owner is 'x', neither true nor false"],
  ['acme;ana@x.co;active;2;true;', "line 2: owner is '2', neither true nor false"],
  ['acme;ana@x.co;active;true;unknown;', "line 2: user.two-factor.enabled is 'unknown', neither true nor false"],
  ['acme;ana@x.co;active;true;true;-', "line 2: user.is-service-account is '-', neither true nor false"],
  ['acme;;active;true;true;', 'line 2: it names nobody: email and id are empty'],
  [';ana@x.co;active;true;true;', 'line 2: it names no organization'],
  ['acme;ana\u200b@x.co;active;true;true;', "line 2: 'ana<U+200B>@x.co' has invisible characters: U+200B"],
  ['ac\u00adme;ana@x.co;active;true;true;', "line 2: 'ac<U+00AD>me' has invisible characters: U+00AD"],
  ['acme;ana@x.co;act', 'line 2: it has fewer cells than the header'],
  ['acme;ana@x.co;active;true;true', 'line 2: it has fewer cells than the header'],
  [
    'acme;ana@x.co;active;true;true;\nACME;Ana@x.co;active;false;true;',
    'line 3: it differs from an earlier row of ana@x.co in ACME',
  ],
])('%s is refused', (line, message) => expect(() => read(line)).toThrow(`old.csv: ${message}`));

test.each([
  ['organization.id,email,owner,owner\nacme,a@x.co,true,false', 'the columns owner and owner mean the same'],
  ['organization,organization.id,email,owner\n', 'the columns organization and organization.id mean the same'],
  ['[{"email":"a@x.co","owner":true,"owner":false}]', 'an object has the key owner twice'],
  [
    '[{"organization":{"id":"a"},"email":"a@x.co","owner":"maybe"}]',
    "entry 1: owner is 'maybe', neither true nor false",
  ],
  [
    '[{"organization":{"id":"a"},"email":"a@x.co","owner":null,"user":{"two-factor":{"enabled":"?"}}}]',
    "entry 1: user.two-factor.enabled is '?', neither true nor false",
  ],
])('%s is refused', (text, message) => expect(() => parseReport(text, 'old.csv')).toThrow(`old.csv: ${message}`));

test('a row that stands twice counts once', () => {
  const line = 'acme;ana@x.co;active;true;true;';
  expect(read(line, 'globex;ana@x.co;active;false;true;', line)).toHaveLength(2);
});

test.each([
  ['acme;ana@x.co;active;true;;', ['2FA of ana@x.co']],
  ['acme;ana@x.co;active;;false;', ['owner of ana@x.co']],
  ['acme;ana@x.co;invited;false;;', []],
  ['acme;bot@x.co;active;false;;TRUE', []],
])('what %s does not show', (line, unknown) => expect(findUnknown([], read(line))).toEqual(unknown));

test('a report that is read now has the status and the teams of everybody', () => {
  const [ana, eve] = [
    { email: 'ana@x.co', owner: false, user: { 'two-factor': { enabled: true } } },
    { email: 'eve@x.co' },
  ];
  expect(findUnknown([{ ...ana, status: 'active', teams: [] }, ana])).toEqual([
    'status of ana@x.co',
    'teams of ana@x.co',
  ]);
  expect(findUnknown([], [eve])).toEqual(['owner of eve@x.co', '2FA of eve@x.co']);
});
