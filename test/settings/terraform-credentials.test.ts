import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import { findTerraformFile, readTerraformCredentials } from '../../src/settings/terraform-credentials.ts';

const POSIX = process.platform !== 'win32';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'orgctl-terraform-'));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

const USUAL = join('.terraform.d', 'credentials.tfrc.json');

function write(path: string, content: unknown, mode = 0o600): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  chmodSync(file, mode);
  return file;
}

function readAs(env: Readonly<Record<string, string>> = {}, machine: { home?: string; cwd?: string } = {}) {
  return readTerraformCredentials({
    env,
    platform: process.platform,
    home,
    cwd: home,
    user: process.getuid?.(),
    ...machine,
  });
}

const TOKENS = { credentials: { 'app.terraform.io': { token: 'a' }, 'tfe.example:8443': { token: 'b' } } };

describe.runIf(POSIX)('the file of terraform login', () => {
  test('is read where Terraform keeps it', () => {
    const path = write(USUAL, TOKENS);
    const tokens = { 'app.terraform.io': 'a', 'tfe.example:8443': 'b' };
    expect(readAs()).toEqual({ files: [{ path, tokens, fault: undefined }], unread: [] });
  });

  test.each([{ home: '' }, { home: '/nowhere' }])('need not be there: %o', (machine) => {
    expect(readAs({}, machine)).toEqual({ files: [], unread: [] });
  });

  test('may hold what is no token', () => {
    const credentials = { a: { token: 'a' }, b: { other: 1 }, c: { token: 7 }, d: null };
    const path = write(USUAL, { credentials, more: 1 });
    expect(readAs()).toEqual({ files: [{ path, tokens: { a: 'a' }, fault: undefined }], unread: [] });
    write(USUAL, { more: 1 });
    expect(readAs().files).toEqual([{ path, tokens: {}, fault: undefined }]);
  });

  test.each(['', '{"credentials":{"a":{"token":"s3cret', '[]', 'null', '{"credentials":[]}', '{"credentials":null}'])(
    'that holds %j is named, left as it is, and not told of',
    (text) => {
      const path = write(USUAL, text);
      expect(() => readAs()).toThrow(UsageError);
      expect(() => readAs()).toThrow(path);
      expect(() => readAs()).toThrow(expect.objectContaining({ hint: expect.stringContaining('terraform login') }));
      expect(() => readAs()).toThrow(/^(?!.*s3cret)/);
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  test.each([0o640, 0o604, 0o644])('with mode %o is not used', (mode) => {
    const path = write(USUAL, TOKENS, mode);
    expect(readAs().files).toMatchObject([
      { fault: { message: `others can read ${path}, so the secrets in it are not used` } },
    ]);
  });
});

const BLOCK = 'credentials "app.terraform.io" {\n  token = "of-settings"\n}\n';

describe.runIf(POSIX)("Terraform's settings", () => {
  test('come before the file of terraform login', () => {
    const login = write(USUAL, TOKENS);
    const path = write('.terraformrc', BLOCK);
    expect(readAs().files).toEqual([
      { path, tokens: { 'app.terraform.io': 'of-settings' }, fault: undefined },
      expect.objectContaining({ path: login }),
    ]);
  });

  test.each(['TF_CLI_CONFIG_FILE', 'TERRAFORM_CONFIG'])('are elsewhere by %s', (variable) => {
    write('.terraformrc', BLOCK);
    const login = write(USUAL, TOKENS);
    const path = write('own.json', ` \n${JSON.stringify({ credentials: { 'own.example': { token: 'o' } } })}`);
    for (const named of [path, 'own.json']) {
      expect(readAs({ [variable]: named }).files).toMatchObject([
        { path, tokens: { 'own.example': 'o' } },
        { path: login },
      ]);
    }
  });

  test('are named by TF_CLI_CONFIG_FILE first, and by no empty variable', () => {
    const usual = write('.terraformrc', BLOCK);
    const path = write('own.tfrc', BLOCK);
    expect(readAs({ TF_CLI_CONFIG_FILE: path, TERRAFORM_CONFIG: usual }).files).toMatchObject([{ path }]);
    expect(readAs({ TF_CLI_CONFIG_FILE: '', TERRAFORM_CONFIG: '' }).files).toMatchObject([{ path: usual }]);
  });

  test('that are named and not there hide nothing, and that is said', () => {
    const login = write(USUAL, TOKENS);
    const absent = join(home, 'absent');
    expect(readAs({ TF_CLI_CONFIG_FILE: absent })).toEqual({
      files: [expect.objectContaining({ path: login })],
      unread: [`${absent} (from TF_CLI_CONFIG_FILE) does not exist.`],
    });
  });

  test('without tokens may be read by all, and those with some may not', () => {
    const path = write('.terraformrc', 'plugin_cache_dir = "/c"\n', 0o644);
    expect(readAs()).toEqual({ files: [], unread: [] });
    write('.terraformrc', BLOCK, 0o644);
    expect(readAs().files).toMatchObject([{ path, fault: { exit: 'usage', next: [['chmod', '600', path]] } }]);
  });

  test.each([
    ['credentials "a" {', 1],
    ['x = 1\ncredentials "a" { token = "s3cret', 2],
    ['credentials "a" { token = "s3\\qcret" }', 1],
    ['}', 1],
    ['/* never closed', 1],
    ['x = <<EOF\ns3cret\n', 1],
    ['"a\nb"', 1],
  ])('that hold %j are passed over, with the line', (text, line) => {
    const path = write('.terraformrc', text);
    expect(readAs()).toEqual({
      files: [],
      unread: [`${path} was not searched for tokens: line ${line} is not in Terraform's language.`],
    });
  });

  test('that are damaged JSON are passed over', () => {
    const path = write('own.json', '{"credentials":');
    expect(readAs({ TF_CLI_CONFIG_FILE: path }).unread).toEqual([
      `${path} was not searched for tokens: ${path} is not valid JSON.`,
    ]);
  });

  test('are read as Terraform writes them', () => {
    const text = String.raw`# credentials "commented.example" { token = "no" }
// credentials "commented.example" { token = "no" }
/* credentials "commented.example" {
   token = "no" } */
plugin_cache_dir   = "$HOME/.terraform.d/plugin-cache" # } "
notes = <<-EOF
  credentials "heredoc.example" { token = "no" }
  EOF
host "other.example" {
  services = { "modules.v1" = "https://other.example/" }
}
provider_installation {
  network_mirror { url = "https://m.example/" include = ["a/*", "$${'{'}x("y")}"] }
  credentials "nested.example" { token = "no" }
}
credentials "one.example" { token = "one" }
"credentials" "two.example:8443"
{
  user  = "token = no"
  token = "\x74w\u006f\055\"\\"
}
credentials "nothing.example" {}
credentials "deeper.example" { more { token = "no" } }
credentials_helper "vault" { args = ["token"] }`;
    write('.terraformrc', text.replaceAll('\n', '\r\n'));
    expect(readAs().files[0]?.tokens).toEqual({ 'one.example': 'one', 'two.example:8443': 'two-"\\' });
  });
});

test.each<[platform: NodeJS.Platform, home: string, env: Record<string, string>, path: string | undefined]>([
  ['linux', '/home/ana', { APPDATA: '/a' }, '/home/ana/.terraform.d/credentials.tfrc.json'],
  ['darwin', '/Users/ana', {}, '/Users/ana/.terraform.d/credentials.tfrc.json'],
  ['linux', '', {}, undefined],
  ['win32', 'C:\\Users\\ana', {}, 'C:\\Users\\ana\\AppData\\Roaming\\terraform.d\\credentials.tfrc.json'],
  ['win32', 'C:\\Users\\ana', { APPDATA: 'D:\\Data' }, 'D:\\Data\\terraform.d\\credentials.tfrc.json'],
  ['win32', '', { APPDATA: '' }, undefined],
])('on %s with the home %j and %j the file is %j', (platform, ownHome, env, path) => {
  expect(findTerraformFile({ platform, home: ownHome, env })).toBe(path);
});
