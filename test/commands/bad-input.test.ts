import { describe, expect, test } from 'vitest';
import { TOPIC_NAMES } from '../../src/old/manual/topic-names.ts';
import { createNames } from '../support/names.ts';
import { failed } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

type Environment = Readonly<Record<string, string>>;
/**
 * What is called, then each line of stderr without its beginning. Words are separated by blanks, a list where one is empty
 * or has blanks of its own; of the environment, `members list` is called.
 */
type Row = readonly [called: string | readonly string[] | Environment, ...says: readonly string[]];

const TOPICS = `→ Topics: ${TOPIC_NAMES.join(', ')}. Commands: orgctl --help`;
const BASE_URL_FORM = '→ It looks like https://app.terraform.io/api/v2.';
const HOST_FORM = '→ Give the name alone, like app.terraform.io, or use --base-url.';
const DURATION_FORM = '→ Write a whole number and a unit: 500ms, 30s, 5m, 12h, 90d, 2w, 6mo or 1y.';
const LONGEST_WAIT = '→ At most 24d.';
const YES_OR_NO = '→ Write true or false.';
const EMAIL_FORM = '→ Give it as name@example.com.';
const MEMBER_FORMS =
  '→ Use an email, a user name, a membership id (ou-…) or a user id (user-…). email:, name: or id: decides.';
const TEAM_FORMS = '→ Give a team name or a team id (team-…).';
const ADDRESS_FORMS =
  '→ Give registry/namespace/name, namespace/name, or a name alone for a private provider of the organization.';
const WHEN_FORMS =
  '→ Write an instant (2027-01-31T12:00:00Z), a date (2027-01-31), a time from now (90d, 12h, 30m, 45s, 2w, 6mo, 1y) or never.';
const AGO_FORMS =
  '→ Write an instant (2026-01-31T12:00:00Z), a date (2026-01-31) or a time before now (90d, 12h, 30m, 45s, 2w, 6mo, 1y).';
const SEED_FORMS = '→ It takes demo, empty, or members=<n>.';
const KNOWN_SETTINGS = '→ See all of them:';
const LIST_SETTINGS = '$ orgctl settings list';
const ONE_SERVICE = '→ The sandbox is a service of its own.';
const ORG_FORM = '→ Give the name as the service shows it.';
const RETRIES = '→ 0 sends every request once.';
const COMMAS = '→ Separate names with single commas: id,email.';
const TOO_BARE = 'a provider to delete needs all three parts where no one is asked';
const OTHER_NAMESPACE = 'the namespace of a private provider is its organization, and globex is not acme';

/** What cannot be read or does not go together: found out before anything is sent. */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  'commands, arguments and options': [
    ['members frobnicate', "unknown command 'frobnicate'", '→ Help: orgctl members --help'],
    ['members lits', "unknown command 'lits' (Did you mean list?)", '→ Help: orgctl members --help'],
    ['membrs list', "unknown command 'membrs' (Did you mean members?)", '→ Help: orgctl --help'],
    [`auth ${'x'.repeat(90)}`, "unknown command '…'", '→ Help: orgctl auth --help'],
    ['members list --stat=active', "unknown option '--stat'", '→ Help: orgctl members list --help'],
    [['members', 'list', "--token=it's"], "unknown option '--token'", '→ Help: orgctl members list --help'],
    [
      'members list --statsu active',
      "unknown option '--statsu' (Did you mean --status?)",
      '→ Help: orgctl members list --help',
    ],
    ['members list -tsandbox.owner', "unknown option '-t'", '→ Help: orgctl members list --help'],
    [
      'auth login sandbox.owner',
      "too many arguments for 'login'. Expected 0 arguments but got 1.",
      '→ Help: orgctl auth login --help',
    ],
    ['members list --status', "option '--status <status>' argument missing", '→ Help: orgctl members list --help'],
    [
      'members list -o xml',
      "option '-o, --output <format>' argument 'xml' is invalid. Allowed choices are table, tsv, csv, json, ndjson, markdown.",
      '→ Help: orgctl members list --help',
    ],
    ['members show', "missing required argument 'member'", '→ Help: orgctl members show --help'],
    [
      'members invite --team platform',
      'missing <email> or --file <path>',
      '→ Usage: orgctl members invite (<email...> --team <teams> | --file <path>) [options]   Help: orgctl members invite --help',
    ],
    [
      'api /organizations/acme -q .data',
      '/organizations/acme stands where the method does',
      '→ The path comes last, behind the method. What to look for in the answer is given with --query.',
    ],
    ['help membrs', "no help on 'membrs'", TOPICS],
    [
      'providers delete 10.0.0.1/acme/billing',
      "'10.0.0.1' in '10.0.0.1/acme/billing' must be public, private, registry.terraform.io or 127.0.0.1:PORT",
      ADDRESS_FORMS,
    ],
    ['providers delete billing 1.2.0', '1.2.0 is a version, and not an address', '→ Did you mean billing@1.2.0?'],
    [
      'tokens rotate organization',
      'missing --to (where the secret goes) and --expires (how long the new token is valid)',
      '→ For example: --to file:./organization-token --expires 90d. More: orgctl help rotation',
    ],
    [
      'tokens delete ci',
      "no token is called 'ci'",
      "→ A team's token with this description is team:<team>/ci; a team of this name has team:ci. See all:",
      '$ orgctl --org acme tokens list',
    ],
  ],
  'which service': [
    [
      '--sandbox --as king members list',
      "option '--as <caller>' argument 'king' is invalid. Allowed choices are owner, owners-team, org-token, member, team-manager, registry-manager, audit-token, none.",
      '→ Help: orgctl members list --help',
    ],
    [
      '--sandbox --base-url https://x.example/api/v2 members list',
      'use --sandbox or --base-url, not both',
      ONE_SERVICE,
    ],
    ['--sandbox --host x.example members list', 'use --sandbox or --host, not both', ONE_SERVICE],
    ['--as owner members list', '--as works only with --sandbox', '→ Elsewhere your token decides who you are.'],
    [
      '--base-url https://x.example/api/v2 --host x.example members list',
      'use --base-url or --host, not both',
      '→ --host is short for --base-url https://<name>/api/v2.',
    ],
    ['members list --org .', "'.' can't be the name of an organization", ORG_FORM],
    [
      'members list --org acme,globex',
      "'acme,globex' can't be the name of an organization",
      '→ Did you mean --orgs acme,globex?',
    ],
    [
      'members show ana --org acme,globex',
      "'acme,globex' can't be the name of an organization",
      '→ Give one name, without a comma.',
    ],
    ['members list --org ..', "'..' can't be the name of an organization", ORG_FORM],
    [['members', 'list', '--org', ''], '--org is empty', '→ Give a value, or leave it out.'],
    [['members', 'list', '--org', '\n'], '--org is empty', '→ Give a value, or leave it out.'],
    [
      { ORGCTL_ORG: 'acme,globex' },
      "'acme,globex' can't be the name of an organization (from ORGCTL_ORG)",
      '→ ORGCTL_ORG names one. Several are named by --orgs acme,globex.',
    ],
    ['members list --base-url nonsense', '--base-url is not an http or https URL', BASE_URL_FORM],
    ['members list --base-url ftp://x.example', '--base-url is not an http or https URL', BASE_URL_FORM],
    [
      'members list --base-url https://user:pass@x.example/api/v2',
      '--base-url contains a user name or password',
      BASE_URL_FORM,
    ],
    ['members list --base-url https://x.example/api/v2?q=1', '--base-url has a query or a fragment', BASE_URL_FORM],
    [
      'members list --base-url http://x.example/api/v2',
      'http://x.example uses plain http: anyone on the network could read your token',
      '→ Use https, or allow this host with --allow-http x.example.',
    ],
    [['members', 'list', '--base-url', ''], '--base-url is not an http or https URL', BASE_URL_FORM],
    [
      'members list --host https://x.example',
      "--host 'https://x.example' is not a host name",
      `→ Did you mean x.example? ${HOST_FORM.slice(2)}`,
    ],
    [
      { ORGCTL_BASE_URL: 'x.example' },
      'ORGCTL_BASE_URL is not an http or https URL',
      '→ Did you mean https://x.example/api/v2?',
    ],
    [
      'members list --pending-older-than 30days',
      "--pending-older-than: '30days' is not a duration",
      '→ Did you mean 30d? Write a whole number and a unit: 500ms, 30s, 5m, 12h, 90d, 2w, 6mo or 1y.',
    ],
    ['members list --host x.example/api', "--host 'x.example/api' is not a host name", HOST_FORM],
    [['members', 'list', '--host', ''], "--host '' is not a host name", HOST_FORM],
    ['members list --timeout soon', "--timeout: 'soon' is not a duration", DURATION_FORM],
    ['members list --timeout 100d', "--timeout: '100d' is too long", '→ At most 24d.'],
    ['members list --max-retries -1', "--max-retries takes a whole number from 0 to 100, not '-1'", RETRIES],
    ['members list --max-retries 101', "--max-retries takes a whole number from 0 to 100, not '101'", RETRIES],
    [
      'members list --ca-file /nowhere/ca.pem',
      "can't read the certificate file /nowhere/ca.pem: it doesn't exist",
      '→ Check the path given with --ca-file or ORGCTL_CA_FILE.',
    ],
    [
      'members list --ca-file package.json',
      'package.json has no certificate in PEM form',
      '→ It should have a line -----BEGIN CERTIFICATE-----.',
    ],
    [
      'members list --allow-http http://x.example',
      "--allow-http 'http://x.example' is not a host name",
      `→ Did you mean x.example? ${HOST_FORM.slice(2)}`,
    ],
  ],
  environment: [
    [
      { ORGCTL_ORG: '' },
      'no organization',
      '→ Add --org <name>, set ORGCTL_ORG, or store a default with settings set org <name>.',
      '$ orgctl members mine',
    ],
    [{ ORGCTL_BASE_URL: 'nonsense' }, 'ORGCTL_BASE_URL is not an http or https URL', BASE_URL_FORM],
    [{ ORGCTL_BASE_URL: '', TFE_ADDRESS: 'nonsense' }, 'TFE_ADDRESS is not an http or https URL', BASE_URL_FORM],
    [
      { ORGCTL_BASE_URL: '', TFE_HOSTNAME: 'https://x' },
      "TFE_HOSTNAME 'https://x' is not a host name",
      `→ Did you mean x? ${HOST_FORM.slice(2)}`,
    ],
    [{ ORGCTL_READ_ONLY: 'maybe' }, "ORGCTL_READ_ONLY must be true or false, not 'maybe'", YES_OR_NO],
    [
      { ORGCTL_OUTPUT: 'xml' },
      "ORGCTL_OUTPUT: unknown format 'xml'",
      '→ Formats are table, tsv, csv, json, ndjson, markdown.',
    ],
    [{ ORGCTL_NO_INPUT: 'perhaps' }, "ORGCTL_NO_INPUT must be true or false, not 'perhaps'", YES_OR_NO],
    [
      { ORGCTL_TOKEN: 'two words' },
      "ORGCTL_TOKEN contains a character that tokens don't have, such as a blank",
      '→ Copy the token again, alone on one line.',
    ],
  ],
  fields: [
    ['members list --fields id,,email', '--fields has an empty name', COMMAS],
    [['members', 'list', '--fields', ''], '--fields has an empty name', COMMAS],
    [
      'members report --fields email,2fa,Added',
      'unknown fields: 2fa, Added',
      '→ Did you mean --fields email,user.two-factor.enabled,created-at? It has: organization.id, email, user.username, status, owner, teams.name, user.two-factor.enabled, user.auth-method, user.is-service-account, created-at, id, type, is-org-two-factor-required, user, user.id, user.type, user.email, user.two-factor, user.two-factor.verified, user.avatar-url, user.permissions, teams, teams.id, teams.type, scim-identity, scim-identity.id, scim-identity.type, teams.users-count, teams.visibility, teams.sso-team-id, teams.scim-linked, teams.scim-group-name, teams.scim-updated-at, teams.scim-sync-paused, teams.is-unified, teams.hcp-resource-name, teams.non-service-users-count, teams.allow-member-token-management, teams.organization-access, teams.permissions, organization, organization.type.',
    ],
    [
      'members report --fields x',
      'unknown field: x',
      '→ It has: organization.id, email, user.username, status, owner, teams.name, user.two-factor.enabled, user.auth-method, user.is-service-account, created-at, id, type, is-org-two-factor-required, user, user.id, user.type, user.email, user.two-factor, user.two-factor.verified, user.avatar-url, user.permissions, teams, teams.id, teams.type, scim-identity, scim-identity.id, scim-identity.type, teams.users-count, teams.visibility, teams.sso-team-id, teams.scim-linked, teams.scim-group-name, teams.scim-updated-at, teams.scim-sync-paused, teams.is-unified, teams.hcp-resource-name, teams.non-service-users-count, teams.allow-member-token-management, teams.organization-access, teams.permissions, organization, organization.type.',
    ],
    [
      'providers list --fields PROVIDER,id',
      'unknown field: PROVIDER',
      '→ Did you mean --fields registry-name,namespace,name,id? It has: id, registry-name, namespace, name, created-at, type, updated-at, permissions, permissions.can-delete, organization, organization.id, organization.type, versions, registry-provider-versions.',
    ],
    [
      'members invite new@example.com --team team-platform --fields nope',
      'unknown field: nope',
      '→ It has: result, email, organization.id, id, teams.name, teams-missing, error.code, error.message, status, user.username, type, created-at, is-org-two-factor-required, user, user.id, user.type, user.email, user.two-factor, user.two-factor.enabled, user.two-factor.verified, user.is-service-account, user.auth-method, user.avatar-url, user.permissions, teams, teams.id, teams.type, scim-identity, scim-identity.id, scim-identity.type, teams.users-count, teams.visibility, teams.sso-team-id, teams.scim-linked, teams.scim-group-name, teams.scim-updated-at, teams.scim-sync-paused, teams.is-unified, teams.hcp-resource-name, teams.non-service-users-count, teams.allow-member-token-management, teams.organization-access, teams.permissions, organization, organization.type, changed, error, error.status, error.next.',
    ],
    [
      'providers delete public/hashicorp/aws --yes --fields nope',
      'unknown field: nope',
      '→ It has: result, address, id, error.code, error.message, type, changed, organization, organization.id, organization.type, error, error.status, error.next.',
    ],
    [
      'audit-token generate --yes --fields nope',
      '--fields works here only with json: stdout is the secret',
      '→ Use -o json, or leave it out.',
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
    ['members list --page 1 --limit 2', 'use --page or --limit, not both', '→ --page goes with --page-size.'],
  ],
  'email addresses': [
    ['members invite nonsense --team platform', "'nonsense' is not an email address", EMAIL_FORM],
    [
      'members invite ana@example.com,nonsense ben --team platform',
      "2 arguments can't be used",
      "'nonsense' is not an email address",
      "'ben' is not an email address",
      EMAIL_FORM,
    ],
    [
      ['members', 'remove', 'bad@', 'ou-x y', '--yes'],
      "2 arguments can't be used",
      "'bad@' is not an email address",
      "no member is called 'ou-x y'",
      `${EMAIL_FORM} ${MEMBER_FORMS.slice(2)}`,
    ],
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
    ['members list --email ,', '--email is empty', '→ Give at least one email.'],
    [['members', 'list', '--email', ''], '--email is empty', '→ Give at least one email.'],
  ],
  filters: [
    [['members', 'list', '--status', ''], '--status is empty', '→ Use invited, active or inactive.'],
    [['members', 'list', '-s', ''], '--search is empty', '→ Leave --search out to list everything.'],
    [['providers', 'list', '-s', ''], '--search is empty', '→ Leave --search out to list everything.'],
    [['providers', 'list', '--owner', ''], '--owner is empty', '→ Leave --owner out to list everything.'],
    [
      'providers list --registry both',
      "--registry must be public or private, not 'both'",
      '→ Leave it out to list both.',
    ],
  ],
  members: [
    [['members', 'show', ''], "no member is called ''", MEMBER_FORMS],
    ['members show id:nobody', "'nobody' is not a membership id or user id", MEMBER_FORMS],
    ['members show id:', "no member is called 'id:'", MEMBER_FORMS],
    ['members show name:', "no member is called 'name:'", MEMBER_FORMS],
    ['members show email:nobody', "'nobody' is not an email address", EMAIL_FORM],
    ['members show email:', "no member is called 'email:'", MEMBER_FORMS],
    [['members', 'show', 'two words'], "no member is called 'two words'", MEMBER_FORMS],
    ['members remove ou-ada nobody@ --yes', "'nobody@' is not an email address", EMAIL_FORM],
  ],
  teams: [
    ['members invite new@example.com --team id:platform', "'id:platform' is not a team name or id", TEAM_FORMS],
    ['members invite new@example.com --team name:', "'name:' is not a team name or id", TEAM_FORMS],
    ['teams members id:platform', "'id:platform' is not a team name or id", TEAM_FORMS],
    ['teams add name: ada.auditor@example.com', "'name:' is not a team name or id", TEAM_FORMS],
    [['teams', 'add', '', 'ada.auditor@example.com'], '<team> is empty', TEAM_FORMS],
    [['teams', 'add', 'platform', 'ada-auditor', '--from', ''], '--from is empty', TEAM_FORMS],
    [
      'teams remove platform',
      'missing <member> or --file <path>',
      '→ Usage: orgctl teams remove <team> (<member...> | --file <path>) [options]   Help: orgctl teams remove --help',
    ],
    ['teams remove platform ada@ --yes', "'ada@' is not an email address", EMAIL_FORM],
  ],
  'provider addresses': [
    [['providers', 'get', ''], "'' is not a provider address", ADDRESS_FORMS],
    ['providers get a/b/c/d', "'a/b/c/d' is not a provider address", ADDRESS_FORMS],
    ['providers get /aws', "'/aws' is not a provider address", ADDRESS_FORMS],
    ['providers get hashicorp/', "'hashicorp/' is not a provider address", ADDRESS_FORMS],
    [
      'providers get public/aws',
      "'public/aws' has no namespace, which a public provider needs",
      '→ Give public/namespace/name.',
    ],
    [
      'providers get secret/hashicorp/aws',
      "'secret' in 'secret/hashicorp/aws' must be public, private, registry.terraform.io or 127.0.0.1:PORT",
      ADDRESS_FORMS,
    ],
    ['providers get private/globex/reactor', OTHER_NAMESPACE, '→ Use private/acme/reactor, or add --org globex.'],
    ['providers get ..', "'..' is not a provider address", ADDRESS_FORMS],
    ['providers get public/../aws', "'public/../aws' is not a provider address", ADDRESS_FORMS],
    [['providers', 'get', 'two words'], "'two words' is not a provider address", ADDRESS_FORMS],
    ['providers delete hashicorp/aws --yes', TOO_BARE, '→ Did you mean public/hashicorp/aws?'],
    ['providers delete inventory --yes', TOO_BARE, '→ Did you mean private/acme/inventory?'],
  ],
  'points in time and lengths of time': [
    ['audit-token generate --yes --expires yesterday', "can't read 'yesterday' as a date", WHEN_FORMS],
    [
      'audit-token generate --yes --expires 2020-01-01',
      '2020-01-01 is in the past',
      '→ A date is 00:00 UTC of that day: give a later day, or an instant.',
    ],
    [['audit-token', 'generate', '--yes', '--expires', ''], "can't read '' as a date", WHEN_FORMS],
    ['audit-trail list --since tomorrow', "can't read 'tomorrow' as a date", AGO_FORMS],
    [
      'audit-token show --fail-if-expires-within soon',
      "--fail-if-expires-within: 'soon' is not a duration",
      DURATION_FORM,
    ],
    // Each becomes a timer, which holds 24 days and a little.
    ['audit-trail follow --interval 25d', "--interval: '25d' is too long", LONGEST_WAIT],
    ['audit-token rotate --to file:x --expires 1d --settle 1mo', "--settle: '1mo' is too long", LONGEST_WAIT],
    ['audit-token rotate --to file:x --expires 1d --lock-wait 25d', "--lock-wait: '25d' is too long", LONGEST_WAIT],
  ],
  'the sandbox': [
    ['sandbox reset --seed nope', 'unknown seed: nope', SEED_FORMS],
    ['sandbox reset --seed members=many', 'unknown seed: members=many', SEED_FORMS],
    ['sandbox serve --seed members=9999999', 'unknown seed: members=9999999', SEED_FORMS],
    ['sandbox serve --like cloud', 'unknown kind of service: cloud', '→ It takes document, hosted, enterprise.'],
    [
      'sandbox serve --like hosted --document-only',
      'use --document-only or --like hosted, not both',
      "→ --document-only goes with the document's rules.",
    ],
    ...['serve', 'info', 'reset', 'accept ana@example.com'].map(
      (verb): Row => [
        ['sandbox', ...verb.split(' '), '--state', ''],
        '--state is empty',
        '→ Give a file, or :memory: to keep nothing.',
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
    ['sandbox serve --latency 1y', "--latency: '1y' is too long", LONGEST_WAIT],
    [
      'sandbox serve --rate-limit some',
      "--rate-limit takes a whole number, not 'some'",
      '→ For example: --rate-limit 30',
    ],
    [
      'sandbox serve --fault nonsense',
      'can\'t read the fault "nonsense": it has another form',
      'A fault is METHOD words: [nth=N] action.',
      'METHOD is GET, HEAD, POST, PUT, PATCH, DELETE or *; words are part of the path, or *.',
      'The action is a status from 400 to 599, reset-before, reset-after-commit, delay=200ms, html or truncate.',
      '→ For example: "POST authentication-token: nth=1 reset-after-commit"',
    ],
    [
      'sandbox accept nobody@example.com',
      'nobody@example.com has no invitation to any organization of the sandbox',
      '→ Send an invitation first. members list --status invited shows who has one.',
    ],
  ],
  settings: [
    ['settings get nope', 'unknown setting: nope', KNOWN_SETTINGS, LIST_SETTINGS],
    ['settings get token', 'the token is not a setting', '→ For where it comes from, see:', '$ orgctl auth status'],
    ['settings set nope x', 'unknown setting: nope', KNOWN_SETTINGS, LIST_SETTINGS],
    ['settings set timeout soon', "timeout: 'soon' is not a duration", DURATION_FORM],
    ['settings unset nope', 'unknown setting: nope', KNOWN_SETTINGS, LIST_SETTINGS],
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
  const reasons = rest.filter((line) => !/^[→$] /.test(line));
  const next = rest.filter((line) => line.startsWith('$ ')).map((line) => line.slice('$ '.length));
  const hint = rest.find((line) => line.startsWith('→ '))?.slice('→ '.length);
  const others = { hint, next: next.length === 0 ? undefined : next };
  return { error: { code, exit: 2, message, reasons: reasons.length === 0 ? undefined : reasons, ...others } };
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

test('names that are given again add up, and of other values the last one counts', () =>
  transcript()`
    $ --org globex members list --org acme -o csv -o tsv --email ada.auditor@example.com --fields email
    ada.auditor@example.com
    $ members list --email ada.auditor@example.com --fields email --fields status,email --email nobody@example.com
    ada.auditor@example.com\tactive
  `);

test('no token: exit 4, and how to give one', () =>
  transcript({ env: { ORGCTL_TOKEN: '', ORGCTL_CONFIG_DIR: '/nowhere' } })`
    $ members list
    ! orgctl: no token for http://127.0.0.1:PORT
    !   → Log in, or set ORGCTL_TOKEN. To try orgctl without an account, add --sandbox.
    !   $ orgctl auth login
    = 4, nothing sent
  `);
