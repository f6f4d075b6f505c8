import { rmSync } from 'node:fs';
import { createApp } from './app.ts';
import { CALLER_KINDS, type CallerKind, toReadyMadeToken } from './callers.ts';
import type { OwnTls } from './certificate.ts';
import { createCompanions } from './companions.ts';
import { createFileService } from './file-service.ts';
import { createIds } from './ids.ts';
import { accept, findInvited, toInvitation } from './invitations.ts';
import { type Rules, type ServiceKind, toRules } from './kinds.ts';
import { createLinks } from './links.ts';
import { listOrganizations } from './queries/organizations.ts';
import { selectProviders } from './queries/providers.ts';
import { selectTeams } from './queries/teams.ts';
import { findToken, listPlacedTokens, toHash } from './queries/tokens.ts';
import { createReleaseFiles, FILES, removeOwnFiles } from './release-files.ts';
import type { ChangeContext } from './route.ts';
import { fold, type Store } from './rows.ts';
import { fillState, readSeedText, type Seed } from './seed.ts';
import { openStore, toStateError } from './store.ts';

export { CALLER_KINDS, type CallerKind } from './callers.ts';
export { SandboxInputError, SandboxStateError } from './input-error.ts';
export type { ServiceKind } from './kinds.ts';
export { parseSeed, type Seed } from './seed.ts';

export interface SandboxOptions {
  state: string;
  seed?: Seed;
  /** The kind of service whose rules hold; `document` when absent. */
  like?: ServiceKind;
  /** 404 for every route outside the service's document. */
  documentOnly?: boolean;
  rateLimit?: number;
  now(): number;
  randomBytes(length: number): Uint8Array;
  /** Called with unknown routes, by method and path, and with unexpected failures. Nothing secret. */
  log?(line: string): void;
}

interface ReadyMadeToken {
  kind: CallerKind;
  organization?: string;
  /** Null for one that a request created: of its secret only a hash is kept. */
  token: string | null;
}

export type Sandbox = ReturnType<typeof openSandbox>;

const DEFAULT_RATE_LIMIT = 30;

/** The service, on a state that is created where it does not exist yet. Throws SandboxStateError for one that cannot be used. */
export function openSandbox(options: SandboxOptions) {
  const { documentOnly = false, like = 'document', rateLimit = DEFAULT_RATE_LIMIT, state } = options;
  const seed: Seed = options.seed ?? { kind: 'demo' };
  const now = (): number => options.now();
  const ids = createIds((length) => options.randomBytes(length));
  const companions = createCompanions(state);
  const store = openStore(state, (empty) => fillState({ store: empty, ids, now: now() }, seed));
  const rules = toRules(like, documentOnly);
  const links = createLinks((length) => options.randomBytes(length));
  const files = createReleaseFiles(companions, store, ids);
  const standIns = new Map<string, string>();
  const log = (line: string): void => options.log?.(line);
  const handle = createApp({ store, ids, rules, links, files, standIns, rateLimit, now, log });
  const write = <Result>(work: (change: ChangeContext) => Result): Result => {
    try {
      return store.write(() => work({ store, ids, now: now() }));
    } catch (error) {
      throw toStateError(error, state);
    }
  };
  return {
    handle,
    /** Answers where links of the API lead to. */
    files: createFileService({ store, links, files, now, log }),
    /**
     * A token that is accepted for that caller in that organization; undefined for `none` and where there is none. The
     * secret of a token that a request created is not kept: for that one it is a stand-in, which this sandbox alone accepts.
     */
    tokenFor(kind: CallerKind, organization: string): string | undefined {
      const found = store
        .read(() => listKnownTokens(store, rules))
        .find(({ shown }) => shown.kind === kind && fold(shown.organization ?? organization) === fold(organization));
      if (found === undefined || found.shown.token !== null) return found?.shown.token ?? undefined;
      const standIn = [...standIns].find(([, id]) => id === found.id)?.[0] ?? ids.secret();
      standIns.set(standIn, found.id);
      return standIn;
    },
    /** A token of each kind for the first organization, then the tokens of the other organizations. */
    tokens: () => store.read(() => listKnownTokens(store, rules).map(({ shown }) => shown)),
    organizations: () => store.read(() => listOrganizations(store).map(({ name }) => name)),
    /** The invitations that `accept` would accept. Throws SandboxInputError without any. */
    invitations: (email: string, organization?: string) =>
      store.read(() => findInvited(store, email, organization).map(toInvitation)),
    /**
     * Turns invitations into memberships, as the invitee would. Throws SandboxInputError without any, and SandboxStateError
     * where it cannot be stored.
     */
    accept: (email: string, organization?: string) => write((change) => accept(change, email, organization)),
    /** Replaces all data at once, or none: throws SandboxStateError where it cannot be stored. */
    reset(next?: Seed): void {
      const earlier = files.list();
      write((change) => fillState(change, next ?? seed));
      files.removeAll(earlier);
    },
    info: () => store.read(() => ({ state, seed: readSeedText(store), organizations: describe(store) })),
    /**
     * A certificate for this machine and this name. Rejects with the file system's error where it cannot be kept beside the
     * state.
     */
    async loadTls(listen: string): Promise<OwnTls> {
      const { loadOwnTls } = await import('./certificate.ts');
      return await loadOwnTls(companions, listen, now(), ids);
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
  removeOwnFiles(`${state}${FILES}`);
}

function listKnownTokens(
  store: Store,
  { hasAuditTokens }: Rules,
): { readonly id: string; readonly shown: ReadyMadeToken }[] {
  const tokens = listPlacedTokens(store).filter(({ kind }) => hasAuditTokens || kind !== 'audit-token');
  return listOrganizations(store).flatMap(({ seq, name }, index) =>
    CALLER_KINDS.flatMap((kind) => {
      const token = tokens.find(
        (one) => one.kind === kind && (one.organization === seq || (one.organization === null && index === 0)),
      );
      if (token === undefined) return [];
      const of = token.organization === null ? {} : { organization: name };
      const text = toReadyMadeToken(token.kind, of.organization);
      return [{ id: token.id, shown: { kind, ...of, token: toHash(text) === token.hash ? text : null } }];
    }),
  );
}

function describe(store: Store) {
  return listOrganizations(store).map(({ seq, name, active, inactive, invited, note }) => ({
    name,
    members: active + inactive,
    invited,
    providers: selectProviders(store, seq).count(),
    teams: selectTeams(store, seq).count(),
    'audit-token': findToken(store, { kind: 'audit-token', organization: seq, team: null }) !== undefined,
    note,
  }));
}
