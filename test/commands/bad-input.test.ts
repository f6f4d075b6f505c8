import { describe, expect, test } from 'vitest';
import { SETTINGS } from '../../src/settings/settings.ts';
import { createNames } from '../support/names.ts';
import { failed } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { expectTranscript } from '../support/transcript.ts';

type Environment = Readonly<Record<string, string>>;
/**
 * What is called, then each line of stderr without its beginning. Words are separated by blanks, a list where one is empty
 * or has blanks of its own; of the environment, `members list` is called.
 */
type Row = readonly [called: string | readonly string[] | Environment, ...says: readonly string[]];

const SEE_HELP = '→ See orgctl --help, or --help after a command.';
const BASE_URL_FORM = '→ Give it like https://app.terraform.io/api/v2.';
const HOST_FORM = '→ Give the name alone, like app.terraform.io; for anything else there is --base-url.';
const DURATION_FORM = '→ Write a whole number and a unit: 500ms, 30s, 5m, 12h, 90d, 2w, 6mo or 1y.';
const YES_OR_NO = '→ Write true or false.';
const EMAIL_FORM = '→ Give it as name@example.com.';
const MEMBER_FORMS =
  '→ Give a membership id (ou-…), a user id (user-…), an email or a user name; id:, email: or name: in front decides.';
const ADD_TEAM = '→ Add --team with the name or id of a team.';
const TEAM_FORMS = '→ Give a team id (team-…) or a team name.';
const ADDRESS_FORMS =
  '→ Give registry/namespace/name, namespace/name, or a name alone for a private provider of the organization.';
const WHEN_FORMS =
  '→ Write an instant (2027-01-31T12:00:00Z), a date (2027-01-31), a time from now (90d, 12h, 30m, 45s, 2w, 6mo, 1y) or never.';
const AGO_FORMS =
  '→ Write an instant (2026-01-31T12:00:00Z), a date (2026-01-31) or a time before now (90d, 12h, 30m, 45s, 2w, 6mo, 1y).';
const SEED_FORMS = '→ Give demo, empty, or members=100000.';
const KNOWN_SETTINGS = `→ The settings are ${SETTINGS.map(({ name }) => name).join(', ')}.`;
const FAULT_FORM = [
  'a fault is METHOD words: [nth=N | every=N] action',
  'METHOD is GET, POST, DELETE or *; words are part of the path, or *',
  'the action is a status from 400 to 599, reset-before, reset-after-commit, delay=200ms, html or truncate',
  '→ For example: "POST authentication-token: nth=1 reset-after-commit"',
];
const ONE_SERVICE = '→ The sandbox is a service of its own.';
const ORG_FORM = '→ Give the name as the service shows it.';
const RETRIES = '→ 0 sends every request once.';
const COMMAS = '→ Separate names with single commas: id,email.';
const TOO_BARE = 'without a terminal a provider to delete is named in all three parts';
const NO_TEAM = 'no team is named: everybody invited must be added to at least one';
const NOT_JSONAPI =
  '{"error":{"code":"usage","exit":2,"message":"--fields cannot be used with jsonapi, which prints whole documents","hint":"Use json or ndjson to choose fields."}}';
const OTHER_NAMESPACE = "a private provider's namespace is its organization: globex is not acme";
const FIELDS_FORM = '→ Give names from this list, separated by commas.';

/** What cannot be read or does not go together: found out before anything is sent. */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  'commands, arguments and options': [
    ['members frobnicate', "unknown command 'frobnicate'", SEE_HELP],
    ['members lits', "unknown command 'lits'", 'Did you mean list?', SEE_HELP],
    ['membrs list', "unknown command 'membrs'", 'Did you mean members?', SEE_HELP],
    ['members list extra', "too many arguments for 'list'. Expected 0 arguments but got 1.", SEE_HELP],
    ['members list --statsu invited', "unknown option '--statsu'", 'Did you mean --status?', SEE_HELP],
    ['members list --status', "option '--status <status>' argument missing", SEE_HELP],
    ['members show', "missing required argument 'member'", SEE_HELP],
    ['members show a b', "too many arguments for 'show'. Expected 1 argument but got 2.", SEE_HELP],
    ['members invite --team platform', 'nobody is named', '→ Give addresses, or a file of people with --file.'],
    ['members remove --yes', 'nobody is named', '→ Give members, or a file of people with --file.'],
    [
      'members list -o xml',
      "option '-o, --output <format>' argument 'xml' is invalid. Allowed choices are table, tsv, csv, json, ndjson, jsonapi.",
      SEE_HELP,
    ],
    ['members list --no-inputs', "unknown option '--no-inputs'", 'Did you mean --no-input?', SEE_HELP],
  ],
  'which service': [
    [
      '--sandbox --as king members list',
      "option '--as <caller>' argument 'king' is invalid. Allowed choices are owner, owners-team, org-token, member, team-manager, registry-manager, audit-token, none.",
      SEE_HELP,
    ],
    [
      '--sandbox --base-url https://x.example/api/v2 members list',
      '--sandbox and --base-url exclude each other',
      ONE_SERVICE,
    ],
    ['--sandbox --host x.example members list', '--sandbox and --host exclude each other', ONE_SERVICE],
    ['--as owner members list', '--as goes with --sandbox', '→ On a real service the token decides who calls.'],
    [
      '--base-url https://x.example/api/v2 --host x.example members list',
      '--base-url and --host exclude each other',
      '→ Give one of them.',
    ],
    ['members list --org .', "'.' cannot be the name of an organization", ORG_FORM],
    ['members list --org ..', "'..' cannot be the name of an organization", ORG_FORM],
    [['members', 'list', '--org', ''], '--org is empty', '→ Give a value, or leave it out.'],
    [['members', 'list', '--org', '\n'], '--org is empty', '→ Give a value, or leave it out.'],
    ['members list --base-url nonsense', '--base-url is not an http or https URL', BASE_URL_FORM],
    ['members list --base-url ftp://x.example', '--base-url is not an http or https URL', BASE_URL_FORM],
    [
      'members list --base-url https://user:pass@x.example/api/v2',
      '--base-url holds a user name or password',
      BASE_URL_FORM,
    ],
    ['members list --base-url https://x.example/api/v2?q=1', '--base-url has a query or a fragment', BASE_URL_FORM],
    [
      'members list --base-url http://x.example/api/v2',
      'http://x.example is plain http: a token would cross the network readable by all',
      '→ Use https, or allow it for this host with --allow-http x.example.',
    ],
    [['members', 'list', '--base-url', ''], '--base-url is not an http or https URL', BASE_URL_FORM],
    ['members list --host https://x.example', "--host 'https://x.example' is not a host name", HOST_FORM],
    ['members list --host x.example/api', "--host 'x.example/api' is not a host name", HOST_FORM],
    [['members', 'list', '--host', ''], "--host '' is not a host name", HOST_FORM],
    ['members list --timeout soon', "--timeout: 'soon' is not a duration", DURATION_FORM],
    ['members list --timeout 100d', "--timeout: '100d' is too long", '→ At most 24d.'],
    ['members list --max-retries -1', "--max-retries takes a whole number from 0 to 100, not '-1'", RETRIES],
    ['members list --max-retries 101', "--max-retries takes a whole number from 0 to 100, not '101'", RETRIES],
    [
      'members list --ca-file /nowhere/ca.pem',
      'the certificate file /nowhere/ca.pem cannot be read: there is no such file',
      '→ Check the path given with --ca-file or ORGCTL_CA_FILE.',
    ],
    [
      'members list --ca-file package.json',
      'package.json holds no certificate in PEM form',
      '→ It should hold -----BEGIN CERTIFICATE-----.',
    ],
    ['members list --allow-http http://x.example', "--allow-http 'http://x.example' is not a host name", HOST_FORM],
  ],
  environment: [
    [
      { ORGCTL_ORG: '' },
      'no organization is named',
      '→ Name it with --org or ORGCTL_ORG, or store it with: orgctl settings set org <name>',
    ],
    [{ ORGCTL_BASE_URL: 'nonsense' }, 'ORGCTL_BASE_URL is not an http or https URL', BASE_URL_FORM],
    [{ ORGCTL_BASE_URL: '', TFE_ADDRESS: 'nonsense' }, 'TFE_ADDRESS is not an http or https URL', BASE_URL_FORM],
    [{ ORGCTL_BASE_URL: '', TFE_HOSTNAME: 'https://x' }, "TFE_HOSTNAME 'https://x' is not a host name", HOST_FORM],
    [{ ORGCTL_READ_ONLY: 'maybe' }, "ORGCTL_READ_ONLY is 'maybe', which is neither yes nor no", YES_OR_NO],
    [
      { ORGCTL_OUTPUT: 'xml' },
      "ORGCTL_OUTPUT: 'xml' is not an output format",
      '→ Formats are table, tsv, csv, json, ndjson, jsonapi.',
    ],
    [{ ORGCTL_NO_INPUT: 'perhaps' }, "ORGCTL_NO_INPUT is 'perhaps', which is neither yes nor no", YES_OR_NO],
    [
      { ORGCTL_TOKEN: 'two words' },
      'ORGCTL_TOKEN is not a token: it holds spaces or other characters that no token has',
      '→ Copy the token again, alone on one line.',
    ],
  ],
  fields: [
    ['members list --fields id,,email', '--fields holds an empty name', COMMAS],
    [['members', 'list', '--fields', ''], '--fields holds an empty name', COMMAS],
    ['members list -o jsonapi --fields id', NOT_JSONAPI],
    [
      'members invite new@example.com --team team-platform --fields nope',
      "unknown field 'nope'",
      'known fields of memberships: changed, created-at, email, error, error.code, error.message, error.next, error.status, id, is-org-two-factor-required, organization, organization.id, result, status, teams, teams-missing, teams.id, teams.name, type, user, user.auth-method, user.email, user.id, user.is-service-account, user.two-factor, user.username',
      FIELDS_FORM,
    ],
    [
      'members remove ou-ada --yes --fields nope',
      "unknown field 'nope'",
      'known fields of removals: asked, changed, email, error, error.code, error.message, error.next, error.status, id, organization, organization.id, result, teams, teams-missing, teams.id, teams.name, type',
      FIELDS_FORM,
    ],
    [
      'providers create hashicorp/null --fields nope',
      "unknown field 'nope'",
      'known fields of providers: address, changed, created-at, error, error.code, error.message, error.next, error.status, id, name, namespace, organization, organization.id, permissions, permissions.can-delete, registry-name, registry-provider-versions, result, type, updated-at, versions',
      FIELDS_FORM,
    ],
    [
      'providers delete public/hashicorp/aws --yes --fields nope',
      "unknown field 'nope'",
      'known fields of removals: address, changed, error, error.code, error.message, error.next, error.status, id, result, type',
      FIELDS_FORM,
    ],
    [
      'audit-token generate --yes --fields nope',
      "unknown field 'nope'",
      'known fields of audit trail tokens: changed, created-at, created-by, created-by.id, created-by.type, description, expired-at, id, last-used-at, token, type',
      FIELDS_FORM,
    ],
  ],
  counts: [
    ['members list --page 0', "--page takes a whole number from 1, not '0'", '→ For example: --page 20'],
    ['members list --page two', "--page takes a whole number from 1, not 'two'", '→ For example: --page 20'],
    ['members list --page 1.5', "--page takes a whole number from 1, not '1.5'", '→ For example: --page 20'],
    ['members list --page-size 0', "--page-size takes a whole number from 1, not '0'", '→ For example: --page-size 20'],
    [
      ['members', 'list', '--page-size', ''],
      "--page-size takes a whole number from 1, not ''",
      '→ For example: --page-size 20',
    ],
    ['members list --limit 0', "--limit takes a whole number from 1, not '0'", '→ For example: --limit 20'],
    [
      'members list --page 1 --limit 2',
      '--page and --limit exclude each other',
      '→ Use --page with --page-size, or --limit alone.',
    ],
  ],
  'email addresses': [
    ['members invite nonsense --team platform', "'nonsense' is not an email address", EMAIL_FORM],
    ['members invite ana@example --team platform', "'ana@example' is not an email address", EMAIL_FORM],
    ['members invite ana@@example.com --team platform', "'ana@@example.com' is not an email address", EMAIL_FORM],
    [
      'members invite ana@example.com;ben@example.com --team platform',
      "'ana@example.com;ben@example.com' is not an email address",
      EMAIL_FORM,
    ],
    [
      ['members', 'invite', 'Ana <ana@example.com>', '--team', 'platform'],
      "'Ana <ana@example.com>' is not an email address",
      EMAIL_FORM,
    ],
    [['members', 'invite', 'ana@example.com', '', '--team', 'platform'], "'' is not an email address", EMAIL_FORM],
    ['members list --email nonsense', "'nonsense' is not an email address", EMAIL_FORM],
    ['members list --email ,', '--email is empty', '→ Give at least one address.'],
    [['members', 'list', '--email', ''], '--email is empty', '→ Give at least one address.'],
  ],
  filters: [
    [['members', 'list', '--status', ''], '--status is empty', '→ Give invited, active or inactive.'],
    [['members', 'list', '-s', ''], '--search is empty', '→ Leave --search out to list everything.'],
    [['providers', 'list', '-s', ''], '--search is empty', '→ Leave --search out to list everything.'],
    [['providers', 'list', '--owner', ''], '--owner is empty', '→ Leave --owner out to list everything.'],
    ['providers list --registry both', "--registry is public or private, not 'both'", '→ Leave it out to list both.'],
  ],
  members: [
    [['members', 'show', ''], "'' names no member", MEMBER_FORMS],
    ['members show id:nobody', "'nobody' is no membership or user id", MEMBER_FORMS],
    ['members show id:', "'id:' names no member", MEMBER_FORMS],
    ['members show name:', "'name:' names no member", MEMBER_FORMS],
    ['members show email:nobody', "'nobody' is not an email address", EMAIL_FORM],
    ['members show email:', "'email:' names no member", MEMBER_FORMS],
    [['members', 'show', 'two words'], "'two words' names no member", MEMBER_FORMS],
    ['members remove ou-ada nobody@ --yes', "'nobody@' is not an email address", EMAIL_FORM],
  ],
  teams: [
    ['members invite new@example.com', NO_TEAM, ADD_TEAM],
    [['members', 'invite', 'new@example.com', '--team', ''], NO_TEAM, ADD_TEAM],
    ['members invite new@example.com --team id:platform', "'id:platform' names no team", TEAM_FORMS],
    ['members invite new@example.com --team name:', "'name:' names no team", TEAM_FORMS],
  ],
  'provider addresses': [
    [['providers', 'get', ''], "'' is not a provider address", ADDRESS_FORMS],
    ['providers get', 'no provider is named', ADDRESS_FORMS],
    ['providers create', 'no provider is named', ADDRESS_FORMS],
    ['providers delete --yes', 'no provider is named', ADDRESS_FORMS],
    ['providers get a/b/c/d', "'a/b/c/d' is not a provider address", ADDRESS_FORMS],
    ['providers get /aws', "'/aws' is not a provider address", ADDRESS_FORMS],
    ['providers get hashicorp/', "'hashicorp/' is not a provider address", ADDRESS_FORMS],
    [
      'providers get public/aws',
      "'public/aws' lacks the namespace of a public provider",
      '→ Give public/namespace/name.',
    ],
    [
      'providers get secret/hashicorp/aws',
      "'secret' in 'secret/hashicorp/aws' is neither public, private, registry.terraform.io nor 127.0.0.1:PORT",
      ADDRESS_FORMS,
    ],
    [
      'providers get private/globex/reactor',
      OTHER_NAMESPACE,
      '→ Give private/acme/reactor, or another organization with --org.',
    ],
    ['providers get ..', "'..' is not a provider address", ADDRESS_FORMS],
    ['providers get public/../aws', "'public/../aws' is not a provider address", ADDRESS_FORMS],
    [['providers', 'get', 'two words'], "'two words' is not a provider address", ADDRESS_FORMS],
    [
      'providers get hashicorp/aws --name aws',
      'an address and --registry, --namespace or --name exclude each other',
      ADDRESS_FORMS,
    ],
    ['providers get --registry both --name aws', "--registry is public or private, not 'both'", ADDRESS_FORMS],
    ['providers get --namespace hashicorp', '--name is missing', ADDRESS_FORMS],
    ['providers get --registry public --name aws', '--namespace is missing: a public provider has one', ADDRESS_FORMS],
    [
      'providers create --registry private --namespace globex --name aws',
      OTHER_NAMESPACE,
      '→ Give private/acme/aws, or another organization with --org.',
    ],
    ['providers delete hashicorp/aws --yes', TOO_BARE, '→ If that one is meant, give public/hashicorp/aws.'],
    ['providers delete inventory --yes', TOO_BARE, '→ If that one is meant, give private/acme/inventory.'],
  ],
  'points in time and lengths of time': [
    ['audit-token generate --yes --expires yesterday', "'yesterday' is not a point in time", WHEN_FORMS],
    [
      'audit-token generate --yes --expires 2020-01-01',
      '2020-01-01 is 2020-01-01T00:00:00Z, which is not in the future',
      '→ A date means 00:00 UTC of that day: give a later day, or an instant.',
    ],
    [['audit-token', 'generate', '--yes', '--expires', ''], "'' is not a point in time", WHEN_FORMS],
    ['audit-trail list --since tomorrow', "'tomorrow' is not a point in time", AGO_FORMS],
    [
      'audit-token show --fail-if-expires-within soon',
      "--fail-if-expires-within: 'soon' is not a duration",
      DURATION_FORM,
    ],
  ],
  'the sandbox': [
    ['sandbox reset --seed nope', "'nope' is not a seed", SEED_FORMS],
    ['sandbox reset --seed members=many', "'members=many' is not a seed", SEED_FORMS],
    ['sandbox serve --seed members=9999999', "'members=9999999' is not a seed", SEED_FORMS],
    ...['serve', 'info', 'reset', 'accept ana@example.com'].map(
      (verb): Row => [
        ['sandbox', ...verb.split(' '), '--state', ''],
        '--state is empty',
        '→ Name a file, or :memory: to keep nothing.',
      ],
    ),
    [
      'sandbox serve --port 70000',
      "--port takes a whole number from 0 to 65535, not '70000'",
      '→ For example: --port 8480',
    ],
    [
      'sandbox serve --port http',
      "--port takes a whole number from 0 to 65535, not 'http'",
      '→ For example: --port 8480',
    ],
    ['sandbox serve --latency slow', "--latency: 'slow' is not a duration", DURATION_FORM],
    [
      'sandbox serve --rate-limit some',
      "--rate-limit takes a whole number, not 'some'",
      '→ For example: --rate-limit 30',
    ],
    [
      'sandbox serve --fault nonsense',
      `the fault "nonsense" is not understood: it does not have the form of one`,
      ...FAULT_FORM,
    ],
    [
      'sandbox accept nobody@example.com',
      'nobody with the email nobody@example.com is invited to any organization of the sandbox',
      '→ Invite somebody first, or look who waits: members list --status invited, with --sandbox.',
    ],
  ],
  settings: [
    ['settings get nope', "there is no setting 'nope'", KNOWN_SETTINGS],
    [
      'settings get token',
      'the token is not a setting: it is kept apart, and never printed',
      '→ For where the token in force comes from, see settings list.',
    ],
    ['settings set nope x', "there is no setting 'nope'", KNOWN_SETTINGS],
    ['settings set timeout soon', "timeout: 'soon' is not a duration", DURATION_FORM],
    ['settings unset nope', "there is no setting 'nope'", KNOWN_SETTINGS],
  ],
};

const isEnvironment = (called: Row[0]): called is Environment => typeof called === 'object' && !Array.isArray(called);

function toCall(called: Row[0]): { readonly argv: readonly string[]; readonly env: Environment } {
  if (isEnvironment(called)) return { argv: ['members', 'list'], env: called };
  return { argv: typeof called === 'string' ? called.split(' ') : called, env: {} };
}

function toTitle(called: Row[0]): string {
  const { argv, env } = toCall(called);
  return [
    ...Object.entries(env).map(([name, value]) => `${name}=${JSON.stringify(value)}`),
    ...argv.map((word) => (/^[^\s"]+$/.test(word) ? word : JSON.stringify(word))),
  ].join(' ');
}

/** The same as the error object on stderr. */
function toErrorObject([message, ...rest]: readonly string[], code: string): object {
  const reasons = rest.filter((line) => !line.startsWith('→ '));
  const hint = rest.find((line) => line.startsWith('→ '))?.slice('→ '.length);
  return { error: { code, exit: 2, message, reasons: reasons.length === 0 ? undefined : reasons, hint } };
}

for (const [about, rows] of Object.entries(ROWS)) {
  describe(`nothing is sent, exit 2: ${about}`, () => {
    for (const row of rows) {
      const [called, ...says] = row;
      const { argv, env } = toCall(called);
      const run = async (...more: readonly string[]) => {
        const service = await startService();
        const { plain, real } = await createNames(service.sandbox);
        const result = await service.run([...more, ...argv.map(real)], { env });
        expect(service.requests).toEqual([]);
        return { ...result, stderr: plain(result.stderr) };
      };

      test(toTitle(called), async () => {
        const isJson = says[0]?.startsWith('{');
        const lines = says.map((line, index) => (isJson ? line : index === 0 ? `orgctl: ${line}` : `  ${line}`));
        expect(await run()).toEqual({ code: 2, stdout: '', stderr: lines.map((line) => `${line}\n`).join('') });
      });

      // As an object every error is written by the same code: one of a kind is enough, and those with a code of their own.
      const hasOwnCode = says[0]?.startsWith('unknown field') === true;
      if (row !== rows[0] && !hasOwnCode) continue;
      if (argv.includes('-o') || env['ORGCTL_OUTPUT'] !== undefined) continue;
      test(`-o json ${toTitle(called)}`, async () => {
        const code = hasOwnCode ? 'unknown-field' : 'usage';
        expect(await run('-o', 'json')).toEqual(failed(2, `${JSON.stringify(toErrorObject(says, code))}\n`));
      });
    }
  });
}

test('no token: exit 4, and how to give one', () =>
  expectTranscript(
    `
    $ members list
    ! orgctl: no token for http://127.0.0.1:PORT
    !   → Set ORGCTL_TOKEN, or store a token with auth login. To try orgctl without an account, add --sandbox.
    !   $ orgctl auth login
    = 4, nothing sent
  `,
    { env: { ORGCTL_TOKEN: '', ORGCTL_CONFIG_DIR: '/nowhere' } },
  ));
