import { findActor, findCallingTeam, findOrganizationRow, withPermission } from '../access.ts';
import { type Context, NO_CONTENT, type Reply, type Route } from '../context.ts';
import { createServiceAccount, formatUser } from '../resources.ts';

export const ACCOUNT: Route[] = [
  { method: 'GET', path: '/ping', handle: () => NO_CONTENT, public: true },
  { method: 'GET', path: '/account/details', handle: withPermission('service.read', showAccount) },
];

function showAccount(ctx: Context): Reply {
  const { caller, prefix } = ctx;
  const organization = findOrganizationRow(ctx, caller.organization);
  const team = organization && findCallingTeam(ctx, organization.seq);
  const account = formatUser(caller.user ?? createServiceAccount(caller, organization?.name, team?.name));
  const relationships = { 'authenticated-resource': { data: findActor(ctx, organization) } };
  const links = { 'auth-token': `${prefix}/authentication-tokens/${caller.tokenId}` };
  return { status: 200, body: { data: { ...account, relationships, links } } };
}
