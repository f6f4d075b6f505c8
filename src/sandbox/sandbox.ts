import { createApp } from './app.ts';
import { CALLER_KINDS, type CallerKind } from './callers.ts';
import { createIds } from './ids.ts';
import { type AcceptedMembership, accept, findInvited, type Invitation } from './invitations.ts';
import { migrate } from './migration.ts';
import { findOrganization, listOrganizations, type OrganizationRow } from './queries/organizations.ts';
import { countProviders } from './queries/providers.ts';
import { countTeams } from './queries/teams.ts';
import { findAuditToken, listTokens, type TokenRow, toHash } from './queries/tokens.ts';
import { readSeedText, type Seed, sow, toReadyText } from './seed.ts';
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
  /** Told of unknown routes, by method and path, and of unexpected failures. Nothing secret. */
  log?(line: string): void;
}

interface ReadyToken {
  kind: CallerKind;
  /** Absent where the token serves all organizations. */
  organization?: string;
  /** Null for one that a request made: of its secret only a hash is kept. */
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
   * A token that is taken for that caller in that organization; undefined for `none` and where there is none. Where a
   * request made it, since its secret is not kept, it is one that this sandbox alone takes in its place, until it is closed.
   */
  tokenFor(kind: CallerKind, organization: string): string | undefined;
  /** One of each kind for the first organization, then those of the other organizations. */
  tokens(): readonly ReadyToken[];
  /** The names of its organizations. */
  organizations(): readonly string[];
  /** What `accept` would turn into memberships. Throws SandboxInputError where there is none. */
  invitations(email: string, organization?: string): readonly Invitation[];
  /**
   * Turns invitations into memberships, as the invitee would. Throws SandboxInputError where there is none, and
   * SandboxStateError where it cannot be stored.
   */
  accept(email: string, organization?: string): readonly AcceptedMembership[];
  /** Replaces all data at once, or none: throws SandboxStateError where it cannot be stored. */
  reset(seed?: Seed): void;
  info(): SandboxInfo;
  close(): void;
}

const DEFAULT_RATE_LIMIT = 30;

/** The service, on a state that is made where it does not exist yet. Throws SandboxStateError for one that cannot be used. */
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
  const store = openStore(state, { fill: (fresh) => sow({ store: fresh, ids, now: now() }, seed), migrate });
  const passes = new Map<string, string>();
  const log = (line: string): void => options.log?.(line);
  const handle = createApp({ store, ids, documentOnly, publicPrefix, passes, rateLimit, now, log });
  const write = <Result>(work: () => Result): Result => {
    try {
      return store.write(work);
    } catch (error) {
      throw toStateError(error, state);
    }
  };
  return {
    handle,
    tokenFor(kind, organization) {
      const found = store.read(() => findToken(store, kind, organization));
      if (found === undefined) return undefined;
      if (found.text !== null) return found.text;
      const known = [...passes].find(([, id]) => id === found.id)?.[0];
      const pass = known ?? ids.secret();
      passes.set(pass, found.id);
      return pass;
    },
    tokens: () => store.read(() => collectTokens(store)),
    organizations: () => store.read(() => listOrganizations(store).map(({ name }) => name)),
    invitations: (email, organization) =>
      store.read(() =>
        findInvited(store, email, organization).map((row) => ({
          id: row.id,
          organization: row.organization_name,
          email: row.email,
        })),
      ),
    accept: (email, organization) => write(() => accept(store, ids, now(), email, organization)),
    reset: (next) => write(() => sow({ store, ids, now: now() }, next ?? seed)),
    info: () => store.read(() => ({ state, seed: readSeedText(store), organizations: describe(store) })),
    close: () => store.close(),
  };
}

/** `text` is null where a request made it. */
function findToken(
  store: Store,
  kind: CallerKind,
  name: string,
): { readonly id: string; readonly text: string | null } | undefined {
  const organization = findOrganization(store, name);
  const token = listTokens(store).find(
    (candidate) =>
      candidate.kind === kind && (candidate.organization === null || candidate.organization === organization?.seq),
  );
  return token === undefined ? undefined : { id: token.id, text: toText(token, organization) };
}

function toText(token: TokenRow, organization: OrganizationRow | undefined): string | null {
  const text = toReadyText(token.kind, token.organization === null ? undefined : organization?.name);
  return toHash(text) === token.hash ? text : null;
}

function collectTokens(store: Store): ReadyToken[] {
  const tokens = listTokens(store);
  return listOrganizations(store).flatMap((organization, index) =>
    CALLER_KINDS.flatMap((kind): ReadyToken[] => {
      const token = tokens.find((candidate) => candidate.kind === kind);
      if (token?.organization === null) {
        return index === 0 ? [{ kind, token: toText(token, undefined) }] : [];
      }
      const own = tokens.find((candidate) => candidate.kind === kind && candidate.organization === organization.seq);
      return own === undefined ? [] : [{ kind, organization: organization.name, token: toText(own, organization) }];
    }),
  );
}

function describe(store: Store): OrganizationInfo[] {
  const everything = { search: undefined, registryName: undefined, names: undefined };
  return listOrganizations(store).map((organization) => ({
    name: organization.name,
    members: organization.active,
    invited: organization.invited,
    providers: countProviders(store, organization.seq, everything),
    teams: countTeams(store, organization.seq, everything),
    auditToken: findAuditToken(store, organization.seq) !== undefined,
    note: organization.note,
  }));
}
