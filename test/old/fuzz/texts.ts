import { dirname } from 'node:path';
import fc from 'fast-check';
import { readWord } from '../../../src/old/commands/completion/quoting.ts';
import { parseEmail } from '../../../src/old/email.ts';
import { OrgctlError } from '../../../src/old/errors.ts';
import { isNameSafe } from '../../../src/old/names.ts';
import { toAddresses } from '../../../src/old/resources/provider-address.ts';
import { parseSinks } from '../../../src/old/rotation/sinks/parse.ts';
import { toRequest } from '../../../src/old/service/operations.ts';
import { chooseProxy } from '../../../src/old/service/proxy.ts';
import { organizationStateDirectory, serviceStateDirectory } from '../../../src/old/settings/directories.ts';
import {
  resolveProxies,
  resolveSettings,
  toProxyRows,
  toSettingRows,
} from '../../../src/old/settings/resolve-settings.ts';
import { SETTINGS } from '../../../src/old/settings/settings.ts';
import { resolveToken } from '../../../src/old/settings/token.ts';
import { splitWords } from '../../../src/old/subprocess/split-words.ts';
import { toPlainBlock, toPlainJson, toPlainText } from '../../../src/old/text/plain-text.ts';
import { toFullTime } from '../../../src/old/text/time.ts';
import { parseAgo, parseDuration, parseWhen, toUtcText } from '../../../src/old/when.ts';
import { parseFault } from '../../../src/sandbox/faults.ts';
import { SandboxInputError } from '../../../src/sandbox/input-error.ts';
import { listWords } from '../../support/text.ts';
import { createSurroundings } from '../rotation/sinks/surroundings.ts';
import { onlyKnownErrorsNow, refuseControls, refusePollution } from './laws.ts';
import { reader, type Target, Violation } from './target.ts';
import { weighted, words } from './words.ts';

/** What people and their environment write: words, names, addresses, times, variables. */

const NOW = Date.UTC(2026, 10, 21, 9);

const emails = reader(
  'email',
  words([...listWords('ana@example.com a@b.c @ . <ana@example.com> ana@example.com,ben@example.com x@y'), '"a b"@c.d']),
  (text) => {
    const email = onlyKnownErrorsNow(() => parseEmail(text));
    if (email instanceof OrgctlError) return;
    if (email.length > 254 || /[\s,;<>\p{Cc}]/u.test(email)) throw new Violation(`takes ${JSON.stringify(email)}`);
  },
  1_000,
);

const times = reader(
  'times',
  words([
    ...listWords(`
    90d 12h 30m 500ms 2w 6mo 1y never 0d 2027-01-31 2027-02-29 2027-01-31T12:00:00Z 2027-01-31T12:00
    9999-12-31T23:59:59-23:59 0000-01-01 99999999999999999999d 1e3d １２d d T Z - +
  `),
    '2027-01-31 12:00:00.5+0200',
  ]),
  (text) => {
    const when = onlyKnownErrorsNow(() => parseWhen(text, NOW));
    if (!(when instanceof OrgctlError) && when !== 'never') judgeMoment(when.at, (at) => at > NOW);
    const ago = onlyKnownErrorsNow(() => parseAgo(text, NOW));
    if (!(ago instanceof OrgctlError)) judgeMoment(ago, (at) => at <= NOW);
    const duration = onlyKnownErrorsNow(() => parseDuration(text, '--timeout'));
    if (!(duration instanceof OrgctlError) && !(Number.isSafeInteger(duration) && duration > 0))
      throw new Violation(`lasts ${duration} ms`);
    if (typeof toFullTime(text, NOW) !== 'string') throw new Violation('a time that is no text');
  },
  1_000,
);

function judgeMoment(at: Date, isRight: (at: number) => boolean): void {
  if (!isRight(at.getTime()) || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(toUtcText(at)))
    throw new Violation(`means ${at.getTime()}`);
}

const SETTING = { organization: 'acme', serviceHost: 'app.terraform.io' };
const addressWord = words(
  listWords(`
  hashicorp/aws public/hashicorp/aws private/acme/x x registry.terraform.io/a/b app.terraform.io/acme/x acme
  public private
`),
);

const addresses = reader(
  'provider-address',
  fc.record({ texts: fc.array(addressWord, { maxLength: 3 }) }),
  ({ texts }) => {
    const parsed = onlyKnownErrorsNow(() => toAddresses(texts, SETTING));
    if (parsed instanceof OrgctlError) return;
    for (const { address } of parsed) {
      const sent = onlyKnownErrorsNow(
        () => toRequest({ operation: 'get-provider', parameters: { organization: 'acme', ...address } }).path,
      );
      if (!(sent instanceof OrgctlError)) judgePath(sent, '/organizations/acme/registry-providers/', 3);
    }
  },
  500,
);

/** The path that a server reads has the intended segments, and begins with the intended ones. */
function judgePath(sent: string, below: string, segments: number): void {
  const { pathname, search, hash, host } = new URL(`http://service.invalid/api/v2${sent}`);
  const rest = pathname.slice(`/api/v2${below}`.length);
  const isBelow =
    pathname.startsWith(`/api/v2${below}`) && rest.split('/').length === segments && !rest.split('/').includes('');
  if (!isBelow || search !== '' || hash !== '' || host !== 'service.invalid')
    throw new Violation(`leads to ${pathname}${search}${hash}`);
}

const names = reader(
  'names',
  fc.record({
    name: words(['acme', 'ou-1', 'team-1']),
    origin: words(['https://app.terraform.io', 'https://x.example:8443', 'sandbox']),
  }),
  ({ name, origin }) => {
    const sent = onlyKnownErrorsNow(() => toRequest({ operation: 'show-member', parameters: { id: name } }).path);
    if (!(sent instanceof OrgctlError)) judgePath(sent, '/organization-memberships/', 1);
    if (!isNameSafe(name) || !isNameSafe(origin)) return;
    const folder = organizationStateDirectory('/state', origin, name);
    const parents = [dirname(dirname(folder)), dirname(serviceStateDirectory('/state', origin))];
    if (parents.some((parent) => parent !== '/state') || /[*\0]/.test(folder))
      throw new Violation(`keeps state in ${folder}`);
  },
  1_000,
);

const commandWord = words([
  'vault kv put secret/x token=-',
  "sh -c 'cat > x'",
  '"a b"',
  "'",
  '\\',
  'a\\\nb',
  '$(x)',
  '*',
]);

const commands = reader(
  'command-words',
  commandWord,
  (text) => {
    const split = onlyKnownErrorsNow(() => splitWords(text, '--to exec:'));
    if (!(split instanceof OrgctlError) && !(split.length > 0 && split.every((word) => typeof word === 'string'))) {
      throw new Violation(`makes ${JSON.stringify(split)}`);
    }
    for (const shell of ['bash', 'zsh', 'fish', 'powershell'] as const) {
      if (readWord(text, shell).text.length > text.length) throw new Violation(`grows in ${shell}`);
    }
  },
  1_000,
);

const SURROUNDINGS = createSurroundings({ env: { PATH: '/nowhere' }, user: undefined, cwd: '/work' });

const place = fc
  .tuple(
    fc.constantFrom('file:', 'env-file:', 'exec:', 'github-output:', 'stdout', ''),
    words(['/run/secrets/audit', 'x#KEY', 'NAME', 'vault kv put x token=-', '~/x', '#', '-']),
    fc.constantFrom('', '#KEY', '/', '#'),
  )
  .map((parts) => parts.join(''));

const places = reader(
  'sinks',
  fc.array(place, { minLength: 1, maxLength: 3 }),
  (texts) => {
    const sinks = onlyKnownErrorsNow(() => parseSinks(texts, SURROUNDINGS));
    if (sinks instanceof OrgctlError) return;
    if (sinks.length !== texts.length || new Set(sinks).size !== texts.length) throw new Violation('places are lost');
    if (sinks.findIndex(({ kind }) => kind === 'stdout') >= 0 && sinks.at(-1)?.kind !== 'stdout') {
      throw new Violation('stdout is not last');
    }
  },
  500,
);

const FAULTS = [
  'POST authentication-token: nth=1 reset-after-commit',
  'GET *: 503',
  '* *: delay=200ms',
  'GET x: nth=2 html',
];
const FAULT_PARTS = [...listWords('GET * : nth= 1 0 999999999999 503 delay= ms s 9e9 html'), ' ', ': ', '\t', '\n'];

const faults = reader(
  'faults',
  fc.oneof(
    words([...FAULTS, 'GET', ':', ' ']),
    fc.array(fc.constantFrom(...FAULT_PARTS), { maxLength: 12 }).map((all) => all.join('')),
  ),
  (text) => {
    try {
      parseFault(text);
    } catch (error) {
      if (!(error instanceof SandboxInputError)) throw error;
    }
  },
  500,
);

const screenTexts = reader(
  'screen-text',
  words(['\u001b', '\u001b]', '\u009d', '\u0007', '\u001b\\', '[31m', '\u0090', '\u009c']),
  (text) => {
    for (const shown of [toPlainText(text), toPlainBlock(text)]) {
      refuseControls(shown, 'what is shown');
      if (/\p{Surrogate}/u.test(shown)) throw new Violation('half of a character is shown');
    }
    if (/[\n\r\u2028\u2029\t]/.test(toPlainText(text))) throw new Violation('more than a line');
    const json = toPlainJson(JSON.stringify(text));
    refuseControls(json, 'json');
    if (JSON.parse(json) !== text) throw new Violation('says something else');
  },
  1_000,
);

const VARIABLES = [
  ...new Set(SETTINGS.flatMap(({ environment }) => environment)),
  ...listWords('HTTPS_PROXY HTTP_PROXY NO_PROXY https_proxy no_proxy'),
];
const VALUES = listWords(`
  https://app.terraform.io/api/v2 https://user:pass@x.example/ x.example x.example:8443 http://proxy:3128
  user:pa%ss@proxy [::1] [::1]:8080 10.0.0.0/8 .example * json table 30s 1 yes acme
  app.terraform.io,10.0.0.0/8 ::1/128 ftp://x http:// https://[ x:99999 : :: [
`);

const environments = reader(
  'environment',
  fc.record({
    env: fc.dictionary(fc.constantFrom(...VARIABLES), words(VALUES), { maxKeys: 6 }),
    service: fc.constantFrom(
      'https://app.terraform.io',
      'http://x.example:8080',
      'https://[2001:db8::1]/',
      'https://10.1.2.3/',
    ),
  }),
  ({ env, service }) => {
    onlyKnownErrorsNow(() => {
      const rows = toSettingRows(resolveSettings({ options: {}, env, config: {}, profile: undefined }));
      JSON.parse(JSON.stringify(rows));
      const [first] = rows;
      if (first?.name !== 'base-url' || !URL.canParse(String(first.value)))
        throw new Violation(`the base URL is ${String(first?.value)}`);
    });
    if (toProxyRows(env).some(({ value }) => /:pass@|pa%ss@/.test(String(value))))
      throw new Violation('a password is shown');
    const proxies = resolveProxies(env);
    const proxy = onlyKnownErrorsNow(() => chooseProxy(new URL(service), proxies));
    const said = proxy instanceof OrgctlError ? [proxy.message, ...proxy.reasons, proxy.hint].join(' ') : '';
    if (/\bpass\b|pa%ss/.test(said)) throw new Violation(`shows a password: ${said}`);
    refusePollution();
  },
  500,
);

const tokenPart = fc.oneof(
  fc.constantFrom(...listWords('app terraform io _ __ ___ . - xn-- x example :443 / @ %2e é')),
  words([]),
);
const tokenName = weighted(
  [3, fc.constantFrom('ORGCTL_TOKEN', 'TFE_TOKEN', 'TFE_ADDRESS', 'TFE_HOSTNAME')],
  [5, fc.array(tokenPart, { maxLength: 7 }).map((all) => `TF_TOKEN_${all.join('')}`)],
  [
    2,
    fc
      .constantFrom(...listWords('app_terraform_io app.terraform.io x__y_example xn--caf-dma_fr café_fr'))
      .map((name) => `TF_TOKEN_${name}`),
  ],
);

const tokenVariables = reader(
  'token-variables',
  fc.record({
    env: fc.dictionary(tokenName, words(['a.atlasv1.b', ' t\n', 'two words', 'https://x.example', 'x-y.example']), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
    baseUrl: fc.constantFrom(
      'https://app.terraform.io/api/v2',
      'https://x-y.example/api/v2',
      'https://xn--caf-dma.fr/api/v2',
      'http://127.0.0.1:1/api/v2',
    ),
  }),
  ({ env, baseUrl }) => {
    const choice = onlyKnownErrorsNow(() =>
      resolveToken({
        baseUrl,
        env,
        profile: undefined,
        readCredentials: () => ({}),
        readProfileToken: () => undefined,
        readTerraform: () => undefined,
      }),
    );
    if (choice instanceof OrgctlError || !choice.found) return;
    if (choice.origin !== new URL(baseUrl).origin || !/^[\x21-\x7e]+$/.test(choice.value ?? ''))
      throw new Violation(`found ${JSON.stringify(choice)}`);
    if (choice.source.startsWith('TF_TOKEN_') && new URL(baseUrl).hostname !== toHost(choice.source)) {
      throw new Violation(`${choice.source} for ${baseUrl}`);
    }
  },
  500,
);

/** As Terraform reads the name of its variable, independent of orgctl's code. */
function toHost(variable: string): string {
  const hyphens = variable
    .slice('TF_TOKEN_'.length)
    .split('__')
    .map((part) => part.split('_').join('.'))
    .join('-');
  return new URL(`https://${hyphens}`).hostname;
}

export const TEXT_TARGETS: readonly Target[] = [
  emails,
  times,
  addresses,
  names,
  commands,
  places,
  faults,
  screenTexts,
  environments,
  tokenVariables,
];
