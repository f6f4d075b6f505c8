import { createApp } from './app.ts';
import { CALLER_KINDS, type CallerKind, toReadyMadeToken } from './callers.ts';
import { createIds } from './ids.ts';
import { type AcceptedMembership, accept, findInvited, type Invitation, toInvitation } from './invitations.ts';
import { migrate } from './migration.ts';
import { findOrganization, listOrganizations, type OrganizationRow } from './queries/organizations.ts';
import { countProviders } from './queries/providers.ts';
import { countTeams } from './queries/teams.ts';
import { findAuditToken, listTokens, type TokenRow, toHash } from './queries/tokens.ts';
import type { ChangeContext } from './route.ts';
import { fillState, readSeedText, type Seed } from './seed.ts';
import { openStore, type Store, toStateError } from './store.ts';

export { CALLER_KINDS, type CallerKind } from './callers.ts';
export { SandboxInputError, SandboxStateError } from './input-error.ts';
export { parseSeed, type Seed } from './seed.ts';

export interface SandboxOptions {
  /** A file path, or `:memory:`. */
  state: string;
  /** Used only when the state is new; the demo when absent. */
  seed?: Seed;
  /** 404 for every route outside the service's document. */
  documentOnly?: boolean;
  /** Where the public registry's proxy is, as the discovery document then names it; the usual place when absent. */
  publicPrefix?: string;
  /** Requests a second from one caller, 30 when absent; 0 for no limit. */
  rateLimit?: number;
  /** Milliseconds since 1970. */
  now(): number;
  randomBytes(length: number): Uint8Array;
  /** Called with unknown routes, by method and path, and with unexpected failures. Nothing secret. */
  log?(line: string): void;
}

interface ReadyMadeToken {
  kind: CallerKind;
  /** Absent where the token serves all organizations. */
  organization?: string;
  /** Null for one that a request created: of its secret only a hash is kept. */
  token: string | null;
}

interface OrganizationInfo {
  name: string;
  members: number;
  invited: number;
  providers: number;
  teams: number;
  auditToken: boolean;
  note: string;
}

interface SandboxInfo {
  state: string;
  seed: string;
  organizations: readonly OrganizationInfo[];
}

export interface Sandbox {
  /** `address` is where the request came from; callers without a token are rate limited by it. */
  handle(request: Request, address?: string): Promise<Response>;
  /**
   * A token that is accepted for that caller in that organization; undefined for `none` and where there is none. The secret
   * of a token that a request created is not kept: for that one it is a stand-in, which this sandbox alone accepts.
   */
  tokenFor(kind: CallerKind, organization: string): string | undefined;
  /** One of each kind for the first organization, then those of the other organizations. */
  tokens(): readonly ReadyMadeToken[];
  /** The names of its organizations. */
  organizations(): readonly string[];
  /** What `accept` would turn into memberships. Throws SandboxInputError without any. */
  invitations(email: string, organization?: string): readonly Invitation[];
  /**
   * Turns invitations into memberships, as the invitee would. Throws SandboxInputError without any, and SandboxStateError
   * where it cannot be stored.
   */
  accept(email: string, organization?: string): readonly AcceptedMembership[];
  /** Replaces all data at once, or none: throws SandboxStateError where it cannot be stored. */
  reset(seed?: Seed): void;
  info(): SandboxInfo;
  close(): void;
}

const DEFAULT_RATE_LIMIT = 30;

/** The service, on a state that is created where it does not exist yet. Throws SandboxStateError for one that cannot be used. */
export function openSandbox(options: SandboxOptions): Sandbox {
  const {
    documentOnly = false,
    publicPrefix,
    rateLimit = DEFAULT_RATE_LIMIT,
    seed = { kind: 'demo' },
    state,
  } = options;
  const now = (): number => options.now();
  const ids = createIds((length) => options.randomBytes(length));
  const store = openStore(state, { fill: (empty) => fillState({ store: empty, ids, now: now() }, seed), migrate });
  const standIns = new Map<string, string>();
  const log = (line: string): void => options.log?.(line);
  const handle = createApp({ store, ids, documentOnly, publicPrefix, standIns, rateLimit, now, log });
  const write = <Result>(work: (change: ChangeContext) => Result): Result => {
    try {
      return store.write(() => work({ store, ids, now: now() }));
    } catch (error) {
      throw toStateError(error, state);
    }
  };
  return {
    handle,
    tokenFor(kind, organization) {
      const found = store.read(() => findToken(store, kind, organization));
      if (found === undefined || found.text !== undefined) return found?.text;
      const known = [...standIns].find(([, id]) => id === found.id)?.[0];
      const standIn = known ?? ids.secret();
      standIns.set(standIn, found.id);
      return standIn;
    },
    tokens: () => store.read(() => listReadyMadeTokens(store)),
    organizations: () => store.read(() => listOrganizations(store).map(({ name }) => name)),
    invitations: (email, organization) => store.read(() => findInvited(store, email, organization).map(toInvitation)),
    accept: (email, organization) => write((change) => accept(change, email, organization)),
    reset: (next) => write((change) => fillState(change, next ?? seed)),
    info: () => store.read(() => ({ state, seed: readSeedText(store), organizations: describe(store) })),
    close: () => store.close(),
  };
}

/** `text` is undefined for a token that a request created. */
function findToken(
  store: Store,
  kind: CallerKind,
  name: string,
): { readonly id: string; readonly text: string | undefined } | undefined {
  const organization = findOrganization(store, name);
  const token = listTokens(store).find(
    (candidate) =>
      candidate.kind === kind && (candidate.organization === null || candidate.organization === organization?.seq),
  );
  return token === undefined ? undefined : { id: token.id, text: toText(token, organization) };
}

/** Only a hash is kept: the texts of ready-made tokens follow from their names. */
function toText(token: TokenRow, organization: OrganizationRow | undefined): string | undefined {
  const text = toReadyMadeToken(token.kind, token.organization === null ? undefined : organization?.name);
  return toHash(text) === token.hash ? text : undefined;
}

function listReadyMadeTokens(store: Store): ReadyMadeToken[] {
  const tokens = listTokens(store);
  return listOrganizations(store).flatMap((organization, index) =>
    CALLER_KINDS.flatMap((kind): ReadyMadeToken[] => {
      const candidates = tokens.filter((token) => token.kind === kind);
      const own = candidates.find((token) => token.organization === organization.seq);
      if (own !== undefined)
        return [{ kind, organization: organization.name, token: toText(own, organization) ?? null }];
      const shared = index === 0 ? candidates.find((token) => token.organization === null) : undefined;
      return shared === undefined ? [] : [{ kind, token: toText(shared, undefined) ?? null }];
    }),
  );
}

function describe(store: Store): OrganizationInfo[] {
  return listOrganizations(store).map((organization) => ({
    name: organization.name,
    members: organization.active,
    invited: organization.invited,
    providers: countProviders(store, organization.seq),
    teams: countTeams(store, organization.seq),
    auditToken: findAuditToken(store, organization.seq) !== undefined,
    note: organization.note,
  }));
}
