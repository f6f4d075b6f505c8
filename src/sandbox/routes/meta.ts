import type { Resource } from '../../wire/json-api.ts';
import { requirePermission, requirePresent } from '../access.ts';
import { toServiceAccount, toUser } from '../documents.ts';
import { getUser } from '../queries/memberships.ts';
import { getOrganization } from '../queries/organizations.ts';
import { findTeamByName, OWNERS_TEAM } from '../queries/teams.ts';
import { type Answer, type Context, NO_CONTENT, PLAIN_JSON, type Route } from '../route.ts';

/** What says of the service that it is there, where its parts are, and who is asking. Outside its document. */
export function createMetaRoutes(publicPrefix: string | undefined): readonly Route[] {
  const discovery = publicPrefix === undefined ? DISCOVERY : { ...DISCOVERY, [PUBLIC_PROVIDERS]: `${publicPrefix}/` };
  return [
    { method: 'GET', path: '/ping', documented: false, open: true, handle: () => NO_CONTENT },
    {
      method: 'GET',
      path: '/.well-known/terraform.json',
      atOrigin: true,
      // The service's document speaks of it only for that prefix.
      documented: publicPrefix !== undefined,
      open: true,
      handle: () => ({ status: 200, mediaType: PLAIN_JSON, body: discovery }),
    },
    { method: 'GET', path: '/account/details', documented: false, handle: showAccount },
  ];
}

/** Assumed: the service's document does not say under which name the discovery document has the prefix. */
const PUBLIC_PROVIDERS = 'public-providers.v1';

const DISCOVERY = {
  'state.v2': '/api/v2/',
  'tfe.v2': '/api/v2/',
  'tfe.v2.1': '/api/v2/',
  'tfe.v2.2': '/api/v2/',
} as const;

function showAccount(context: Context): Answer {
  requirePermission(context, 'account.show');
  const { caller, store } = context;
  if (caller.user !== null) {
    const user = requirePresent(getUser(store, caller.user.seq));
    return { status: 200, body: { data: belongTo(toUser({ ...user, user_id: user.id }), 'users', user.id) } };
  }
  const organization = caller.organization === null ? undefined : getOrganization(store, caller.organization);
  const { id, username } = toServiceAccount(caller, organization?.name ?? '');
  const account = toUser({ user_id: id, username, email: null, service: true });
  const team =
    caller.holder === 'team' && organization ? findTeamByName(store, organization.seq, OWNERS_TEAM) : undefined;
  const data =
    team === undefined
      ? belongTo(account, 'organizations', organization?.name ?? '')
      : belongTo(account, 'teams', team.id);
  return { status: 200, body: { data } };
}

/** Assumed: the account says what its token belongs to. */
function belongTo(account: Resource, type: string, id: string): Resource {
  return { ...account, relationships: { 'authenticated-resource': { data: { type, id } } } };
}
