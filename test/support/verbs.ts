import { fileURLToPath } from 'node:url';
import type { Effect } from '../../src/old/commands/verb.ts';
import type { CommandName } from '../../src/old/input/about.ts';
import { readCommandTree } from './command-tree.ts';

/** What every command of `src/old` is called with on a fresh sandbox, in the organization acme. Of its effect the verb itself says. */

const TOKEN_PATH = /\/organizations\/acme\/authentication-token\?token=audit-trails$/;
const NEW_TOKEN = {
  method: 'POST',
  path: TOKEN_PATH,
  body: { data: { type: 'authentication-token', attributes: { 'expired-at': null } } },
};

export interface WritingVerb {
  readonly argv: readonly string[];
  /** Takes several arguments, so that its result is always a list. */
  readonly several: boolean;
  /** What it sends, in order. */
  readonly writes: readonly Write[];
}

interface Write {
  readonly method: string;
  readonly path: RegExp;
  readonly body?: object;
  /** To another server, at an address that the service gives. */
  readonly isElsewhere?: true;
}

/** A release of billing 1.2.0, whose private key is gone. */
export const RELEASE = fixturePath('../fixtures/release');
const UPLOAD: Write = { method: 'PUT', path: /^an address that the service gives$/, isElsewhere: true };
const VERSIONS_PATH = '/organizations/acme/registry-providers/private/acme/billing/versions';

const CALLS: Readonly<Partial<Record<CommandName, readonly string[] | WritingVerb>>> = {
  'providers list': [],
  'providers get': ['hashicorp/aws'],
  'providers check': [fixturePath('../fixtures/lock-files/listed.hcl')],
  'tokens list': [],
  'audit-token show': [],
  'audit-trail list': [],
  'audit-trail follow': ['--cursor', 'cursor.json', '--once'],
  doctor: [],
  'providers versions': ['hashicorp/aws'],
  'providers create': {
    argv: ['hashicorp/google', 'billing'],
    several: true,
    writes: [
      { 'registry-name': 'public', namespace: 'hashicorp', name: 'google' },
      { 'registry-name': 'private', namespace: 'acme', name: 'billing' },
    ].map((attributes) => ({
      method: 'POST',
      path: /\/organizations\/acme\/registry-providers$/,
      body: { data: { type: 'registry-providers', attributes } },
    })),
  },
  'providers delete': {
    argv: ['public/hashicorp/aws', 'private/acme/inventory'],
    several: true,
    writes: [/\/public\/hashicorp\/aws$/, /\/private\/acme\/inventory$/].map((path) => ({ method: 'DELETE', path })),
  },
  'providers publish': {
    argv: ['billing', '1.2.0', '--dir', RELEASE, '--public-key', `${RELEASE}/key.asc`],
    several: false,
    writes: [
      {
        method: 'POST',
        path: /\/organizations\/acme\/registry-providers$/,
        body: { data: { attributes: { name: 'billing' } } },
      },
      { method: 'POST', path: /\/api\/registry\/private\/v2\/gpg-keys$/, body: { data: { type: 'gpg-keys' } } },
      {
        method: 'POST',
        path: new RegExp(`${VERSIONS_PATH}$`),
        body: { data: { attributes: { version: '1.2.0', protocols: ['6.0'] } } },
      },
      UPLOAD,
      UPLOAD,
      {
        method: 'POST',
        path: new RegExp(`${VERSIONS_PATH}/1\\.2\\.0/platforms$`),
        body: { data: { attributes: { os: 'linux', arch: 'amd64' } } },
      },
      UPLOAD,
    ],
  },
  'tokens rotate': {
    argv: ['team:platform', '--expires', 'never', '--to', 'exec:/bin/cat'],
    several: false,
    writes: [
      {
        method: 'POST',
        path: /\/teams\/team-\w+\/authentication-token$/,
        body: { data: { type: 'authentication-token', attributes: { 'expired-at': null } } },
      },
    ],
  },
  'tokens delete': {
    argv: ['team:platform/ci', 'team:platform/laptop of rex'],
    several: true,
    writes: [1, 2].map(() => ({ method: 'DELETE', path: /\/authentication-tokens\/at-\w+$/ })),
  },
  'audit-token generate': { argv: ['--expires', 'never'], several: false, writes: [NEW_TOKEN] },
  'audit-token rotate': {
    argv: ['--expires', 'never', '--to', 'exec:/bin/cat'],
    several: false,
    writes: [NEW_TOKEN],
  },
  'audit-token delete': { argv: [], several: false, writes: [{ method: 'DELETE', path: TOKEN_PATH }] },
  completion: ['bash'],
  'sandbox serve': ['--state', ':memory:', '--port', '0'],
  'sandbox info': [],
  'sandbox accept': ['ivan.invitee@example.com'],
  'sandbox reset': ['--yes'],
};

const tree = await readCommandTree();

/** Those that read from the service, and change nothing there. */
export const READING = listCalls('reads');

/** Those that change something in the service. */
export const WRITING: Readonly<Record<string, WritingVerb>> = Object.fromEntries(
  tree.doing('writes').map((words) => {
    const call = CALLS[words];
    if (!call || !('writes' in call)) throw new Error(`${words} writes, and its call does not say what`);
    return [words, call];
  }),
);

/** Those that send no request: they read or change what orgctl keeps on this machine. */
export const OWN = listCalls('own');

function listCalls(effect: Effect): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    tree.doing(effect).map((words) => {
      const call = CALLS[words];
      if (!call || 'writes' in call) throw new Error(`${words} says that it writes nothing`);
      return [words, call];
    }),
  );
}

function fixturePath(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
