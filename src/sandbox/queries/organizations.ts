import type { Caller } from '../callers.ts';
import { type Condition, contains, fold, type Selection, type Store } from '../rows.ts';

export interface OrganizationRow {
  readonly seq: number;
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly created_at: number;
  /** 1 where public providers may be curated. */
  readonly curation: number;
  readonly user_limit: number | null;
  readonly note: string;
  /** JSON: what differs from the usual settings. */
  readonly settings: string;
  readonly active: number;
  readonly invited: number;
  readonly inactive: number;
  /** 1 where an identity provider manages people and teams, by SCIM. */
  readonly has_scim: number;
  /** 1 where HCP manages people and teams. */
  readonly is_unified: number;
}

type NewOrganization = Pick<OrganizationRow, 'id' | 'name' | 'email' | 'note' | 'created_at' | 'curation'> &
  Partial<Pick<OrganizationRow, 'settings' | 'has_scim' | 'is_unified'>>;

interface OrganizationFilter {
  readonly search?: string | undefined;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
}

/** The defaults of what owners can set. In the sandbox only `max-ttl-enabled` and `user-tokens-enabled` have an effect. */
export const DEFAULT_SETTINGS = {
  'collaborator-auth-policy': 'password',
  'session-timeout': null,
  'session-remember': null,
  'owners-team-saml-role-id': null,
  'aggregated-commit-status-enabled': true,
  'allow-force-delete-workspaces': false,
  'assessments-enforced': false,
  'cost-estimation-enabled': false,
  'default-execution-mode': 'remote',
  'max-ttl-enabled': false,
  'send-passing-statuses-for-untriggered-speculative-plans': false,
  'speculative-plan-management-enabled': true,
  'stacks-enabled': false,
  'user-tokens-enabled': true,
} as const;

export function readSettings({ settings }: OrganizationRow): Readonly<Record<string, unknown>> {
  return { ...DEFAULT_SETTINGS, ...(JSON.parse(settings) as Readonly<Record<string, unknown>>) };
}

/** Assumed: names of organizations are compared without case. */
export function findOrganization(store: Store, name: string): OrganizationRow | undefined {
  return select(store, ['folded = ?', fold(name)]).first();
}

export function getOrganization(store: Store, seq: number): OrganizationRow | undefined {
  return select(store, ['seq = ?', seq]).first();
}

export function listOrganizations(store: Store): readonly OrganizationRow[] {
  return select(store).list();
}

/** The organizations where a person is an active member; for other callers the organization of their token. */
export function selectOrganizationsOf(
  store: Store,
  { user, organization }: Caller,
  { search, name, email }: OrganizationFilter,
): Selection<OrganizationRow> {
  return select(
    store,
    user === null
      ? ['seq = ?', organization]
      : ["seq IN (SELECT organization FROM memberships WHERE user = ? AND status = 'active')", user.seq],
    contains(search, 'folded', 'lower(email)'),
    contains(name, 'folded'),
    contains(email, 'lower(email)'),
  );
}

function select(store: Store, ...conditions: readonly (Condition | false)[]): Selection<OrganizationRow> {
  return store.select('*', 'organizations', conditions);
}

export function insertOrganization(store: Store, row: NewOrganization): number {
  return store.insert('organizations', { ...row, folded: fold(row.name) });
}

/** A new name changes the namespace of private providers and the creator of tokens, too. */
export function updateOrganization(
  store: Store,
  { seq, name: previous }: OrganizationRow,
  { name, email, settings }: Pick<OrganizationRow, 'name' | 'email' | 'settings'>,
): void {
  store.update('organizations', seq, { name, folded: fold(name), email, settings });
  if (name === previous) return;
  store.run(
    "UPDATE providers SET namespace = ?, namespace_folded = ? WHERE organization = ? AND registry_name = 'private'",
    name,
    fold(name),
    seq,
  );
  store.run("UPDATE tokens SET creator_id = ? WHERE organization = ? AND creator_type = 'organizations'", name, seq);
}

/** Deletes all that belongs to the organization, too. Its people stay, since they may be in others. */
export function deleteOrganization(store: Store, seq: number): void {
  const tables = ['memberships', 'teams', 'tokens', 'token_policies', 'providers', 'eligible_feature_sets', 'events'];
  for (const table of tables) store.run(`DELETE FROM ${table} WHERE organization = ?`, seq);
  store.remove('organizations', seq);
}

export function limitToPresentUsers(store: Store, seq: number): void {
  store.run('UPDATE organizations SET user_limit = active + invited WHERE seq = ?', seq);
}
