import { describe, expect, test } from 'vitest';
import type { ListDocument } from '../../src/old/wire/json-api.ts';
import { isPermitted, type Operation, type Right } from '../../src/sandbox/permissions.ts';
import { CALLER_KINDS, type CallerKind } from '../../src/sandbox/sandbox.ts';
import { createNames } from '../support/names.ts';
import { createExplain, ServiceError } from '../support/product.ts';
import { silence, startScripted } from '../support/scripted.ts';
import { startService, type TestService } from '../support/service.ts';

interface Row {
  readonly operation: Operation;
  readonly argv: string;
  readonly org: string;
  /** What the owner of everything is shown of the object; none where the operation has no object. */
  readonly object: string | undefined;
}

const UMBRELLA = 'umbrella';
/** Operations of the document that the old tree serves: on what is there, in an organization that is not, and on what is not there. */
const ROWS: readonly Row[] = (
  [
    ['audit-token.generate', 'audit-token generate --yes'],
    ['audit-token.generate', 'audit-token generate --yes', UMBRELLA],
    ['audit-token.delete', 'audit-token delete --yes'],
    ['audit-token.delete', 'audit-token delete --yes', UMBRELLA],
    ['audit-token.delete', 'audit-token delete --yes', 'initech'],
  ] as const
).map(([operation, argv, org = 'acme']) => ({ operation, argv, org, object: undefined }));

const OWNER = ['member', 'owners', 'manage-membership', 'manage-providers'] as const;
/** What the ready-made callers have in an organization they belong to. */
const RIGHTS: Readonly<Record<CallerKind, readonly Right[]>> = {
  owner: ['user', ...OWNER],
  'owners-team': ['team', ...OWNER],
  'org-token': ['organization'],
  member: ['user', 'member'],
  'team-manager': ['user', 'member', 'manage-membership'],
  'registry-manager': ['user', 'member', 'manage-providers'],
  'audit-token': ['audit-trail'],
  none: [],
};

/** What is so, whatever the service says of it. */
interface Truth {
  readonly kind: CallerKind;
  readonly exists: boolean;
  readonly belongs: boolean;
  readonly permitted: boolean;
  readonly isObjectThere: boolean;
  readonly hasToken: boolean;
}

/** Every claim an explanation makes, and when it is true. A sentence that makes none of them fails. */
const CLAIMS: readonly (readonly [claim: RegExp, isTrue: (truth: Truth) => boolean])[] = [
  [/can only read the audit trail|with an audit trail token$/, ({ kind }) => kind === 'audit-token'],
  [/^(It|Your token) acts as |^It is a member of no organization/, ({ kind }) => !isUser(kind)],
  [/^[a-z]+ exists, and your token can read it/, ({ exists, belongs }) => exists && belongs],
  [/you don't have permission/, ({ permitted }) => !permitted],
  [/not in its owners team/, ({ kind, permitted }) => !permitted && kind !== 'owner'],
  [/^The (member|provider) exists/, ({ isObjectThere }) => isObjectThere],
  [
    /has no provider |can list \w+'s providers, so/,
    ({ exists, belongs, isObjectThere }) => exists && belongs && !isObjectThere,
  ],
  [/^you are not a member of/, isUserElsewhere],
  [/^your token can't /, ({ kind, belongs }) => !isUser(kind) && !belongs],
  [
    /no member .* in acme, globex or initech$|owner of acme, globex and initech/,
    ({ kind, isObjectThere }) => kind === 'owner' && !isObjectThere,
  ],
  [/^your organization has no member/, ({ kind, isObjectThere }) => kind === 'org-token' && !isObjectThere],
  [/^Your token can manage it/, ({ belongs, permitted }) => belongs && permitted],
  [/has no audit trail token/, ({ exists, hasToken }) => exists && !hasToken],
  // The sandbox knows of no entitlements, and has feature sets and an audit trail.
  [/entitled to audit logging|has no feature sets|no audit trail\b(?! token)/, () => false],
];

function isUserElsewhere({ kind, belongs }: Truth): boolean {
  return isUser(kind) && !belongs;
}

const isUser = (kind: CallerKind): boolean => ['owner', 'member', 'team-manager', 'registry-manager'].includes(kind);

async function findTruth(
  service: TestService,
  kind: CallerKind,
  row: Row,
  real: (text: string) => string,
): Promise<Truth> {
  const { org } = row;
  const exists = service.sandbox.organizations().includes(org);
  const own = row.object?.includes('globex') === true || org === 'globex' ? 'globex' : 'acme';
  const belongs = isUser(kind) ? exists : org === 'acme' && own === 'acme';
  const shown = row.object === undefined ? undefined : await service.ask('GET', real(row.object));
  return {
    kind,
    exists,
    belongs,
    permitted: isPermitted(new Set(RIGHTS[kind]), row.operation),
    // What another organization has is not there for who is not in it.
    isObjectThere: shown?.status === 200 && belongs,
    hasToken: service.sandbox.tokenFor('audit-token', org) !== undefined,
  };
}

interface Sorted {
  /** What was found out, and what was not. */
  readonly found: readonly string[];
  readonly open: readonly string[];
  /** What it can mean, by the table of operations. */
  readonly meanings: readonly string[];
}

function sortReasons(reasons: readonly string[]): Sorted {
  const open = reasons.filter((reason) => reason.startsWith('Unknown: ') || reason === UNSEEN);
  const meanings = reasons.filter((reason) => /^(It may not exist|As far as is known)/.test(reason));
  const others = reasons.filter((reason) => ![...open, ...meanings].includes(reason));
  return { open, meanings, found: others.filter((reason) => !/^(not found$|Who can(:|, as far))/.test(reason)) };
}

const UNSEEN = "Your token can't see which of these is true.";

/** What only an owner can find out: a membership that is not there for this token may be there for others. */
const UNDECIDED =
  /whether (an organization named|another organization|you have permission to manage)|which of these is true/;

interface Told extends Sorted {
  readonly code: number;
  readonly hint: string | undefined;
  /** What was asked with the token after the refusal: method and path. */
  readonly asked: readonly string[];
}

interface ToldError {
  readonly message?: string;
  readonly reasons?: readonly string[];
  readonly request?: { readonly method: string; readonly path: string };
  readonly hint?: string;
}

async function tell(service: TestService, as: CallerKind, row: Row, real: (text: string) => string): Promise<Told> {
  // The token of acme, wherever it is used.
  const token = service.sandbox.tokenFor(as, 'acme') ?? 'unknown';
  const result = await service.run([...real(row.argv).split(' '), '-o', 'json'], {
    org: row.org,
    env: { ORGCTL_TOKEN: token },
  });
  const last = result.stderr.trimEnd().split('\n').at(-1) ?? '';
  const { error = {} } = (last === '' ? {} : JSON.parse(last)) as { readonly error?: ToldError };
  const { message = '', reasons = [], request, hint } = error;
  const sorted = sortReasons(reasons);
  const sent = service.requests.filter(({ headers }) => headers.has('authorization'));
  const lines = sent.map(({ method, path }) => `${method} ${path}`);
  return {
    code: result.code,
    ...sorted,
    // What was found out is the message.
    found: message.startsWith("can't ") ? sorted.found : [message, ...sorted.found],
    hint,
    asked: request === undefined ? [] : lines.slice(lines.indexOf(`${request.method} ${request.path}`) + 1),
  };
}

describe.each([
  { service: 'the service', documentOnly: false },
  { service: 'a service of the document only', documentOnly: true },
])('each caller, each operation of $service: what is told of a 404 is true', ({ documentOnly }) => {
  for (const row of ROWS) {
    for (const as of CALLER_KINDS) {
      test(`${row.argv} --org ${row.org} | ${as}`, async () => {
        const service = await startService({ documentOnly });
        const { real } = await createNames(service.sandbox);
        const truth = await findTruth(service, as, row, real);
        const { code, found, open, meanings, asked } = await tell(service, as, row, real);
        expect(open.length + meanings.length === 0 || code === 5).toBe(true);
        if (code !== 5) return;
        expect(found.length + open.length).toBeGreaterThan(0);
        // What is proved stands in the place of what it could have been.
        if (open.includes(UNSEEN)) expect(meanings.length).toBeGreaterThan(0);
        for (const sentence of found) expectTrue(sentence, truth);
        expect(open.filter((line) => !UNDECIDED.test(line))).toEqual([]);
        if (!documentOnly) expect(open.filter((line) => !/an organization named/.test(line))).toEqual([]);
        expect(asked.length).toBeLessThanOrEqual(3);
        expect(asked.filter((line) => !line.startsWith('GET '))).toEqual([]);
      });
    }
  }
});

function expectTrue(sentence: string, truth: Truth): void {
  const made = CLAIMS.filter(([claim]) => claim.test(sentence));
  expect(made.length, sentence).toBeGreaterThan(0);
  expect(
    made.filter(([, isTrue]) => !isTrue(truth)).map(([claim]) => String(claim)),
    sentence,
  ).toEqual([]);
}

describe('who is invited, and has not accepted', () => {
  /** The caller has only been invited to acme. */
  const start = () =>
    startService({
      alter: async (own, request) => {
        if (!new URL(request.url).pathname.endsWith('/v2/organization-memberships')) return own;
        const document = JSON.parse(await own.text()) as ListDocument;
        const data = document.data.map((membership) => {
          const organization = membership.relationships?.['organization']?.data as { readonly id: string };
          const status = organization.id === 'acme' ? 'invited' : 'active';
          return { ...membership, attributes: { ...membership.attributes, status } };
        });
        return Response.json({ ...document, data });
      },
    });

  test('is told so', async () => {
    const result = await (await start()).run(['audit-token', 'show', '--org', 'acme'], { as: 'member' });
    expect(result.code).toBe(5);
    expect(result.stderr).toContain("orgctl: you are invited to acme and haven't accepted yet\n");
  });
});

describe('a service that does not tell the teams of memberships', () => {
  const start = () =>
    startService({
      alter: (own, request) =>
        request.url.includes('include=teams')
          ? Response.json({ errors: [{ status: '400', title: 'bad request' }] }, { status: 400 })
          : own,
    });

  test('is asked without them, and what they would have told is left open', async () => {
    const service = await start();
    const result = await service.run(['audit-token', 'show', '--org', 'initech'], { as: 'member' });
    expect(result.code).toBe(5);
    expect(result.stderr).toContain('  initech exists, and your token can read it.\n');
    expect(result.stderr).toContain('  Unknown: whether you have permission to manage its audit trail token.\n');
  });
});

describe('what cannot be found out changes nothing', () => {
  test('nobody waits for a service that says nothing more', async () => {
    const server = await startScripted(silence);
    const controller = new AbortController();
    const { explained, error } = await explainAt(server.origin, controller.signal, 20);
    expect(explained).toBe(error);
    // On a busy machine the time is over before the first one has left.
    expect(server.requests.length).toBeLessThanOrEqual(1);
  });

  test('whoever stops orgctl waits neither', async () => {
    const controller = new AbortController();
    const server = await startScripted(() => controller.abort(new Error('stopped')));
    const { explained, error } = await explainAt(server.origin, controller.signal);
    expect(explained).toBe(error);
  });
});

async function explainAt(origin: string, signal: AbortSignal, patience?: number) {
  const request = { method: 'GET', path: '/api/v2/organizations/acme/teams' };
  const asked = { operation: 'list-teams', what: 'list the teams of acme', path: '/organizations/acme/teams' };
  const error = new ServiceError('not-found', 'refused', { status: 404, errors: [{ status: '404' }], request, asked });
  const options = {
    baseUrl: new URL(`${origin}/api/v2`),
    token: 'a-token',
    userAgent: 'orgctl/test',
    extraCertificates: undefined,
    skipVerification: false,
    allowHttp: [],
    proxies: {},
    dryRun: false,
    readOnly: undefined,
    writeLog: undefined,
    onPlanned: () => undefined,
    onWrite: () => undefined,
    onExchange: () => undefined,
    onlooker: { request: () => () => undefined, delay: () => () => undefined },
    now: () => 0,
    signal,
  };
  const explain = createExplain({
    transport: options,
    findAddress: async () => ({ at: 'unknown' }),
    isOwn: () => true,
    ...(patience === undefined ? {} : { patience }),
  });
  return { error, explained: await explain(error) };
}
