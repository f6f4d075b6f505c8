import { findCallingTeam, findOwner, ofCaller } from '../access.ts';
import { toServiceAccount, toUser } from '../documents.ts';
import { getUser } from '../queries/memberships.ts';
import { getOrganization } from '../queries/organizations.ts';
import { type Answer, type Context, NO_CONTENT, PLAIN_JSON, type Route } from '../route.ts';
import { REGISTRY_PREFIX } from './registry-protocol.ts';

const DISCOVERY = {
  // The sandbox has no modules, but a client ends with an error where it finds no place for them.
  'modules.v1': '/api/registry/v1/modules/',
  'providers.v1': REGISTRY_PREFIX,
  'state.v2': '/api/v2/',
  'tfe.v2': '/api/v2/',
  'tfe.v2.1': '/api/v2/',
  'tfe.v2.2': '/api/v2/',
} as const;

/** Routes that say that the service is there, where its parts are, and who is asking. They are outside its document. */
export const META_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/ping', open: true, handle: () => NO_CONTENT },
  {
    method: 'GET',
    path: '/.well-known/terraform.json',
    atOrigin: true,
    open: true,
    handle: () => ({ status: 200, mediaType: PLAIN_JSON, body: DISCOVERY }),
  },
  ofCaller('GET', '/account/details', 'account.show', showAccount),
];

/**
 * Assumed: the account of a token that belongs to no person says which organization or team the token belongs to, and
 * where that token is.
 */
function showAccount(context: Context): Answer {
  const { caller, prefix, store } = context;
  const user = caller.user === null ? undefined : getUser(store, caller.user.seq);
  const organization = caller.organization === null ? undefined : getOrganization(store, caller.organization);
  const team = organization === undefined ? undefined : findCallingTeam(context, organization.seq);
  const account = toUser(
    user === undefined ? toServiceAccount(caller, organization?.name ?? '', team?.name) : { ...user, user_id: user.id },
  );
  const { id, type } = findOwner(context, organization);
  const relationships = { 'authenticated-resource': { data: { type, id } } };
  const links = { 'auth-token': `${prefix}/authentication-tokens/${caller.tokenId}` };
  return { status: 200, body: { data: { ...account, relationships, links } } };
}
