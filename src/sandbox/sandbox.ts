import { createApp } from './app.ts';
import { recordSystemEvent } from './audit-events.ts';
import { CALLER_KINDS, type CallerKind } from './callers.ts';
import { createIds, type Ids } from './ids.ts';
import { SandboxInputError } from './input-error.ts';
import {
  activateMembership,
  getUser,
  isUsernameTaken,
  listInvited,
  type MembershipRow,
  setUsername,
} from './queries/memberships.ts';
import { findOrganization, listOrganizations } from './queries/organizations.ts';
import { countProviders } from './queries/providers.ts';
import { countTeams } from './queries/teams.ts';
import { findAuditToken, listTokens } from './queries/tokens.ts';
import { readSeedText, type Seed, sow } from './seed.ts';
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
  token: string;
}

interface Invitation {
  id: string;
  organization: string;
  email: string;
}

interface AcceptedMembership extends Invitation {
  status: string;
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
  /** The token of that kind for that organization as it is now; undefined for `none` and where there is none. */
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
  const { documentOnly = false, rateLimit = DEFAULT_RATE_LIMIT, seed = { kind: 'demo' }, state } = options;
  const now = (): number => options.now();
  const ids = createIds((length) => options.randomBytes(length));
  const store = openStore(state, (fresh) => sow({ store: fresh, ids, now: now() }, seed));
  const log = (line: string): void => options.log?.(line);
  const handle = createApp({ store, ids, documentOnly, rateLimit, now, log });
  const write = <Result>(work: () => Result): Result => {
    try {
      return store.write(work);
    } catch (error) {
      throw toStateError(error, state);
    }
  };
  return {
    handle,
    tokenFor: (kind, organization) => store.read(() => findToken(store, kind, organization)),
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

function findToken(store: Store, kind: CallerKind, name: string): string | undefined {
  const organization = findOrganization(store, name);
  const token = listTokens(store).find(
    (candidate) =>
      candidate.kind === kind && (candidate.organization === null || candidate.organization === organization?.seq),
  );
  return token?.text;
}

function collectTokens(store: Store): ReadyToken[] {
  const tokens = listTokens(store);
  return listOrganizations(store).flatMap((organization, index) =>
    CALLER_KINDS.flatMap((kind): ReadyToken[] => {
      const token = tokens.find((candidate) => candidate.kind === kind);
      if (token?.organization === null) {
        return index === 0 ? [{ kind, token: token.text }] : [];
      }
      const own = tokens.find((candidate) => candidate.kind === kind && candidate.organization === organization.seq);
      return own === undefined ? [] : [{ kind, organization: organization.name, token: own.text }];
    }),
  );
}

type InvitedRow = ReturnType<typeof listInvited>[number];

function findInvited(store: Store, email: string, name: string | undefined): readonly InvitedRow[] {
  const organization = name === undefined ? undefined : findOrganization(store, name);
  if (name !== undefined && organization === undefined) {
    const known = listOrganizations(store).map((row) => row.name);
    throw new SandboxInputError(`the sandbox has no organization ${name}`, 'Name one of these with --org.', [
      `organizations there: ${known.join(', ')}`,
    ]);
  }
  const invited = listInvited(store, email).filter(
    (row) => organization === undefined || row.organization === organization.seq,
  );
  if (invited.length === 0) {
    const where = organization === undefined ? 'any organization of the sandbox' : organization.name;
    throw new SandboxInputError(
      `nobody with the email ${email} is invited to ${where}`,
      'Invite somebody first, or look who waits: members list --status invited, with --sandbox.',
    );
  }
  return invited;
}

function accept(
  store: Store,
  ids: Ids,
  now: number,
  email: string,
  name: string | undefined,
): readonly AcceptedMembership[] {
  return findInvited(store, email, name).map((row) => {
    giveAccount(store, row);
    activateMembership(store, row.seq);
    const joined = listOrganizations(store).find((candidate) => candidate.seq === row.organization);
    if (joined !== undefined) {
      recordSystemEvent(store, ids, joined, now, { type: 'organization_user', action: 'update', id: row.id });
    }
    return { id: row.id, organization: row.organization_name, email: row.email, status: 'active' };
  });
}

/** A name after the address, with a number where it is taken. One who has an account keeps it. */
function giveAccount(store: Store, row: MembershipRow): void {
  if (getUser(store, row.user)?.username !== null) {
    return;
  }
  const base =
    row.email
      .split('@')[0]
      ?.toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'user';
  let username = base;
  for (let number = 2; isUsernameTaken(store, username); number += 1) {
    username = `${base}-${number}`;
  }
  setUsername(store, row.user, username);
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
