import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { failed, toText } from '../support/run.ts';
import { startService } from '../support/service.ts';

const FOLDER = fileURLToPath(new URL('../fixtures/lock-files/', import.meta.url));
const toPath = (name: string): string => join(FOLDER, `${name}.hcl`);

async function check(names: readonly string[], options: readonly string[] = [], stdin?: string) {
  const service = await startService();
  const argv = ['providers', 'check', ...names, ...options];
  const result = await service.run(argv, {
    env: { ORGCTL_BASE_URL: service.url },
    ...(stdin === undefined ? {} : { stdin }),
  });
  return { ...result, asked: service.requests.map(({ method, path }) => `${method} ${path}`), service };
}

/** `+ address` for one that is listed, `- address` for one that is not. */
async function readRows(name: string, stdin?: string): Promise<{ code: number; rows: readonly string[] }> {
  const text = stdin ?? readFileSync(toPath(name), 'utf8').replaceAll('app.terraform.io', 'SERVICE');
  const service = await startService();
  const { code, stdout } = await service.run(['providers', 'check', '-'], {
    stdin: text.replaceAll('SERVICE', new URL(service.url).host),
  });
  const rows = stdout.split('\n').slice(0, -1);
  return {
    code,
    rows: rows.map((row) => {
      const [status, address, file] = row.split('\t');
      expect(file).toBe('stdin');
      return `${status === 'listed' ? '+' : '-'} ${address}`;
    }),
  };
}

describe('a lock file', () => {
  test.each<[string, number, readonly string[]]>([
    ['listed', 0, ['+ public/hashicorp/aws', '+ public/hashicorp/random']],
    ['none', 0, []],
    ['hidden', 13, ['+ public/hashicorp/aws', '- public/hashicorp/google', '+ public/hashicorp/random']],
    ['escapes', 13, ['+ public/hashicorp/aws', '- public/hashicorp/google', '- public/hashicorp/null']],
    ['tofu', 13, ['- registry.opentofu.org/hashicorp/aws', '- registry.opentofu.org/integrations/github']],
    ['private', 13, ['+ private/acme/internal-dns', '+ private/acme/inventory', '- private/globex/reactor']],
    [
      'elsewhere',
      13,
      ['localhost:8443/dev/toy', 'public/hashicorp/aws', 'registry.example.com/hashicorp/aws']
        .concat('registry.example.com/platform/vault')
        .map((address) => `- ${address}`),
    ],
    ['windows', 13, ['- public/hashicorp/google']],
    ['bom-one-line', 0, ['+ public/hashicorp/aws']],
    ['comments', 0, ['+ public/hashicorp/random']],
    ['legacy', 13, ['- public/-/aws', '+ public/hashicorp/aws']],
    [
      'many',
      13,
      ['archive', 'aws', 'cloudinit', 'dns', 'external', 'google', 'http', 'kubernetes', 'local', 'null', 'random']
        .concat(['template', 'time', 'tls'])
        .map((name) => `${['aws', 'random'].includes(name) ? '+' : '-'} public/hashicorp/${name}`),
    ],
  ])('%s', async (name, code, rows) => {
    expect(await readRows(name)).toEqual({ code, rows });
    // As a checkout on Windows has it.
    const text = readFileSync(toPath(name), 'utf8').replaceAll('app.terraform.io', 'SERVICE').replaceAll('\n', '\r\n');
    expect(await readRows(name, text)).toEqual({ code, rows });
  });
});

test('files are read together, with one list, and what is missing is named', async () => {
  const names = ['listed', 'windows', 'legacy', 'listed'].map(toPath);
  const { code, stdout, stderr, asked } = await check(names);
  const [listed, windows, legacy] = names;
  expect({ code, stdout, stderr, asked }).toEqual({
    code: 13,
    stdout: toText(
      `not-listed\tpublic/-/aws\t${legacy}`,
      `listed\tpublic/hashicorp/aws\t${listed},${legacy}`,
      `not-listed\tpublic/hashicorp/google\t${windows}`,
      `listed\tpublic/hashicorp/random\t${listed}`,
    ),
    stderr: toText(
      "orgctl: acme doesn't list 2 of 4 providers",
      `  public/-/aws (${legacy})`,
      `  public/hashicorp/google (${windows})`,
      '  → Add them:',
      '  $ orgctl --org acme providers create public/hashicorp/google',
    ),
    asked: ['GET /api/v2/organizations/acme/registry-providers?page%5Bsize%5D=100'],
  });
});

test('people read it as a table', async () => {
  const { code, stdout, stderr } = await check([toPath('elsewhere')], ['-o', 'markdown']);
  expect(stderr).toMatch(/\n {2}→ They come from registries that the organization has no list of\.\n$/);
  expect({ code, stdout }).toEqual({
    code: 13,
    stdout: toText(
      '| PROVIDER | STATUS | FILE |',
      '| --- | --- | --- |',
      `| localhost:8443/dev/toy | not listed | ${toPath('elsewhere')} |`,
      `| public/hashicorp/aws | not listed | ${toPath('elsewhere')} |`,
      `| registry.example.com/hashicorp/aws | not listed | ${toPath('elsewhere')} |`,
      `| registry.example.com/platform/vault | not listed | ${toPath('elsewhere')} |`,
    ),
  });
});

test('what Terraform keeps for modules to come is passed over', async () => {
  const text = `module "./network" {\n}\n${readFileSync(toPath('none'), 'utf8')}`;
  expect(await check(['-'], [], text)).toMatchObject({ code: 0, stdout: '', asked: [] });
});

test('a file without providers asks nothing', async () => {
  const { code, stdout, asked } = await check([toPath('none')], ['-o', 'json']);
  expect({ code, stdout, asked }).toEqual({ code: 0, stdout: '[]\n', asked: [] });
});

test.each([
  ['provider "aws" {\n  region = "eu"\n}\n', 'it has a block provider aws'],
  ['resource "a" "b" {}\n', 'it has a block resource a b'],
  ['provider "registry.terraform.io/hashicorp/aws" {\n', "line 2 is not in Terraform's language"],
  [
    'provider "registry.terraform.io/hashicorp/aws" {\n  provider "registry.terraform.io/hashicorp/tls" {\n  }\n}\n',
    "line 2 is not in Terraform's language",
  ],
  [
    `provider "registry.terraform.io/hashicorp/\${"aws"}" {\n}\n`,
    'it has a block provider registry.terraform.io/hashicorp/${',
  ],
  ['provider "registry.terraform.io/hashicorp/\\x61ws" {\n}\n', "line 1 is not in Terraform's language"],
  [`provider "a" {\n  hashes = ["zh:\${{"]\n}\n`, "line 2 is not in Terraform's language"],
  ['provider "a" {\n  hashes = [<<EOT\n  EOT .\n]\n}\n', "line 6 is not in Terraform's language"],
  [`provider "a" {\n  hashes = ${'['.repeat(200)}`, "line 2 is not in Terraform's language"],
  ['/* provider "a" {\n}\n', "line 1 is not in Terraform's language"],
  ['provider "registry.terraform.io/../aws" {}\n', 'it has a block provider registry.terraform.io/../aws'],
  ['{"provider": 1}\n', "line 1 is not in Terraform's language"],
  ['a = 1\n', "line 1 is not in Terraform's language"],
  ['}\n', "line 1 is not in Terraform's language"],
])('%j is no lock file, and nothing is sent', async (text, why) => {
  const { code, stdout, stderr, asked } = await check([toPath('windows'), '-'], [], text);
  const hint = 'It should be a .terraform.lock.hcl, as terraform init writes it.';
  expect({ code, stdout, stderr }).toEqual(failed(2, `orgctl: stdin is not a lock file: ${why}\n  → ${hint}\n`));
  expect(asked).toEqual([]);
});

test('a file that is missing, or none at all', async () => {
  expect(await check(['/nowhere/x.hcl'])).toMatchObject({
    code: 2,
    stderr:
      "orgctl: can't read /nowhere/x.hcl: it doesn't exist\n  → Check the path after providers check (- is stdin).\n",
    asked: [],
  });
  expect(await check([])).toMatchObject({ code: 2, asked: [] });
});

const terraform = spawnSync('terraform', ['version']).status === 0;
if (!terraform) process.stderr.write('skipped: terraform is not installed, so it writes no lock file to read\n');

test.skipIf(!terraform)('what terraform init itself writes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const platform = execFileSync('terraform', ['version', '-json'], { encoding: 'utf8', env: quiet(folder) });
  const { platform: machine } = JSON.parse(platform) as { platform: string };
  for (const [source, version] of [
    ['registry.terraform.io/hashicorp/aws', '6.8.0'],
    ['app.terraform.io/globex/reactor', '2.0.0'],
  ]) {
    const name = String(source).split('/').at(-1);
    const file = join(
      folder,
      'plugins',
      String(source),
      String(version),
      machine,
      `terraform-provider-${name}_v${version}`,
    );
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '#!/bin/sh\nexit 1\n');
    chmodSync(file, 0o755);
  }
  writeFileSync(
    join(folder, 'main.tf'),
    'terraform {\n  required_providers {\n    aws = { source = "hashicorp/aws" }\n    reactor = { source = "app.terraform.io/globex/reactor" }\n  }\n}\n',
  );
  execFileSync('terraform', ['init', '-backend=false', `-plugin-dir=${join(folder, 'plugins')}`], {
    cwd: folder,
    env: quiet(folder),
    stdio: 'pipe',
  });
  const text = readFileSync(join(folder, '.terraform.lock.hcl'), 'utf8').replaceAll('app.terraform.io', 'SERVICE');
  expect(await readRows('terraform', text)).toEqual({
    code: 13,
    rows: ['- private/globex/reactor', '+ public/hashicorp/aws'],
  });
});

test.skipIf(!terraform)('what Terraform reads of escapes, templates and braces', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(toPath('escapes'), join(folder, '.terraform.lock.hcl'));
  const text = execFileSync('terraform', ['version', '-json'], { cwd: folder, encoding: 'utf8', env: quiet(folder) });
  const { provider_selections: selections } = JSON.parse(text) as { provider_selections: object };
  const names = ['aws', 'google', 'null'];
  expect(Object.keys(selections)).toEqual(names.map((name) => `registry.terraform.io/hashicorp/${name}`));
});

function quiet(home: string): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: home, CHECKPOINT_DISABLE: '1' };
}
