import type { CallerKind } from '../../src/sandbox/callers.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { openTestSandbox as openAt } from '../support/service.ts';

export type Sandbox = ReturnType<typeof addCalls>;

export const NOW = Date.parse('2026-03-01T12:00:00.000Z');
export const NOT_FOUND = { errors: [{ status: '404', title: 'not found' }] };
export const UNAUTHORIZED = { errors: [{ status: '401', title: 'unauthorized' }] };

export const openTestSandbox = (options: Partial<SandboxOptions> = {}): Sandbox => addCalls(openAt(options, NOW));

export interface Asking {
  as?: CallerKind;
  /** The organization of a token that is not a user's; acme when absent. */
  of?: string;
  /** The text of the token itself, instead. */
  token?: string;
  /** JSON unless it is text already. */
  body?: unknown;
  contentType?: string | null;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as they come.
export type Json = any;

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  body: Json;
}

export const ORIGIN = 'http://sandbox.test';

/** The sandbox with what tests ask of it. */
export function addCalls(sandbox: ReturnType<typeof openAt>) {
  /** Paths are below `/api/v2` unless they are whole URLs. */
  async function ask(method: string, path: string, asking: Asking = {}): Promise<Reply> {
    const { as = 'owner', of = 'acme', body, contentType = 'application/vnd.api+json' } = asking;
    const headers = new Headers();
    const token = asking.token ?? sandbox.tokenFor(as, of);
    if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
    if (method !== 'GET' && contentType !== null) headers.set('Content-Type', contentType);
    const sent = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
    const url = path.startsWith('http') ? path : `${ORIGIN}/api/v2${path}`;
    const response = await sandbox.handle(new Request(url, { method, headers, body: sent }));
    const text = await response.text();
    const { status } = response;
    return { status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) };
  }
  const findId = async (path: string): Promise<string> => (await ask('GET', path)).body.data[0].id;
  return {
    ...sandbox,
    ask,
    teamId: (name: string, organization = 'acme') =>
      findId(`/organizations/${organization}/teams?filter%5Bnames%5D=${name}`),
    membershipId: (email: string, organization = 'acme') =>
      findId(`/organizations/${organization}/organization-memberships?filter%5Bemail%5D=${encodeURIComponent(email)}`),
  };
}

export function createInvitation(email: string, ...teams: string[]): Json {
  return {
    data: {
      type: 'organization-memberships',
      attributes: { email },
      relationships: { teams: { data: teams.map((id) => ({ type: 'teams', id })) } },
    },
  };
}

export function createProvider(registryName: string, namespace: string, name: string): Json {
  return { data: { type: 'registry-providers', attributes: { name, namespace, 'registry-name': registryName } } };
}

export const TOKEN_REQUEST = { data: { type: 'authentication-token', attributes: {} } };

/** Paths in acme. */
export const TOKEN = '/organizations/acme/authentication-token?token=audit-trails';
export const MEMBERSHIPS = '/organizations/acme/organization-memberships';
export const PROVIDERS = '/organizations/acme/registry-providers';
export const TRAIL = '/organization/audit-trail';

/** What 422 is answered with: each flaw, and where it is below `data`. */
export function listFlaws(...flaws: [detail: string, pointer: string][]): Json {
  const errors = flaws.map(([detail, pointer]) => ({
    status: '422',
    title: 'invalid attribute',
    detail,
    source: { pointer: `/data/${pointer}` },
  }));
  return { errors };
}
