import { requirePermission, requirePresent } from '../access.ts';
import { toServiceAccount, toUser } from '../documents.ts';
import { getUser } from '../queries/memberships.ts';
import { getOrganization } from '../queries/organizations.ts';
import { type Answer, type Context, NO_CONTENT, PLAIN_JSON, type Route } from '../route.ts';

/** What says of the service that it is there, where its parts are, and who is asking. Outside its document. */
export const META_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/ping', documented: false, open: true, handle: () => NO_CONTENT },
  {
    method: 'GET',
    path: '/.well-known/terraform.json',
    atOrigin: true,
    documented: false,
    open: true,
    handle: () => ({ status: 200, mediaType: PLAIN_JSON, body: DISCOVERY }),
  },
  { method: 'GET', path: '/account/details', documented: false, handle: showAccount },
];

const DISCOVERY = {
  'modules.v1': '/api/registry/v1/modules/',
  'providers.v1': '/api/registry/v1/providers/',
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
    return { status: 200, body: { data: toUser({ ...user, user_id: user.id }) } };
  }
  const organization = caller.organization === null ? undefined : getOrganization(store, caller.organization);
  return { status: 200, body: { data: toServiceAccount(caller, organization?.name ?? '') } };
}
