import type { Resource } from './json-api.ts';
import type { FeatureSet, Membership, Named, Provider, Team, Token, User } from './resources.ts';

/**
 * Resources as json shows them: their attributes beside id and type, and each related resource with what came along of it.
 * The service may send more.
 */

type Identity = Named<'id' | 'type'>;
type Flat<Some extends Resource> = Identity & NonNullable<Some['attributes']>;

export interface Placed {
  readonly organization?: (Identity & Named<'name'>) | null;
}

export type MembershipRow = Flat<Membership> &
  Placed & {
    readonly teams?: readonly TeamRow[];
    readonly user?: UserRow;
    readonly 'scim-identity'?: Identity | null;
  };

/** A row of a report: a member, and whether they own the organization. */
export type ReportRow = MembershipRow & Named<'owner'>;

export type TeamRow = Flat<Team>;

type UserRow = Flat<User> & { readonly 'two-factor'?: Named<'enabled' | 'verified'> };

export type ProviderRow = Flat<Provider> &
  Placed &
  Named<'registry-provider-versions' | 'versions'> & { readonly permissions?: Named<'can-delete'> };

export type FeatureSetRow = Flat<FeatureSet>;

export type TokenRow = Flat<Token> & { readonly 'created-by'?: Identity };
