import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../support/files.ts';
import { startService } from '../support/service.ts';

const CSV = 'email;teams\r\nada.auditor@example.com;audit\r\n';
const PLAN = `${JSON.stringify([{ action: 'remove', id: 'ou-1', organization: { id: 'acme' } }])}\r\n`;
const ROSTER = 'members:\r\n- email: ada.auditor@example.com\r\n  teams: [audit]\r\n';
const REPORT = 'organization.id;email;owner\r\nacme;ada.auditor@example.com;FALSE\r\n';
const LOCK = 'provider "registry.terraform.io/hashicorp/aws" {\r\n}\r\n';

/** Everything that reads text, from a file or from stdin. */
const READERS: [argv: string, text: string][] = [
  ['members remove --dry-run --file', CSV],
  ['members invite --dry-run --file', CSV],
  ['teams add platform --dry-run --file', CSV],
  ['members plan --file', CSV],
  ['members plan --file', ROSTER],
  ['members apply --dry-run --file', ROSTER],
  ['members apply --dry-run --file roster.yaml --plan', PLAN],
  ['members report --against', REPORT],
  ['providers check', LOCK],
  ['api POST /organizations/acme/teams --dry-run --input', '{"data": {}}\r\n'],
];

/** What spreadsheets, editors and PowerShell write. */
const ENCODINGS: [name: string, encode: (text: string) => Buffer][] = [
  ['a BOM', (text) => Buffer.from(`\ufeff${text}`)],
  ['UTF-16LE', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16BE', (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
];

test.each(READERS)('%s: text in other encodings is the same text', async (argv, text) => {
  const service = await startService();
  const home = createFolder();
  writeFileSync(join(home, 'roster.yaml'), ROSTER);
  const read = async (bytes: Buffer) => {
    writeFileSync(join(home, 'input'), bytes);
    const fromFile = await service.run([...argv.split(' '), 'input'], { home });
    const fromStdin = await service.run([...argv.split(' '), '-'], { home, stdin: bytes });
    expect(fromStdin.stdout).toBe(fromFile.stdout.replace('input', 'stdin'));
    expect(fromStdin.code).toBe(fromFile.code);
    return fromFile;
  };
  const plain = await read(Buffer.from(text));
  expect(plain.stderr).not.toMatch(/^orgctl: (?!\d (difference|changes))/m);
  for (const [name, encode] of ENCODINGS) expect({ name, ...(await read(encode(text))) }).toEqual({ name, ...plain });
  for (const bytes of [Buffer.from('PK\x03\x04', 'latin1'), Buffer.from('zo\xeb', 'latin1')]) {
    const { code, stdout, stderr } = await read(bytes);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^orgctl: input is (a workbook, or another archive, not text|not UTF-8: line 1)\n/),
    });
  }
});

test.each<[plan: string, stdin: string, message: string]>([
  ['-', ROSTER, 'only one file can be stdin'],
  ['plan.json', ROSTER, 'plan.json: an object has the key action twice'],
])('members apply --file - --plan %s', async (plan, stdin, message) => {
  const service = await startService();
  const home = createFolder();
  writeFileSync(join(home, 'plan.json'), PLAN.replace('{', '{"action":"invite",'));
  const { code, stderr } = await service.run(['members', 'apply', '--file', '-', '--plan', plan], { home, stdin });
  expect({ code, stderr }).toEqual({ code: 2, stderr: `orgctl: ${message}\n` });
});

test.each([
  ['ORGCTL_TOKEN', '"a.token"', 'ORGCTL_TOKEN has quotes around it'],
  ['ORGCTL_TOKEN', 'a.to\u200bken', 'ORGCTL_TOKEN has invisible characters: U+200B'],
  ['ORGCTL_ORG', "'acme'", 'ORGCTL_ORG has quotes around it'],
  ['ORGCTL_ORG', 'globex,ac\u00adme', 'ORGCTL_ORG has invisible characters: U+00AD'],
  ['ORGCTL_BASE_URL', '"https://tfe.example.com/api/v2"', 'ORGCTL_BASE_URL has quotes around it'],
])('%s=%s as docker --env-file passes it, or copied', async (name, value, message) => {
  const service = await startService();
  const { code, stderr } = await service.run(['members', 'list'], { env: { [name]: value } });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`orgctl: ${message}\n`) });
  expect(stderr).not.toContain('token"');
  expect(service.requests).toEqual([]);
});

test.each([
  'members show "ada-auditor"',
  'members list --email ada.auditor\u200b@example.com',
  'members list --team aud\u2060it',
  'teams members “audit”',
  'members list --org ac\u200dme',
  'providers list --owner ac\u200dme',
  'members list --host tfe\u00ad.example.com',
])('%s: 2', async (line) => {
  const service = await startService();
  const { code, stderr } = await service.run(line.split(' '));
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/has (quotes around it|invisible chara)/),
  });
});
