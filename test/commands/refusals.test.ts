import { describe, expect, test } from 'vitest';
import { parseFault } from '../../src/sandbox/faults.ts';
import type { CallerKind } from '../../src/sandbox/sandbox.ts';
import type { Json } from '../support/demo.ts';
import { createNames } from '../support/names.ts';
import { toText } from '../support/run.ts';
import { type ServiceOptions, startService } from '../support/service.ts';

/** An error object of the service, and what the command calls it. */
interface Refusal {
  readonly errors: readonly [Json];
  readonly exit: number;
  readonly code: string;
  /** The first reason. */
  readonly reason: string;
}

interface Row {
  readonly as?: CallerKind;
  readonly org?: string;
  readonly service?: ServiceOptions & { readonly documentOnly?: boolean };
  readonly argv: string;
  readonly refusal: Refusal;
  /** The request that was refused: method and path. */
  readonly request: string;
  readonly message: string;
  /** After the first one. */
  readonly reasons?: readonly string[];
  readonly hint?: string;
  /** The command that is named. */
  readonly next?: string;
  /** What a command for several items calls this one in its row. */
  readonly item?: Json;
}

const NOT_FOUND: Refusal = {
  errors: [{ status: '404', title: 'not found' }],
  exit: 5,
  code: 'not-found',
  reason: 'not found',
};
const toForbidden = (detail: string): Refusal => ({
  errors: [{ status: '403', title: 'forbidden', detail }],
  exit: 6,
  code: 'forbidden',
  reason: `forbidden: ${detail}`,
});
const toInvalid = (detail: string, pointer: string): Refusal => ({
  errors: [{ status: '422', title: 'invalid attribute', detail, source: { pointer } }],
  exit: 7,
  code: 'rejected',
  reason: `${pointer}: ${detail}`,
});
const TOKEN = '/organizations/acme/authentication-token?token=audit-trails';
const NOT_OWNER = [
  'You are a member of acme, and not in its owners team.',
  'Who can: owners, the owners team token, the organization token.',
];
const PROVIDER_WRITERS = 'Who can: owners, the owners team token, people with Manage Private Registry.';
const EXISTS = 'acme exists, and your token can read it.';
const NO_PROVIDER = ["Your token can list acme's providers, so permission is not the reason."];

const CORRECT = 'Fix these values and run the command again.';
const CHECK_ADDRESS = 'Check the registry, the namespace and the name.';

/** Public providers of initech are refused. */
const CURATION = {
  org: 'initech',
  refusal: toForbidden('Curation of public providers is disabled'),
  request: 'GET /organizations/initech/registry-providers/public/hashicorp/aws',
  message: "initech doesn't allow public providers",
  hint: 'Ask the operator to enable public provider curation.',
};

const toProvider = (address: string, id: string | null = null, organization = 'acme'): Json => ({
  id,
  type: 'registry-providers',
  address,
  organization: { id: organization, type: 'organizations' },
});

/**
 * The error table of the service's document, row by row, and in brackets which of two conditions;
 * `sandbox/errors.test.ts` has the answers themselves.
 */
const ROWS: Readonly<Record<string, Row>> = {
  'Generate audit trail token | 404 | User not authorized': {
    as: 'member',
    argv: 'audit-token generate --yes',
    refusal: NOT_FOUND,
    request: `POST ${TOKEN}`,
    message: "you don't have permission to generate acme's audit trail token",
    reasons: NOT_OWNER,
  },
  'Delete audit trail token | 404 | User not authorized': {
    as: 'team-manager',
    argv: 'audit-token delete --yes',
    refusal: NOT_FOUND,
    request: `DELETE ${TOKEN}`,
    message: "you don't have permission to delete acme's audit trail token",
    reasons: NOT_OWNER,
  },
  'List providers | 404 | Providers not found or user unauthorized': {
    as: 'audit-token',
    argv: 'providers list',
    refusal: NOT_FOUND,
    request: 'GET /organizations/acme/registry-providers?page%5Bsize%5D=100',
    message: "you can't list the providers of acme with an audit trail token",
    reasons: ['It can only read the audit trail.'],
    hint: 'Use the token of a user, a team or the organization.',
  },
  'Create provider | 422 | Malformed body (missing attributes, wrong types and the like)': {
    // Somebody else is faster: no malformed body ever leaves the command.
    service: { faults: [parseFault('GET registry-providers: 404')] },
    argv: 'providers create public/hashicorp/aws',
    refusal: toInvalid('Name has already been taken', '/data/attributes/name'),
    request: 'POST /organizations/acme/registry-providers',
    message: 'the service rejected the request',
    hint: CORRECT,
    item: toProvider('public/hashicorp/aws'),
  },
  'Create provider | 403 | Public provider curation is disabled': {
    ...CURATION,
    argv: 'providers create public/hashicorp/aws',
    hint: 'Ask the operator to enable public provider curation, or add it as a private one.',
    item: toProvider('public/hashicorp/aws', null, 'initech'),
  },
  'Create provider | 404 | User not authorized': {
    as: 'org-token',
    argv: 'providers create private/acme/billing',
    refusal: NOT_FOUND,
    request: 'POST /organizations/acme/registry-providers',
    message: "you don't have permission to add providers to acme",
    reasons: [EXISTS, PROVIDER_WRITERS],
    item: toProvider('private/acme/billing'),
  },
  'Get provider | 403 | Public provider curation is disabled': {
    ...CURATION,
    argv: 'providers get public/hashicorp/aws',
  },
  'Get provider | 404 | Provider not found or user unauthorized': {
    argv: 'providers get public/hashicorp/none',
    refusal: NOT_FOUND,
    request: 'GET /organizations/acme/registry-providers/public/hashicorp/none',
    message: 'acme has no provider public/hashicorp/none',
    reasons: NO_PROVIDER,
    hint: CHECK_ADDRESS,
  },
  'Delete provider | 403 | Public provider curation is disabled': {
    ...CURATION,
    argv: 'providers delete public/hashicorp/aws --yes',
  },
  'Delete provider | 404 | Provider not found or user not authorized (nothing there)': {
    argv: 'providers delete private/acme/none --yes',
    refusal: NOT_FOUND,
    request: 'GET /organizations/acme/registry-providers/private/acme/none',
    message: 'acme has no provider private/acme/none',
    reasons: NO_PROVIDER,
    hint: CHECK_ADDRESS,
  },
  'Delete provider | 404 | Provider not found or user not authorized (not authorized)': {
    as: 'member',
    argv: 'providers delete private/acme/inventory --yes',
    refusal: NOT_FOUND,
    request: 'DELETE /organizations/acme/registry-providers/private/acme/inventory',
    message: "you don't have permission to delete private/acme/inventory from acme",
    reasons: ['The provider exists, and your token can read it.', PROVIDER_WRITERS],
    item: toProvider('private/acme/inventory', 'prov-acme-inventory'),
  },
};

async function run({ as = 'owner', org = 'acme', service: options = {}, argv }: Row, ...more: readonly string[]) {
  const service = await startService(options);
  const { plain, real } = await createNames(service.sandbox);
  const { code, stdout, stderr } = await service.run([...real(argv).split(' '), ...more], { as, org });
  return { code, stdout: plain(stdout), stderr: plain(stderr) };
}

/** The service's words, status and request in one line; what is about a place in the body has a line of its own. */
function toAnswer(status: number, reason: string, [first = '', ...others]: readonly string[]): readonly string[] {
  if (reason.startsWith('/')) return [reason, `Service: ${status} (request request-1).`];
  const line = `Service: ${status} ${reason} (request request-1).`;
  return first === '' || first.startsWith('Unknown: ')
    ? [line, ...(first === '' ? [] : [first, ...others])]
    : [`${line} ${first}`, ...others];
}

test('the error table has a row for each, but for memberships', () => {
  const conditions = Object.keys(ROWS).map((name) => name.replace(/ \((nothing there|not authorized)\)$/, ''));
  expect(new Set(conditions).size).toBe(10);
});

describe.each(Object.entries(ROWS))('%s', (_name, row) => {
  const { refusal, message, hint, next, item } = row;
  const { errors, exit, code, reason } = refusal;
  const status = Number(errors[0]['status']);
  const { reasons: meanings = [] } = row;
  const reasons = [reason, ...meanings];

  test(row.argv, async () => {
    const result = await run(row);
    expect({ ...result, stdout: result.stdout === '' }).toEqual({
      code: exit,
      stdout: item === undefined,
      stderr: toText(
        `orgctl: ${message}`,
        ...toAnswer(status, reason, meanings).map((line) => `  ${line}`),
        ...(hint === undefined ? [] : [`  → ${hint}`]),
        ...(next === undefined ? [] : [`  $ ${next}`]),
      ),
    });
  });

  test(`${row.argv} -o json`, async () => {
    const { stdout, ...result } = await run(row, '-o', 'json');
    const [method, path] = row.request.split(' ');
    const request = { method, path: `/api/v2${path}`, id: 'request-1' };
    const after = { ...(hint === undefined ? {} : { hint }), ...(next === undefined ? {} : { next: [next] }) };
    const error = { code, exit, message, reasons, status, errors, request, ...after };
    expect(result).toEqual({ code: exit, stderr: `${JSON.stringify({ error })}\n` });
    // What the message says already is not said again in the service's words.
    const text = message === 'the service rejected the request' ? `${message}; ${reason}` : message;
    const said = {
      code,
      message: expect.stringMatching(`(^|: )${text.replace(/[^\w ]/g, '\\$&')}$`),
      status,
      ...(next === undefined ? {} : { next: [next] }),
    };
    expect(stdout === '' ? undefined : JSON.parse(stdout)).toEqual(
      item && [{ ...item, changed: false, result: 'failed', error: said }],
    );
  });
});
