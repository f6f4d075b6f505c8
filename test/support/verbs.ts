import { fileURLToPath } from 'node:url';
import { readCommandTree } from './command-tree.ts';

/** A release of billing 1.2.0, whose private key is gone. */
export const RELEASE = fixturePath('../fixtures/release');
const LOCK_FILE = fixturePath('../fixtures/lock-files/listed.hcl');

/** Words of a command line, in the demo data's organization acme. */
type Calls = Record<string, string[]>;

/** Commands that read from the service, and change nothing. `doctor` and the login read too. */
export const READING: Calls = {
  api: ['organizations/acme/teams'],
  'audit-token show': [],
  'audit-trail follow': ['--cursor', 'cursor.json', '--once'],
  'audit-trail list': [],
  'auth status': [],
  doctor: [],
  'feature-sets current': [],
  'feature-sets list': [],
  'members list': [],
  'members mine': [],
  'members plan': ['--init'],
  'members report': [],
  'members show': ['ada.auditor@example.com'],
  'organizations check': [],
  'organizations list': [],
  'organizations show': [],
  'providers check': [LOCK_FILE],
  'providers get': ['hashicorp/aws'],
  'providers list': [],
  'providers versions': ['hashicorp/aws'],
  'teams list': [],
  'teams members': ['platform'],
  'tokens list': [],
};

/** Commands that change something in the service. */
export const WRITING: Calls = {
  'audit-token delete': [],
  'audit-token generate': ['--expires', '90d'],
  'audit-token rotate': ['--expires', '90d', '--to', 'exec:cat'],
  'members apply': ['--file', fixturePath('../fixtures/roster.yaml')],
  'members invite': ['new@example.com', '--team', 'platform'],
  'members remove': ['ada.auditor@example.com'],
  'members resend': ['ivan.invitee@example.com'],
  'organizations update': ['collaborator-auth-policy=two_factor_mandatory'],
  'providers create': ['hashicorp/google'],
  'providers delete': ['public/hashicorp/aws'],
  'providers publish': ['billing', '1.2.0', '--dir', RELEASE, '--public-key', `${RELEASE}/key.asc`],
  'teams add': ['platform', 'ada.auditor@example.com'],
  'teams create': ['reviewers', '--visibility', 'organization'],
  'teams delete': ['platform'],
  'teams remove': ['audit', 'ada.auditor@example.com'],
  'teams update': ['platform', '--access', 'manage-modules'],
  'tokens delete': ['team:platform/ci'],
  'tokens rotate': ['team:platform/ci', '--expires', '90d', '--to', 'exec:cat'],
};

/** Commands that send no request: they read or change what orgctl keeps on this machine. */
const OWN = [
  ...['auth login', 'auth logout', 'auth use', 'completion', 'help'],
  ...['sandbox accept', 'sandbox info', 'sandbox reset', 'sandbox serve'],
  ...['settings get', 'settings list', 'settings set', 'settings unset'],
];

const { verbs } = await readCommandTree();
const missing = verbs.filter((words) => !(words in READING) && !(words in WRITING) && !OWN.includes(words));
if (missing.length > 0) throw new Error(`no call of ${missing.join(', ')}`);

function fixturePath(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
