import { getMember } from '../json-object.ts';
import type { Resource } from '../wire/json-api.ts';
import { readAccountName } from './diagnosis/evidence.ts';

export interface Caller {
  readonly kind: 'user' | 'team' | 'organization' | 'unknown';
  readonly name: string | undefined;
  /** Name of the organization that an organization token belongs to; undefined for others, and where unknown. */
  readonly organization: string | undefined;
  /** Id of the team that a team token belongs to; undefined for others, and where unknown. */
  readonly team: string | undefined;
}

export const UNKNOWN_CALLER: Caller = { kind: 'unknown', name: undefined, organization: undefined, team: undefined };

/** Kinds by what the account belongs to (authenticated-resource). */
const KINDS: Readonly<Record<string, Caller['kind']>> = { users: 'user', teams: 'team', organizations: 'organization' };

export function toCaller({ attributes = {}, relationships }: Resource): Caller {
  const { username, 'is-service-account': isService } = attributes;
  const name = typeof username === 'string' ? username : undefined;
  const data = relationships?.['authenticated-resource']?.data;
  if (data !== null && data !== undefined && 'id' in data) {
    const kind = KINDS[data.type] ?? 'unknown';
    const idOf = (wanted: Caller['kind']): string | undefined => (kind === wanted ? data.id : undefined);
    return { kind, name, organization: idOf('organization'), team: idOf('team') };
  }
  return { ...UNKNOWN_CALLER, kind: isService === false ? 'user' : (readAccountName(name ?? '') ?? 'unknown'), name };
}

/** The id of the token that asked for this account; undefined where the service does not say. */
export function toTokenId(account: Resource): string | undefined {
  const link = getMember(account, 'links', 'auth-token');
  const id = typeof link === 'string' ? link.split('/').at(-1) : undefined;
  return id?.startsWith('at-') === true ? id : undefined;
}
