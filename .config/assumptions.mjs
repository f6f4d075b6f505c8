import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/**
 * What the sources take for true of the service, which its document does not say: each comment with `Assumed:`, by the file it
 * stands in, and what to run against a real service to prove or break it.
 */

const LIST = "orgctl api GET '/organizations/{org}/organization-memberships'";
const PROVIDERS = "orgctl api GET '/organizations/{org}/registry-providers'";
const TOKEN = "orgctl api GET '/organizations/{org}/authentication-token' -f token=audit-trails";

/** In the order of the page: what a user of a real service meets first stands first. */
const AREAS = {
  'wire/json-api': ['Where the API is', 'orgctl doctor'],
  'service/diagnosis/address': ['Where the API is', 'orgctl doctor --debug'],
  'settings/defaults': ['The hosted address', 'orgctl doctor --host app.terraform.io'],
  'service/connection': ['How requests are sent', 'orgctl members list --limit 1 --debug'],
  'service/examine-token': ['What a token is', 'orgctl api GET /account/details'],
  'service/diagnosis/evidence': ['What a token can do', 'orgctl auth status --debug'],
  'service/diagnosis/verdict': ['What a refusal means', 'orgctl members show ou-0000000000000000'],
  'service/problem': ['Errors', 'orgctl api GET /organizations/no-such-organization/teams --debug'],
  'service/pace': ['The rate limit', 'orgctl doctor'],
  'service/retry': ['Headers of the rate limit', 'orgctl members list --limit 1 --debug'],
  'service/lists': ['Totals of lists', `${LIST} -f 'page[size]=1'`],
  'service/pages': ['The largest page', `${LIST} -f 'page[size]=100'`],
  'service/include': ['Related resources', `${LIST} -f include=user,teams -f 'page[size]=1'`],
  'wire/resources': ['Attributes of resources', `${LIST} -f 'page[size]=1'`],
  'service/memberships': ['Search and counts of members', `${LIST} -f q=A -f 'page[size]=1'`],
  'people/member': ['Managed people', `${LIST} -f include=user,scim-identity`],
  'service/diagnosis/managed': ['Managed teams and people', "orgctl api GET '/organizations/{org}/teams'"],
  'service/team-change': ['People put into teams', 'orgctl teams add --help'],
  'tokens/not-found': ['Who sees tokens', TOKEN],
  'rotation/current-token': ['Metadata of the token', `${TOKEN} --debug`],
  'service/tokens': [
    'A new token',
    'orgctl audit-token rotate --expires 90d --to file:./audit-token --dry-run --debug',
  ],
  'audit-trail/follow': ['Events of the audit trail', 'orgctl audit-trail list --since 1d --fields id,timestamp'],
  'commands/feature-sets/current': ['Seats and plan', 'orgctl feature-sets current -o json --debug'],
  'service/public-registry': ['The public registry', 'orgctl providers versions hashicorp/aws --debug'],
  'service/operations': [
    'Paths beside the document',
    'orgctl api GET /api/registry/public/v1/providers/hashicorp/aws/versions',
  ],
  'sandbox/permissions': ['Who can do what', 'orgctl auth status'],
  'sandbox/routes/memberships': ['Memberships', `${LIST} -f include=user,teams`],
  'sandbox/routes/team-members': ['Members of teams', 'orgctl teams members owners'],
  'sandbox/routes/authentication-tokens': ['Tokens', TOKEN],
  'sandbox/queries/tokens': ['Token policies', "orgctl api GET '/organizations/{org}/token-ttl-policies'"],
  'sandbox/audit-events': ['What the audit trail notes', 'orgctl audit-trail list --since 1d -o json'],
  'sandbox/routes/providers': ['Providers', `${PROVIDERS} -f 'filter[registry_name]=none'`],
  'sandbox/queries/providers': ['Names of providers', PROVIDERS],
  'sandbox/routes/public-registry': ['Versions of public providers', 'orgctl providers versions hashicorp/aws'],
  'sandbox/file-service': ['Uploads', 'orgctl providers publish billing 1.2.0 --dir dist --dry-run'],
  'sandbox/openpgp-key': [
    'Signing keys',
    "orgctl api GET /api/registry/private/v2/gpg-keys -f 'filter[namespace]=acme'",
  ],
  'sandbox/routes/gpg-keys': ['Keys', "orgctl api GET /api/registry/private/v2/gpg-keys -f 'filter[namespace]=acme'"],
  'sandbox/queries/gpg-keys': [
    'Ids of keys',
    "orgctl api GET /api/registry/private/v2/gpg-keys -f 'filter[namespace]=acme'",
  ],
  'sandbox/routes/feature-sets': [
    'Entitlements and subscription',
    "orgctl api GET '/organizations/{org}/subscription'",
  ],
  'sandbox/queries/feature-sets': ['Trials', 'orgctl feature-sets list --eligible'],
  'sandbox/routes/meta': ['Account and discovery', 'orgctl api GET /account/details'],
  'sandbox/documents': ['Service accounts', `${LIST} -f include=user`],
  'sandbox/queries/organizations': ['Names of organizations', "orgctl api GET '/organizations/{org}'"],
  'sandbox/queries/memberships': ['Search of members', `${LIST} -f q=A`],
  'sandbox/answers': ['Order of lists', LIST],
  'sandbox/pagination': ['Pages', `${LIST} -f 'page[number]=9999' -f 'page[size]=1'`],
  'sandbox/request': ['Parameters of requests', `${LIST} -f 'filter[status]=none' -f 'page[size]=1'`],
  'sandbox/app': ['Order of refusals', 'orgctl api GET /no-such-route --debug'],
  'sandbox/problems': ['Words of errors', 'orgctl api GET /organizations/no-such-organization/teams --debug'],
  'sandbox/ids': ['Letters of ids', LIST],
  'sandbox/iso-date': ['Times without a zone', 'orgctl audit-trail list --since 1d --debug'],
  'sandbox/router': ['HEAD', 'orgctl doctor --debug'],
  'sandbox/server': ['Other methods', 'orgctl doctor --debug'],
};

/** As Markdown: what orgctl itself assumes, then what the sandbox does. */
export function renderAssumptions(root) {
  const order = Object.keys(AREAS);
  const found = readAssumptions(root).sort((one, other) => order.indexOf(one.file) - order.indexOf(other.file));
  const isOfSandbox = ({ file }) => file.startsWith('sandbox/');
  return [
    '## What orgctl assumes',
    ...found.filter((each) => !isOfSandbox(each)).flatMap(toArea),
    '## What the sandbox assumes',
    ...found.filter(isOfSandbox).flatMap(toArea),
  ].join('\n\n');
}

/** Files without a row above, and rows without an assumption. */
export function listMisplaced(root) {
  const files = readAssumptions(root).map(({ file }) => file);
  return [
    ...files.filter((file) => !Object.hasOwn(AREAS, file)),
    ...Object.keys(AREAS).filter((file) => !files.includes(file)),
  ];
}

function readAssumptions(root) {
  const source = join(root, 'src');
  const files = readdirSync(source, { recursive: true }).map((path) => path.split(sep).join('/'));
  return files
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .map((path) => ({ file: path.slice(0, -3), texts: listAssumptions(readFileSync(join(source, path), 'utf8')) }))
    .filter(({ texts }) => texts.length > 0);
}

function toArea({ file, texts }) {
  const [title, line] = AREAS[file] ?? [file, 'orgctl doctor --assumptions'];
  return [`**${title}** (${file})`, texts.map((text) => `- ${text}`).join('\n'), `\`\`\`sh\n${line}\n\`\`\``];
}

/** What comments say behind `Assumed:`, to their end, without their marks. */
function listAssumptions(text) {
  const comments = text.match(/\/\*\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+/gm) ?? [];
  return comments.flatMap((comment) => {
    const [, ...assumed] = comment
      .replace(/^\s*(?:\/\*\*|\*\/|\*|\/\/)[ \t]?/gm, '')
      .replace(/\s*\*\/\s*$/, '')
      .replace(/\s+/g, ' ')
      .trim()
      .split('Assumed: ');
    return assumed.map((each) => `${each[0].toUpperCase()}${each.slice(1)}`.trim());
  });
}
