import { fold, type Store } from '../store.ts';

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
  readonly active: number;
  readonly invited: number;
  readonly inactive: number;
  /** 1 where an identity provider manages people and teams, by SCIM. */
  readonly has_scim: number;
  /** 1 where HCP manages people and teams. */
  readonly is_unified: number;
}

interface NewOrganization extends Pick<OrganizationRow, 'id' | 'name' | 'email' | 'note'> {
  readonly createdAt: number;
  readonly curation: boolean;
  readonly hasScim: boolean;
  readonly isUnified: boolean;
}

/** Assumed: names are compared without case. */
export function findOrganization(store: Store, name: string): OrganizationRow | undefined {
  return store.first('SELECT * FROM organizations WHERE folded = ?', fold(name));
}

export function getOrganization(store: Store, seq: number): OrganizationRow | undefined {
  return store.first('SELECT * FROM organizations WHERE seq = ?', seq);
}

export function listOrganizations(store: Store): OrganizationRow[] {
  return store.all('SELECT * FROM organizations ORDER BY seq');
}

export function insertOrganization(
  store: Store,
  { createdAt, curation, hasScim, isUnified, ...row }: NewOrganization,
): number {
  return store.insert('organizations', {
    ...row,
    folded: fold(row.name),
    created_at: createdAt,
    curation: curation ? 1 : 0,
    has_scim: hasScim ? 1 : 0,
    is_unified: isUnified ? 1 : 0,
  });
}

export function limitToPresentUsers(store: Store, seq: number): void {
  store.run('UPDATE organizations SET user_limit = active + invited WHERE seq = ?', seq);
}
