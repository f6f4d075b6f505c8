import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listOrganizations } from './access.ts';
import { createApp } from './app.ts';
import { CALLER_KINDS, type CallerKind, formatSeedToken } from './callers.ts';
import type { Transaction } from './context.ts';
import { createLinks, createReleaseFiles } from './files.ts';
import { createIds } from './ids.ts';
import { acceptInvitations, formatInvitation, listInvitations } from './invitations.ts';
import { findRules, type Rules, type ServiceKind } from './kinds.ts';
import type { TokenRow } from './rows.ts';
import { fillState, readSeed } from './seed.ts';
import { createStateError, openState } from './state.ts';
import { fold, type Store } from './store.ts';
import { findTokenRow, hashToken } from './tokens.ts';

export interface SandboxOptions {
  state: string;
  /** `demo`, `empty` or `members=<n>`. */
  seed?: string;
  like?: ServiceKind;
  documentOnly?: boolean;
  rateLimit?: number;
  now(): number;
  randomBytes(length: number): Uint8Array;
  /** Gets unknown routes, by method and path, and unexpected errors. No line has a secret. */
  log?(line: string): void;
}

export type Sandbox = ReturnType<typeof openSandbox>;

/** Creates a state that does not exist yet. Throws UsageError with code `outdated`, `damaged` or `unusable`. */
export function openSandbox(options: SandboxOptions) {
  const { like = 'document', log = () => undefined, now, randomBytes, state, seed = 'demo' } = options;
  const ids = createIds(randomBytes);
  const store = openState(state, (empty) => fillState({ store: empty, ids, now: now() }, seed));
  const rules = findRules(like, options.documentOnly ?? false);
  const services = { store, ids, links: createLinks(randomBytes), now, log };
  const tokenAliases = new Map<string, string>();
  const folders: string[] = [];
  const write = <Result>(work: (tx: Transaction) => Result): Result => {
    try {
      return store.write(() => work({ store, ids, now: now() }));
    } catch (error) {
      throw createStateError(error, state);
    }
  };
  return {
    handle: createApp({ ...services, rules, tokenAliases, rateLimit: options.rateLimit ?? 30 }),
    files: createReleaseFiles(services),
    tokenFor: (kind: CallerKind, organization: string) =>
      store.read(() => findSecret(listTokens(store, rules), kind, organization, tokenAliases)),
    tokens: () => store.read(() => listTokens(store, rules).map(({ id: _id, ...token }) => token)),
    organizations: () => store.read(() => listOrganizations(store).map(({ name }) => name)),
    invitations: (email: string, organization?: string) =>
      store.read(() => listInvitations(store, email, organization).map(formatInvitation)),
    /** Turns invitations into memberships. Throws UsageError, also if there are none. */
    accept: (email: string, organization?: string) => write((tx) => acceptInvitations(tx, email, organization)),
    reset: (next = seed) => write((tx) => fillState(tx, next)),
    info: () => store.read(() => ({ state, seed: readSeed(store), organizations: describeOrganizations(store) })),
    /** The certificate authority's file is gone once the sandbox is closed. */
    async createTls(listen: string) {
      const { createTls } = await import('./certificate.ts');
      const folder = mkdtempSync(join(tmpdir(), 'orgctl-sandbox-'));
      folders.push(folder);
      return await createTls(join(folder, 'ca.pem'), listen, now());
    },
    close(): void {
      store.close();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Also removes the sidecar files. Throws errors of the file system. */
export function removeState(state: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${state}${suffix}`, { force: true });
}

/** The state has no secret of a token that a request created. An alias is valid only in this process. */
function findSecret(tokens: SeedToken[], kind: CallerKind, organization: string, aliases: Map<string, string>) {
  const isOwn = (token: SeedToken) => fold(token.organization ?? organization) === fold(organization);
  const token = tokens.find((each) => each.kind === kind && isOwn(each));
  if (token === undefined || token.token !== null) return token?.token ?? undefined;
  const alias = `sandbox.alias.${token.id}`;
  aliases.set(alias, token.id);
  return alias;
}

/** `token` is null for a token that a request created. */
type SeedToken = { id: string; kind: CallerKind; organization?: string; token: string | null };

function listTokens(store: Store, { hasAuditTokens }: Rules): SeedToken[] {
  const tokens = store.all<TokenRow>('SELECT * FROM tokens WHERE description IS NULL');
  const kinds = CALLER_KINDS.filter((kind) => hasAuditTokens || kind !== 'audit-token');
  return listOrganizations(store).flatMap(({ seq, name }, index) =>
    kinds.flatMap((kind) => {
      const owners = index === 0 ? [seq, null] : [seq];
      const row = tokens.find((each) => each.kind === kind && owners.includes(each.organization));
      if (row === undefined) return [];
      const organization = row.organization === null ? undefined : name;
      const token = formatSeedToken(row.kind, organization);
      return [{ id: row.id, kind, organization, token: hashToken(token) === row.hash ? token : null }];
    }),
  );
}

function describeOrganizations(store: Store) {
  return listOrganizations(store).map(({ seq, name, active, inactive, invited, note }) => ({
    name,
    members: active + inactive,
    invited,
    note,
    providers: store.count('providers WHERE organization = ?', seq),
    teams: store.count('teams WHERE organization = ?', seq),
    'audit-token': findTokenRow(store, { kind: 'audit-token', organization: seq, team: null }) !== undefined,
  }));
}
