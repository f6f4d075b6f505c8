import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { OrgctlError } from '../../../src/old/errors.ts';
import { createJournal } from '../../../src/old/rotation/journal.ts';
import { readRecoveryFile } from '../../../src/old/rotation/recovery.ts';
import { getEnvValue, setEnvValue } from '../../../src/old/rotation/sinks/env-text.ts';
import { checkProfiles, readProfiles } from '../../../src/old/settings/profile.ts';
import { resolveSettings, toSettingRows } from '../../../src/old/settings/resolve-settings.ts';
import { createSettingsStore } from '../../../src/old/settings/store.ts';
import { readTerraformCredentials } from '../../../src/old/settings/terraform-credentials.ts';
import { resolveToken } from '../../../src/old/settings/token.ts';
import { listWords } from '../../support/text.ts';
import { mutated, toBytes } from './bytes.ts';
import { onlyKnownErrorsNow, refusePollution } from './laws.ts';
import { reader, type Target, Violation } from './target.ts';
import { words } from './words.ts';

/** Readers of files: of people, of settings and secrets, and orgctl's own. */

/** A target of a reader that takes the path of a file. */
function onDisk<Input>(
  name: string,
  inputs: fc.Arbitrary<Input>,
  run: (input: Input, write: (path: string, latin: string) => string, folder: string) => Promise<void> | void,
): Target {
  return {
    name,
    inputs,
    tried: 120,
    async run(input) {
      const folder = mkdtempSync(join(tmpdir(), 'orgctl-fuzz-'));
      const write = (path: string, latin: string): string => {
        const whole = join(folder, path);
        mkdirSync(dirname(whole), { recursive: true });
        writeFileSync(whole, toBytes(latin), { mode: 0o600 });
        return whole;
      };
      try {
        await run(input as Input, write, folder);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

const CONFIGS = [
  '{"org":"acme","base-url":"https://app.terraform.io/api/v2","output":"json","quiet":true,"timeout":"30s","max-retries":4}',
  '{"profiles":{"staging":{"org":"globex","base-url":"https://x.example/api/v2","to":["file:/x"],"expires":"90d"}},"allow-http":["localhost"],"unknown":1}',
];
const CONFIG_WORDS = listWords(`
  "org": "base-url": "profiles": "__proto__": "constructor": null true 1e9 [] {} "to": "timeout":"
  "max-retries": "allow-http":
`);

const configs = onDisk(
  'config-file',
  fc.record({ text: mutated(CONFIGS, CONFIG_WORDS), profile: words(['staging', '__proto__', 'constructor']) }),
  ({ text, profile }, write, folder) => {
    write('config.json', text);
    const store = createSettingsStore(folder, { user: process.getuid?.() });
    onlyKnownErrorsNow(() => {
      const config = store.readConfig();
      checkProfiles(config, 'config.json');
      const profiles = readProfiles(config);
      const settings = Object.hasOwn(profiles, profile) ? profiles[profile] : undefined;
      for (const named of [
        undefined,
        { name: profile, source: '--profile' as const, settings: settings ?? {}, isNew: false },
      ]) {
        const rows = toSettingRows(resolveSettings({ options: {}, env: {}, config, profile: named }));
        JSON.parse(JSON.stringify(rows));
      }
    });
    refusePollution();
  },
);

const CREDENTIALS = [
  '{"credentials":{"https://app.terraform.io":{"token":"a.atlasv1.b"},"x.example":{"token":"c"}}}',
  '{"credentials":{},"profiles":{"staging":{"origin":"https://x.example","token":"t"}}}',
];
const TERRAFORM = [
  '{"credentials":{"app.terraform.io":{"token":"a.atlasv1.b"},"x.example:8443":{"token":"c"}}}',
  '{"credentials":{"app.terraform.io":{"token":1,"other":null},"__proto__":{"token":"x"}}}',
];
const TOKEN_WORDS = listWords(`
  "credentials": "profiles": "token": "origin": "__proto__": app.terraform.io https:// null {} :443 @
  x.example { }
`);

/** With any content: a token that is found belongs to the service, and can be sent in a header. */
function judgeChoice(choice: ReturnType<typeof resolveToken>, baseUrl: string): void {
  if (!choice.found) return;
  if (choice.origin !== new URL(baseUrl).origin) throw new Violation(`a token of ${choice.origin} for ${baseUrl}`);
  if (!/^[\x21-\x7e]+$/.test(choice.value ?? ''))
    throw new Violation(`no header can carry ${JSON.stringify(choice.value)}`);
}

const SERVICES = ['https://app.terraform.io/api/v2', 'https://x.example/api/v2', 'https://x.example:8443/api/v2'];

const credentials = onDisk(
  'credentials-file',
  fc.record({
    text: mutated(CREDENTIALS, TOKEN_WORDS),
    terraform: mutated(TERRAFORM, TOKEN_WORDS),
    profile: words(['staging']),
    baseUrl: fc.constantFrom(...SERVICES),
  }),
  ({ text, terraform, profile, baseUrl }, write, folder) => {
    write('credentials.json', text);
    write('.terraform.d/credentials.tfrc.json', terraform);
    const store = createSettingsStore(folder, { user: process.getuid?.() });
    const machine = { env: {}, platform: process.platform, home: folder, user: process.getuid?.() };
    for (const named of [undefined, { name: profile, source: 'ORGCTL_PROFILE' as const, settings: {}, isNew: false }]) {
      const choice = onlyKnownErrorsNow(() =>
        resolveToken({
          baseUrl,
          env: {},
          profile: named,
          readCredentials: store.readCredentials,
          readProfileToken: store.readProfileToken,
          readTerraform: () => readTerraformCredentials(machine),
        }),
      );
      if (!(choice instanceof OrgctlError)) judgeChoice(choice, baseUrl);
    }
    refusePollution();
  },
);

const JOURNALS = [
  '{"open":{"run":"r1","startedAt":"2026-11-21T09:00:00Z","phase":"minting","mintingSince":"2026-11-21T09:00:01.5Z","posts":1,"recovery":"undelivered-token-00ff","doubtful":["undelivered-token-0"],"temporaries":["/x/.f.orgctl-00ff"],"before":{"id":"at-1","createdAt":"2026-01-01T00:00:00Z","expiredAt":null}},"version":1}',
  '{"last":{"id":"at-2","fingerprint":"sha256:0123456789abcdef","deliveredAt":"2026-11-21T09:00:00Z","verified":null,"sinks":["file:/x"]},"version":1,"newer":{"__proto__":1}}',
];
const JOURNAL_WORDS = listWords(`
  "version": "open": "recovery": "undelivered-token- ../undelivered-token-1 "phase":"unknown" / .. \\u0000
  "temporaries": .orgctl-ff null 1e999 "doubtful":
`);

const journals = onDisk(
  'journal',
  fc.record({ text: mutated(JOURNALS, JOURNAL_WORDS) }),
  async ({ text }, write, folder) => {
    write('rotation.json', text);
    const journal = createJournal(folder, { unique: '00ff', user: process.getuid?.() });
    const state = onlyKnownErrorsNow(() => journal.read());
    if (!(state instanceof OrgctlError)) {
      const { recovery, doubtful = [] } = state.open ?? { recovery: join(folder, 'x') };
      for (const path of [recovery, ...doubtful]) if (dirname(path) !== folder) throw new Violation(`leads to ${path}`);
      await journal.write(state);
      if (!isDeepStrictEqual(journal.read(), state)) throw new Violation('is another after it was written');
    }
    refusePollution();
  },
);

const RECOVERIES = [
  'a-secret\n{"id":"at-1","organization":"acme","origin":"https://app.terraform.io","fingerprint":"sha256:3c8b3f6e0e5c6f0a"}\n',
  'a-secret',
  `a-secret\n{"id":"at-1"}\n${'\0'.repeat(64)}`,
  '\0\0\0\0',
];

const recoveries = onDisk(
  'recovery-file',
  fc.record({ text: mutated(RECOVERIES, ['\n', '{', '\0', '"id":', '"fingerprint":']) }),
  ({ text }, write) => {
    const path = write('undelivered-token-00ff', text);
    const kept = onlyKnownErrorsNow(() => readRecoveryFile(path));
    if (kept !== undefined && !(kept instanceof OrgctlError) && kept.secret.includes('\0'))
      throw new Violation('a secret with a NUL');
    refusePollution();
  },
);

const ENV_FILES = [
  'A=1\nexport TOKEN="x y" # why\n',
  "TOKEN='a\nb'\r\nB=`c`\r\n",
  '\ufeffTOKEN=\n#TOKEN=2\nC=d\\\ne\n',
];

const envFiles = reader(
  'env-file',
  fc.record({
    text: mutated(ENV_FILES, ['TOKEN', '=', "'", '"', '`', '\\', '\n', '\r\n', '#', 'export ', '$', '${']),
    value: words(['a.atlasv1.b']),
  }),
  ({ text, value }) => {
    let written: string;
    try {
      written = setEnvValue(text, 'TOKEN', value);
    } catch (error) {
      // The message is plain, and the sink passes it on.
      if (error instanceof Error && error.constructor === Error) return;
      throw error;
    }
    if (getEnvValue(written, 'TOKEN') !== value)
      throw new Violation(`wrote ${JSON.stringify(value)}, and it reads otherwise`);
  },
);

export const FILE_TARGETS: readonly Target[] = [configs, credentials, journals, recoveries, envFiles];
