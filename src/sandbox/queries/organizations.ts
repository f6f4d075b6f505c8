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
}

interface NewOrganization extends Pick<OrganizationRow, 'id' | 'name' | 'email' | 'note'> {
  readonly createdAt: number;
  readonly curation: boolean;
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

export function insertOrganization(store: Store, { createdAt, curation, ...row }: NewOrganization): number {
  const columns = { folded: fold(row.name), created_at: createdAt, curation: curation ? 1 : 0 };
  return store.insert('organizations', { ...row, ...columns });
}

export function limitToPresentUsers(store: Store, seq: number): void {
  store.run('UPDATE organizations SET user_limit = active + invited WHERE seq = ?', seq);
}
