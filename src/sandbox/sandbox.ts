import { rmSync } from 'node:fs';
import { listOrganizations } from './access.ts';
import { createApp } from './app.ts';
import type { Change } from './call.ts';
import { CALLER_KINDS, type CallerKind, formatReadyToken } from './callers.ts';
import { createFiles, createLinks, FILES, removeFiles } from './files.ts';
import { createIds } from './ids.ts';
import { acceptInvitations, formatInvitation, listInvitations } from './invitations.ts';
import { findRules, type Rules, type ServiceKind } from './kinds.ts';
import type { TokenRow } from './rows.ts';
import { fillState, readSeed, type Seed } from './seed.ts';
import { createCompanions, createStateError, openState } from './state.ts';
import { fold, type Store } from './store.ts';
import { findToken, hashToken } from './tokens.ts';

export { CALLER_KINDS, type CallerKind } from './callers.ts';
export { SandboxInputError, SandboxStateError } from './errors.ts';
export type { ServiceKind } from './kinds.ts';
export { parseSeed, type Seed } from './seed.ts';

export interface SandboxOptions {
  state: string;
  seed?: Seed;
  like?: ServiceKind;
  documentOnly?: boolean;
  rateLimit?: number;
  now(): number;
  randomBytes(length: number): Uint8Array;
  /** Called with unknown routes, by method and path, and with unexpected failures. Nothing secret. */
  log?(line: string): void;
}

export type Sandbox = ReturnType<typeof openSandbox>;

/** The service, on a state that is created if it does not exist yet. Throws SandboxStateError for one that cannot be used. */
export function openSandbox(options: SandboxOptions) {
  const { documentOnly = false, like = 'document', rateLimit = 30, state, seed = { kind: 'demo' } } = options;
  const now = (): number => options.now();
  const log = (line: string): void => options.log?.(line);
  const randomBytes = (length: number): Uint8Array => options.randomBytes(length);
  const ids = createIds(randomBytes);
  const companions = createCompanions(state);
  const store = openState(state, (empty) => fillState({ store: empty, ids, now: now() }, seed));
  const rules = findRules(like, documentOnly);
  const links = createLinks(randomBytes);
  const files = createFiles({ store, ids, links, now, log }, companions);
  const standIns = new Map<string, string>();
  const { read } = store;
  const write = <Result>(work: (change: Change) => Result): Result => {
    try {
      return store.write(() => work({ store, ids, now: now() }));
    } catch (error) {
      throw createStateError(error, state);
    }
  };
  return {
    handle: createApp({ store, ids, rules, links, files, standIns, rateLimit, now, log }),
    files: { receive: files.receive, find: files.find },
    /**
     * A token that is accepted for that caller in that organization; undefined for `none` and if there is none. The secret of
     * a token that a request created is not kept: for that one it is a stand-in, which this sandbox alone accepts.
     */
    tokenFor(kind: CallerKind, organization: string): string | undefined {
      const found = read(() => listTokens(store, rules)).find(
        (token) => token.kind === kind && fold(token.organization ?? organization) === fold(organization),
      );
      if (found === undefined || found.token !== null) return found?.token ?? undefined;
      const standIn = [...standIns].find(([, id]) => id === found.id)?.[0] ?? ids.secret();
      standIns.set(standIn, found.id);
      return standIn;
    },
    tokens: () => read(() => listTokens(store, rules).map(({ id: _id, ...token }) => token)),
    organizations: () => read(() => listOrganizations(store).map(({ name }) => name)),
    invitations: (email: string, organization?: string) =>
      read(() => listInvitations(store, email, organization).map(formatInvitation)),
    /** Turns invitations into memberships. Throws SandboxInputError without any, and SandboxStateError if it can't be stored. */
    accept: (email: string, organization?: string) => write((change) => acceptInvitations(change, email, organization)),
    reset(next: Seed = seed): void {
      write((change) => fillState(change, next));
      files.removeAll();
    },
    info: () => read(() => ({ state, seed: readSeed(store), organizations: describeOrganizations(store) })),
    async loadTls(listen: string) {
      const { loadTls } = await import('./certificate.ts');
      return await loadTls(companions, listen, now());
    },
    close(): void {
      store.close();
      companions.close();
    },
  };
}

/** Removes a state, and what lies beside it, by name. Throws what the file system says. */
export function removeState(state: string): void {
  for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(`${state}${ending}`, { force: true });
  removeFiles(`${state}${FILES}`);
}

type ReadyToken = { id: string; kind: CallerKind; organization?: string; token: string | null };

function listTokens(store: Store, { hasAuditTokens }: Rules): ReadyToken[] {
  const tokens = store.all<TokenRow>('SELECT * FROM tokens WHERE description IS NULL');
  const kinds = CALLER_KINDS.filter((kind) => hasAuditTokens || kind !== 'audit-token');
  return listOrganizations(store).flatMap(({ seq, name }, index) =>
    kinds.flatMap((kind) => {
      const places = index === 0 ? [seq, null] : [seq];
      const token = tokens.find((each) => each.kind === kind && places.includes(each.organization));
      if (token === undefined) return [];
      const of = token.organization === null ? {} : { organization: name };
      const text = formatReadyToken(token.kind, of.organization);
      return [{ id: token.id, kind, ...of, token: hashToken(text) === token.hash ? text : null }];
    }),
  );
}

function describeOrganizations(store: Store) {
  return listOrganizations(store).map(({ seq, name, active, inactive, invited, note }) => ({
    ...{ name, members: active + inactive, invited, note },
    providers: store.count('providers WHERE organization = ?', seq),
    teams: store.count('teams WHERE organization = ?', seq),
    'audit-token': findToken(store, { kind: 'audit-token', organization: seq, team: null }) !== undefined,
  }));
}
