import { describe, expect, test } from 'vitest';
import { SETTINGS } from '../../src/settings/settings.ts';
import { createNames } from '../support/names.ts';
import { startService } from '../support/service.ts';

interface Row {
  /** Words separated by blanks; a list where a word is empty or has blanks of its own. */
  readonly argv: string | readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Each line of stderr: what is wrong, and what to do. */
  readonly says: readonly string[];
}

const SEE_HELP = '  → See orgctl --help, or --help after a command.';
const BASE_URL_FORM = '  → Give it like https://app.terraform.io/api/v2.';
const HOST_FORM = '  → Give the name alone, like app.terraform.io; for anything else there is --base-url.';
const DURATION_FORM = '  → Write a whole number and a unit: 500ms, 30s, 5m, 12h, 90d, 2w, 6mo or 1y.';
const YES_OR_NO = '  → Write true or false.';
const EMAIL_FORM = '  → Give it as name@example.com.';
const MEMBER_FORMS =
  '  → Give a membership id (ou-…), a user id (user-…), an email or a user name; id:, email: or name: in front decides.';
const ADD_TEAM = '  → Add --team with the name or id of a team.';
const TEAM_FORMS = '  → Give a team id (team-…) or a team name.';
const ADDRESS_FORMS =
  '  → Give registry/namespace/name, namespace/name, or a name alone for a private provider of the organization.';
const WHEN_FORMS =
  '  → Write an instant (2027-01-31T12:00:00Z), a date (2027-01-31), a time from now (90d, 12h, 30m, 45s, 2w, 6mo, 1y) or never.';
const AGO_FORMS =
  '  → Write an instant (2026-01-31T12:00:00Z), a date (2026-01-31) or a time before now (90d, 12h, 30m, 45s, 2w, 6mo, 1y).';
const SEED_FORMS = '  → Give demo, empty, or members=100000.';
const KNOWN_SETTINGS = `  → The settings are ${SETTINGS.map(({ name }) => name).join(', ')}.`;
const FAULT_FORM = [
  '  a fault is METHOD words: [nth=N | every=N] action',
  '  METHOD is GET, POST, DELETE or *; words are part of the path, or *',
  '  the action is a status from 400 to 599, reset-before, reset-after-commit, delay=200ms, html or truncate',
  '  → For example: "POST authentication-token: nth=1 reset-after-commit"',
];
const FIELDS_FORM = '  → Give names from this list, separated by commas.';

/** What cannot be read or does not go together: found out before anything is sent. */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  'commands, arguments and options': [
    { argv: 'members frobnicate', says: ["orgctl: unknown command 'frobnicate'", SEE_HELP] },
    { argv: 'membrs list', says: ["orgctl: unknown command 'membrs'", '  Did you mean members?', SEE_HELP] },
    {
      argv: 'members list extra',
      says: ["orgctl: too many arguments for 'list'. Expected 0 arguments but got 1.", SEE_HELP],
    },
    {
      argv: 'members list --statsu invited',
      says: ["orgctl: unknown option '--statsu'", '  Did you mean --status?', SEE_HELP],
    },
    { argv: 'members list --status', says: ["orgctl: option '--status <status>' argument missing", SEE_HELP] },
    { argv: 'members show', says: ["orgctl: missing required argument 'member'", SEE_HELP] },
    {
      argv: 'members show a b',
      says: ["orgctl: too many arguments for 'show'. Expected 1 argument but got 2.", SEE_HELP],
    },
    {
      argv: 'members invite --team platform',
      says: ['orgctl: nobody is named', '  → Give addresses, or a file of people with --file.'],
    },
    {
      argv: 'members remove --yes',
      says: ['orgctl: nobody is named', '  → Give members, or a file of people with --file.'],
    },
    {
      argv: 'members list -o xml',
      says: [
        "orgctl: option '-o, --output <format>' argument 'xml' is invalid. Allowed choices are table, tsv, csv, json, ndjson, jsonapi.",
        SEE_HELP,
      ],
    },
    {
      argv: 'members list --no-inputs',
      says: ["orgctl: unknown option '--no-inputs'", '  Did you mean --no-input?', SEE_HELP],
    },
  ],
  'which service': [
    {
      argv: '--sandbox --as king members list',
      says: [
        "orgctl: option '--as <caller>' argument 'king' is invalid. Allowed choices are owner, owners-team, org-token, member, team-manager, registry-manager, audit-token, none.",
        SEE_HELP,
      ],
    },
    {
      argv: '--sandbox --base-url https://x.example/api/v2 members list',
      says: ['orgctl: --sandbox and --base-url exclude each other', '  → The sandbox is a service of its own.'],
    },
    {
      argv: '--sandbox --host x.example members list',
      says: ['orgctl: --sandbox and --host exclude each other', '  → The sandbox is a service of its own.'],
    },
    {
      argv: '--as owner members list',
      says: ['orgctl: --as goes with --sandbox', '  → On a real service the token decides who calls.'],
    },
    {
      argv: '--base-url https://x.example/api/v2 --host x.example members list',
      says: ['orgctl: --base-url and --host exclude each other', '  → Give one of them.'],
    },
    {
      argv: 'members list --org .',
      says: ["orgctl: '.' cannot be the name of an organization", '  → Give the name as the service shows it.'],
    },
    {
      argv: 'members list --org ..',
      says: ["orgctl: '..' cannot be the name of an organization", '  → Give the name as the service shows it.'],
    },
    { argv: ['members', 'list', '--org', ''], says: ['orgctl: --org is empty', '  → Give a value, or leave it out.'] },
    {
      argv: ['members', 'list', '--org', '\n'],
      says: ['orgctl: --org is empty', '  → Give a value, or leave it out.'],
    },
    {
      argv: 'members list --base-url nonsense',
      says: ['orgctl: --base-url is not an http or https URL', BASE_URL_FORM],
    },
    {
      argv: 'members list --base-url ftp://x.example',
      says: ['orgctl: --base-url is not an http or https URL', BASE_URL_FORM],
    },
    {
      argv: 'members list --base-url https://user:pass@x.example/api/v2',
      says: ['orgctl: --base-url holds a user name or password', BASE_URL_FORM],
    },
    {
      argv: 'members list --base-url https://x.example/api/v2?q=1',
      says: ['orgctl: --base-url has a query or a fragment', BASE_URL_FORM],
    },
    {
      argv: 'members list --base-url http://x.example/api/v2',
      says: [
        'orgctl: http://x.example is plain http: a token would cross the network readable by all',
        '  → Use https, or allow it for this host with --allow-http x.example.',
      ],
    },
    {
      argv: ['members', 'list', '--base-url', ''],
      says: ['orgctl: --base-url is not an http or https URL', BASE_URL_FORM],
    },
    {
      argv: 'members list --host https://x.example',
      says: ["orgctl: --host 'https://x.example' is not a host name", HOST_FORM],
    },
    {
      argv: 'members list --host x.example/api',
      says: ["orgctl: --host 'x.example/api' is not a host name", HOST_FORM],
    },
    { argv: ['members', 'list', '--host', ''], says: ["orgctl: --host '' is not a host name", HOST_FORM] },
    { argv: 'members list --timeout 0s', says: ['orgctl: --timeout: a duration is longer than zero', DURATION_FORM] },
    { argv: 'members list --timeout soon', says: ["orgctl: --timeout: 'soon' is not a duration", DURATION_FORM] },
    { argv: 'members list --timeout 30', says: ["orgctl: --timeout: '30' is not a duration", DURATION_FORM] },
    { argv: 'members list --timeout 100d', says: ["orgctl: --timeout: '100d' is too long", '  → At most 24d.'] },
    {
      argv: 'members list --max-retries -1',
      says: ["orgctl: --max-retries takes a whole number from 0 to 100, not '-1'", '  → 0 sends every request once.'],
    },
    {
      argv: 'members list --max-retries=-1',
      says: ["orgctl: --max-retries takes a whole number from 0 to 100, not '-1'", '  → 0 sends every request once.'],
    },
    {
      argv: 'members list --max-retries 101',
      says: ["orgctl: --max-retries takes a whole number from 0 to 100, not '101'", '  → 0 sends every request once.'],
    },
    {
      argv: 'members list --max-retries few',
      says: ["orgctl: --max-retries takes a whole number from 0 to 100, not 'few'", '  → 0 sends every request once.'],
    },
    {
      argv: 'members list --ca-file /nowhere/ca.pem',
      says: [
        'orgctl: the certificate file /nowhere/ca.pem cannot be read: there is no such file',
        '  → Check the path given with --ca-file or ORGCTL_CA_FILE.',
      ],
    },
    {
      argv: 'members list --ca-file package.json',
      says: [
        'orgctl: package.json holds no certificate in PEM form',
        '  → It should hold -----BEGIN CERTIFICATE-----.',
      ],
    },
    {
      argv: 'members list --allow-http http://x.example',
      says: ["orgctl: --allow-http 'http://x.example' is not a host name", HOST_FORM],
    },
    {
      argv: '--org umbrella --sandbox members list',
      says: [
        'orgctl: the sandbox has no organization umbrella',
        '  organizations there: acme, globex, initech',
        '  → Name one of these with --org.',
      ],
    },
    {
      argv: '--org umbrella --sandbox --as none members mine',
      says: [
        'orgctl: the sandbox has no organization umbrella',
        '  organizations there: acme, globex, initech',
        '  → Name one of these with --org.',
      ],
    },
    {
      argv: '--org umbrella --sandbox --as org-token members list',
      says: [
        'orgctl: the sandbox has no organization umbrella',
        '  organizations there: acme, globex, initech',
        '  → Name one of these with --org.',
      ],
    },
  ],
  environment: [
    {
      argv: 'members list',
      env: { ORGCTL_ORG: '' },
      says: [
        'orgctl: no organization is named',
        '  → Name it with --org or ORGCTL_ORG, or store it with: orgctl settings set org <name>',
      ],
    },
    {
      argv: 'members list',
      env: { ORGCTL_BASE_URL: 'nonsense' },
      says: ['orgctl: ORGCTL_BASE_URL is not an http or https URL', BASE_URL_FORM],
    },
    {
      argv: 'members list',
      env: { ORGCTL_BASE_URL: '', TFE_ADDRESS: 'nonsense' },
      says: ['orgctl: TFE_ADDRESS is not an http or https URL', BASE_URL_FORM],
    },
    {
      argv: 'members list',
      env: { ORGCTL_BASE_URL: '', TFE_HOSTNAME: 'https://x' },
      says: ["orgctl: TFE_HOSTNAME 'https://x' is not a host name", HOST_FORM],
    },
    {
      argv: 'members list',
      env: { ORGCTL_READ_ONLY: 'maybe' },
      says: ["orgctl: ORGCTL_READ_ONLY is 'maybe', which is neither yes nor no", YES_OR_NO],
    },
    {
      argv: 'members list',
      env: { ORGCTL_OUTPUT: 'xml' },
      says: [
        "orgctl: ORGCTL_OUTPUT: 'xml' is not an output format",
        '  → Formats are table, tsv, csv, json, ndjson, jsonapi.',
      ],
    },
    {
      argv: 'members list',
      env: { ORGCTL_NO_INPUT: 'perhaps' },
      says: ["orgctl: ORGCTL_NO_INPUT is 'perhaps', which is neither yes nor no", YES_OR_NO],
    },
    {
      argv: 'members list',
      env: { ORGCTL_TOKEN: 'two words' },
      says: [
        'orgctl: ORGCTL_TOKEN is not a token: it holds spaces or other characters that no token has',
        '  → Copy the token again, alone on one line.',
      ],
    },
  ],
  fields: [
    {
      argv: 'members list --fields id,,email',
      says: ['orgctl: --fields holds an empty name', '  → Separate names with single commas: id,email.'],
    },
    {
      argv: ['members', 'list', '--fields', ''],
      says: ['orgctl: --fields holds an empty name', '  → Separate names with single commas: id,email.'],
    },
    {
      argv: 'members list -o jsonapi --fields id',
      says: [
        '{"error":{"code":"usage","exit":2,"message":"--fields cannot be used with jsonapi, which prints whole documents","hint":"Use json or ndjson to choose fields."}}',
      ],
    },
    {
      argv: 'members invite new@example.com --team team-platform --fields nope',
      says: [
        "orgctl: unknown field 'nope'",
        '  known fields of memberships: changed, created-at, email, error, error.code, error.message, error.next, error.status, id, is-org-two-factor-required, organization, organization.id, result, status, teams, teams-missing, teams.id, teams.name, type, user, user.auth-method, user.email, user.id, user.is-service-account, user.two-factor, user.username',
        FIELDS_FORM,
      ],
    },
    {
      argv: 'members remove ou-ada --yes --fields nope',
      says: [
        "orgctl: unknown field 'nope'",
        '  known fields of removals: asked, changed, email, error, error.code, error.message, error.next, error.status, id, organization, organization.id, result, teams, teams-missing, teams.id, teams.name, type',
        FIELDS_FORM,
      ],
    },
    {
      argv: 'providers create hashicorp/null --fields nope',
      says: [
        "orgctl: unknown field 'nope'",
        '  known fields of providers: address, changed, created-at, error, error.code, error.message, error.next, error.status, id, name, namespace, organization, organization.id, permissions, permissions.can-delete, registry-name, registry-provider-versions, result, type, updated-at, versions',
        FIELDS_FORM,
      ],
    },
    {
      argv: 'providers delete public/hashicorp/aws --yes --fields nope',
      says: [
        "orgctl: unknown field 'nope'",
        '  known fields of removals: address, changed, error, error.code, error.message, error.next, error.status, id, result, type',
        FIELDS_FORM,
      ],
    },
    {
      argv: 'audit-token generate --yes --fields nope',
      says: [
        "orgctl: unknown field 'nope'",
        '  known fields of audit trail tokens: changed, created-at, created-by, created-by.id, created-by.type, description, expired-at, id, last-used-at, token, type',
        FIELDS_FORM,
      ],
    },
    {
      argv: 'audit-token delete --yes --fields nope',
      says: ["orgctl: unknown field 'nope'", '  known fields of removals: changed, id, type', FIELDS_FORM],
    },
    {
      argv: 'audit-token delete --yes --fields id -o jsonapi',
      says: [
        '{"error":{"code":"usage","exit":2,"message":"--fields cannot be used with jsonapi, which prints whole documents","hint":"Use json or ndjson to choose fields."}}',
      ],
    },
  ],
  counts: [
    {
      argv: 'members list --page 0',
      says: ["orgctl: --page takes a whole number from 1, not '0'", '  → For example: --page 20'],
    },
    {
      argv: 'members list --page two',
      says: ["orgctl: --page takes a whole number from 1, not 'two'", '  → For example: --page 20'],
    },
    {
      argv: 'members list --page 1.5',
      says: ["orgctl: --page takes a whole number from 1, not '1.5'", '  → For example: --page 20'],
    },
    {
      argv: 'members list --page-size 0',
      says: ["orgctl: --page-size takes a whole number from 1, not '0'", '  → For example: --page-size 20'],
    },
    {
      argv: ['members', 'list', '--page-size', ''],
      says: ["orgctl: --page-size takes a whole number from 1, not ''", '  → For example: --page-size 20'],
    },
    {
      argv: 'members list --limit 0',
      says: ["orgctl: --limit takes a whole number from 1, not '0'", '  → For example: --limit 20'],
    },
    {
      argv: 'members list --limit 9999999999',
      says: ["orgctl: --limit takes a whole number from 1, not '9999999999'", '  → For example: --limit 20'],
    },
    {
      argv: 'members list --page 1 --limit 2',
      says: ['orgctl: --page and --limit exclude each other', '  → Use --page with --page-size, or --limit alone.'],
    },
  ],
  'email addresses': [
    {
      argv: 'members invite nonsense --team platform',
      says: ["orgctl: 'nonsense' is not an email address", EMAIL_FORM],
    },
    {
      argv: 'members invite ana@example --team platform',
      says: ["orgctl: 'ana@example' is not an email address", EMAIL_FORM],
    },
    {
      argv: 'members invite ana@@example.com --team platform',
      says: ["orgctl: 'ana@@example.com' is not an email address", EMAIL_FORM],
    },
    {
      argv: 'members invite ana@example.com;ben@example.com --team platform',
      says: ["orgctl: 'ana@example.com;ben@example.com' is not an email address", EMAIL_FORM],
    },
    {
      argv: ['members', 'invite', 'Ana <ana@example.com>', '--team', 'platform'],
      says: ["orgctl: 'Ana <ana@example.com>' is not an email address", EMAIL_FORM],
    },
    {
      argv: ['members', 'invite', 'ana@example.com', '', '--team', 'platform'],
      says: ["orgctl: '' is not an email address", EMAIL_FORM],
    },
    { argv: 'members list --email nonsense', says: ["orgctl: 'nonsense' is not an email address", EMAIL_FORM] },
    { argv: 'members list --email ,', says: ['orgctl: --email is empty', '  → Give at least one address.'] },
    { argv: ['members', 'list', '--email', ''], says: ['orgctl: --email is empty', '  → Give at least one address.'] },
  ],
  filters: [
    {
      argv: ['members', 'list', '--status', ''],
      says: ['orgctl: --status is empty', '  → Give invited, active or inactive.'],
    },
    {
      argv: ['members', 'list', '-s', ''],
      says: ['orgctl: --search is empty', '  → Leave --search out to list everything.'],
    },
    {
      argv: ['providers', 'list', '-s', ''],
      says: ['orgctl: --search is empty', '  → Leave --search out to list everything.'],
    },
    {
      argv: ['providers', 'list', '--owner', ''],
      says: ['orgctl: --owner is empty', '  → Leave --owner out to list everything.'],
    },
    {
      argv: 'providers list --registry both',
      says: ["orgctl: --registry is public or private, not 'both'", '  → Leave it out to list both.'],
    },
  ],
  members: [
    { argv: ['members', 'show', ''], says: ["orgctl: '' names no member", MEMBER_FORMS] },
    { argv: 'members show id:nobody', says: ["orgctl: 'nobody' is no membership or user id", MEMBER_FORMS] },
    { argv: 'members show id:', says: ["orgctl: 'id:' names no member", MEMBER_FORMS] },
    { argv: 'members show name:', says: ["orgctl: 'name:' names no member", MEMBER_FORMS] },
    { argv: 'members show email:nobody', says: ["orgctl: 'nobody' is not an email address", EMAIL_FORM] },
    { argv: 'members show email:', says: ["orgctl: 'email:' names no member", MEMBER_FORMS] },
    { argv: ['members', 'show', 'two words'], says: ["orgctl: 'two words' names no member", MEMBER_FORMS] },
    { argv: 'members remove ou-ada nobody@ --yes', says: ["orgctl: 'nobody@' is not an email address", EMAIL_FORM] },
  ],
  teams: [
    {
      argv: 'members invite new@example.com',
      says: ['orgctl: no team is named: everybody invited must be added to at least one', ADD_TEAM],
    },
    {
      argv: ['members', 'invite', 'new@example.com', '--team', ''],
      says: ['orgctl: no team is named: everybody invited must be added to at least one', ADD_TEAM],
    },
    {
      argv: 'members invite new@example.com --team ,',
      says: ['orgctl: no team is named: everybody invited must be added to at least one', ADD_TEAM],
    },
    {
      argv: 'members invite new@example.com --team id:platform',
      says: ["orgctl: 'id:platform' names no team", TEAM_FORMS],
    },
    { argv: 'members invite new@example.com --team name:', says: ["orgctl: 'name:' names no team", TEAM_FORMS] },
  ],
  'provider addresses': [
    { argv: ['providers', 'get', ''], says: ["orgctl: '' is not a provider address", ADDRESS_FORMS] },
    { argv: 'providers get', says: ['orgctl: no provider is named', ADDRESS_FORMS] },
    { argv: 'providers create', says: ['orgctl: no provider is named', ADDRESS_FORMS] },
    { argv: 'providers delete --yes', says: ['orgctl: no provider is named', ADDRESS_FORMS] },
    { argv: 'providers get a/b/c/d', says: ["orgctl: 'a/b/c/d' is not a provider address", ADDRESS_FORMS] },
    { argv: 'providers get /aws', says: ["orgctl: '/aws' is not a provider address", ADDRESS_FORMS] },
    { argv: 'providers get hashicorp/', says: ["orgctl: 'hashicorp/' is not a provider address", ADDRESS_FORMS] },
    {
      argv: 'providers get public/aws',
      says: ["orgctl: 'public/aws' lacks the namespace of a public provider", '  → Give public/namespace/name.'],
    },
    {
      argv: 'providers get secret/hashicorp/aws',
      says: [
        "orgctl: 'secret' in 'secret/hashicorp/aws' is neither public, private, registry.terraform.io nor 127.0.0.1:PORT",
        ADDRESS_FORMS,
      ],
    },
    {
      argv: 'providers get private/globex/reactor',
      says: [
        'orgctl: a private provider’s namespace is its organization: globex is not acme',
        '  → Give private/acme/reactor, or another organization with --org.',
      ],
    },
    { argv: 'providers get ..', says: ["orgctl: '..' is not a provider address", ADDRESS_FORMS] },
    { argv: 'providers get public/../aws', says: ["orgctl: 'public/../aws' is not a provider address", ADDRESS_FORMS] },
    { argv: ['providers', 'get', 'two words'], says: ["orgctl: 'two words' is not a provider address", ADDRESS_FORMS] },
    {
      argv: 'providers get hashicorp/aws --name aws',
      says: ['orgctl: an address and --registry, --namespace or --name exclude each other', ADDRESS_FORMS],
    },
    {
      argv: 'providers get --registry both --name aws',
      says: ["orgctl: --registry is public or private, not 'both'", ADDRESS_FORMS],
    },
    { argv: 'providers get --namespace hashicorp', says: ['orgctl: --name is missing', ADDRESS_FORMS] },
    {
      argv: 'providers get --registry public --name aws',
      says: ['orgctl: --namespace is missing: a public provider has one', ADDRESS_FORMS],
    },
    {
      argv: 'providers create --registry private --namespace globex --name aws',
      says: [
        'orgctl: a private provider’s namespace is its organization: globex is not acme',
        '  → Give private/acme/aws, or another organization with --org.',
      ],
    },
    {
      argv: 'providers delete hashicorp/aws --yes',
      says: [
        'orgctl: without a terminal a provider to delete is named in all three parts',
        '  → If that one is meant, give public/hashicorp/aws.',
      ],
    },
    {
      argv: 'providers delete inventory --yes',
      says: [
        'orgctl: without a terminal a provider to delete is named in all three parts',
        '  → If that one is meant, give private/acme/inventory.',
      ],
    },
    {
      argv: 'providers delete --name inventory --yes',
      says: [
        'orgctl: without a terminal a provider to delete is named in all three parts',
        '  → If that one is meant, give private/acme/inventory.',
      ],
    },
  ],
  'points in time and lengths of time': [
    {
      argv: 'audit-token generate --yes --expires yesterday',
      says: ["orgctl: 'yesterday' is not a point in time", WHEN_FORMS],
    },
    {
      argv: 'audit-token generate --yes --expires 2020-01-01',
      says: [
        'orgctl: 2020-01-01 is 2020-01-01T00:00:00Z, which is not in the future',
        '  → A date means 00:00 UTC of that day: give a later day, or an instant.',
      ],
    },
    {
      argv: 'audit-token generate --yes --expires 2026-11-21',
      says: [
        'orgctl: 2026-11-21 is 2026-11-21T00:00:00Z, which is not in the future',
        '  → A date means 00:00 UTC of that day: give a later day, or an instant.',
      ],
    },
    {
      argv: 'audit-token generate --yes --expires 2026-11-21T09:00:00Z',
      says: ['orgctl: 2026-11-21T09:00:00Z is 2026-11-21T09:00:00Z, which is not in the future', WHEN_FORMS],
    },
    {
      argv: 'audit-token generate --yes --expires 2027-02-30',
      says: ['orgctl: 2027-02-30: there is no such day', '  → 2027-02 has the days 2027-02-01 to 2027-02-28.'],
    },
    {
      argv: 'audit-token generate --yes --expires 2027-13-01',
      says: ['orgctl: 2027-13-01: there is no month 13', '  → Months are 01 to 12.'],
    },
    {
      argv: 'audit-token generate --yes --expires 2027-01-31T12:00:00',
      says: [
        'orgctl: 2027-01-31T12:00:00 has no time zone',
        '  → Write 2027-01-31T12:00:00Z for UTC, or end it with an offset such as +02:00.',
      ],
    },
    {
      argv: 'audit-token generate --yes --expires 2027-01-31T25:00:00Z',
      says: ['orgctl: 2027-01-31T25:00:00Z: there is no such time of day', '  → Times are 00:00:00 to 23:59:59.'],
    },
    { argv: 'audit-token generate --yes --expires 0d', says: ["orgctl: '0d' is not a point in time", WHEN_FORMS] },
    { argv: 'audit-token generate --yes --expires 90', says: ["orgctl: '90' is not a point in time", WHEN_FORMS] },
    { argv: 'audit-token generate --yes --expires=-90d', says: ["orgctl: '-90d' is not a point in time", WHEN_FORMS] },
    {
      argv: 'audit-token generate --yes --expires 9000y',
      says: ['orgctl: 9000y is outside the years 1 to 9999', WHEN_FORMS],
    },
    {
      argv: ['audit-token', 'generate', '--yes', '--expires', ''],
      says: ["orgctl: '' is not a point in time", WHEN_FORMS],
    },
    { argv: 'audit-trail list --since tomorrow', says: ["orgctl: 'tomorrow' is not a point in time", AGO_FORMS] },
    {
      argv: 'audit-trail list --since 2027-01-01',
      says: ['orgctl: 2027-01-01 is 2027-01-01T00:00:00Z, which is in the future', AGO_FORMS],
    },
    {
      argv: 'audit-token show --fail-if-expires-within soon',
      says: ["orgctl: --fail-if-expires-within: 'soon' is not a duration", DURATION_FORM],
    },
    {
      argv: 'audit-token show --fail-if-expires-within 0d',
      says: ['orgctl: --fail-if-expires-within: a duration is longer than zero', DURATION_FORM],
    },
    {
      argv: 'audit-token show --fail-if-expires-within 1month',
      says: ["orgctl: --fail-if-expires-within: '1month' is not a duration", DURATION_FORM],
    },
  ],
  'the sandbox': [
    { argv: 'sandbox reset --seed nope', says: ["orgctl: 'nope' is not a seed", SEED_FORMS] },
    { argv: 'sandbox reset --seed members=many', says: ["orgctl: 'members=many' is not a seed", SEED_FORMS] },
    { argv: 'sandbox serve --seed members=9999999', says: ["orgctl: 'members=9999999' is not a seed", SEED_FORMS] },
    ...['serve', 'info', 'reset', 'accept ana@example.com'].map((verb) => ({
      argv: ['sandbox', ...verb.split(' '), '--state', ''],
      says: ['orgctl: --state is empty', '  → Name a file, or :memory: to keep nothing.'],
    })),
    {
      argv: 'sandbox serve --port 70000',
      says: ["orgctl: --port takes a whole number from 0 to 65535, not '70000'", '  → For example: --port 8480'],
    },
    {
      argv: 'sandbox serve --port http',
      says: ["orgctl: --port takes a whole number from 0 to 65535, not 'http'", '  → For example: --port 8480'],
    },
    { argv: 'sandbox serve --latency slow', says: ["orgctl: --latency: 'slow' is not a duration", DURATION_FORM] },
    {
      argv: 'sandbox serve --rate-limit some',
      says: ["orgctl: --rate-limit takes a whole number, not 'some'", '  → For example: --rate-limit 30'],
    },
    {
      argv: 'sandbox serve --fault nonsense',
      says: [`orgctl: the fault "nonsense" is not understood: it does not have the form of one`, ...FAULT_FORM],
    },
    {
      argv: ['sandbox', 'serve', '--fault', 'GET members: nth=0 503'],
      says: [
        `orgctl: the fault "GET members: nth=0 503" is not understood: nth=0 is neither nth=N nor every=N with N from 1`,
        ...FAULT_FORM,
      ],
    },
    {
      argv: ['sandbox', 'serve', '--fault', 'GET members: 200'],
      says: [`orgctl: the fault "GET members: 200" is not understood: 200 is not an action`, ...FAULT_FORM],
    },
    {
      argv: ['sandbox', 'serve', '--fault', 'FETCH members: 503'],
      says: [`orgctl: the fault "FETCH members: 503" is not understood: FETCH is not a method`, ...FAULT_FORM],
    },
    {
      argv: 'sandbox accept nobody@example.com',
      says: [
        'orgctl: nobody with the email nobody@example.com is invited to any organization of the sandbox',
        '  → Invite somebody first, or look who waits: members list --status invited, with --sandbox.',
      ],
    },
  ],
  settings: [
    { argv: 'settings get nope', says: ["orgctl: there is no setting 'nope'", KNOWN_SETTINGS] },
    {
      argv: 'settings get token',
      says: [
        'orgctl: the token is not a setting: it is kept apart, and never printed',
        '  → For where the token in force comes from, see settings list.',
      ],
    },
    { argv: 'settings set nope x', says: ["orgctl: there is no setting 'nope'", KNOWN_SETTINGS] },
    { argv: 'settings set timeout soon', says: ["orgctl: timeout: 'soon' is not a duration", DURATION_FORM] },
    { argv: 'settings unset nope', says: ["orgctl: there is no setting 'nope'", KNOWN_SETTINGS] },
  ],
};

const toWords = (argv: Row['argv']): readonly string[] => (typeof argv === 'string' ? argv.split(' ') : argv);
const toShown = (row: Row): string =>
  [
    ...Object.entries(row.env ?? {}).map(([name, value]) => `${name}=${JSON.stringify(value)}`),
    ...toWords(row.argv).map((word) => (/^[^\s"]+$/.test(word) ? word : JSON.stringify(word))),
  ].join(' ');

/** The same as the error object on stderr. */
function toErrorObject(says: readonly string[], code: string): object {
  const [first = '', ...rest] = says;
  const reasons = rest.filter((line) => !line.startsWith('  → ')).map((line) => line.trim());
  const hint = rest.find((line) => line.startsWith('  → '))?.slice('  → '.length);
  return {
    error: {
      code,
      exit: 2,
      message: first.replace('orgctl: ', ''),
      ...(reasons.length === 0 ? {} : { reasons }),
      ...(hint === undefined ? {} : { hint }),
    },
  };
}

for (const [about, rows] of Object.entries(ROWS)) {
  describe(`nothing is sent, exit 2: ${about}`, () => {
    for (const row of rows) {
      const run = async (...more: readonly string[]) => {
        const service = await startService();
        const { plain, real } = await createNames(service.sandbox);
        const argv = [...more, ...toWords(row.argv).map(real)];
        const result = await service.run(argv, row.env === undefined ? {} : { env: row.env });
        expect(service.requests).toEqual([]);
        return { ...result, stderr: plain(result.stderr) };
      };

      test(toShown(row), async () => {
        expect(await run()).toEqual({ code: 2, stdout: '', stderr: row.says.map((line) => `${line}\n`).join('') });
      });

      // As an object every error is written by the same code: one of a kind is enough, and those with a code of their own.
      const hasOwnCode = about === 'fields' && row.says[0]?.includes('unknown field') === true;
      if (row !== rows[0] && !hasOwnCode) continue;
      if (toWords(row.argv).includes('-o') || row.env?.['ORGCTL_OUTPUT'] !== undefined) continue;
      test(`-o json ${toShown(row)}`, async () => {
        const code = hasOwnCode ? 'unknown-field' : 'usage';
        expect(await run('-o', 'json')).toEqual({
          code: 2,
          stdout: '',
          stderr: `${JSON.stringify(toErrorObject(row.says, code))}\n`,
        });
      });
    }
  });
}

describe('what is not there is told before anything is sent', () => {
  for (const noun of [[], ['members'], ['audit-token']]) {
    test(`no verb: help, as an error | orgctl ${noun.join(' ')}`, async () => {
      const service = await startService();
      const help = await service.run([...noun, '--help']);
      expect(help.code).toBe(0);
      expect(await service.run(noun)).toEqual({ code: 2, stdout: '', stderr: help.stdout });
      expect(service.requests).toEqual([]);
    });
  }

  test('no token: exit 4, and how to give one', async () => {
    const service = await startService();
    const { plain } = await createNames(service.sandbox);
    const result = await service.run(['members', 'list'], { env: { ORGCTL_TOKEN: '', ORGCTL_CONFIG_DIR: '/nowhere' } });
    expect({ ...result, stderr: plain(result.stderr) }).toEqual({
      code: 4,
      stdout: '',
      stderr:
        'orgctl: no token for http://127.0.0.1:PORT\n' +
        '  → Set ORGCTL_TOKEN, or store a token with auth login. To try orgctl without an account, add --sandbox.\n' +
        '  $ orgctl auth login\n',
    });
    expect(service.requests).toEqual([]);
  });
});
