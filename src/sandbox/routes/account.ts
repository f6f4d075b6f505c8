import { findActor, findCallingTeam, findOrganizationRow } from '../access.ts';
import { type Context, NO_CONTENT, type Reply, type Route, replyJson } from '../context.ts';
import { findUserRow } from '../people.ts';
import { createServiceAccount, formatUser } from '../resources.ts';
import { REGISTRY_PREFIX } from './registry.ts';

const API = '/api/v2/';
const DISCOVERY = {
  // The sandbox has no modules, but clients fail without the entry.
  'modules.v1': '/api/registry/v1/modules/',
  'providers.v1': REGISTRY_PREFIX,
  'state.v2': API,
  'tfe.v2': API,
  'tfe.v2.1': API,
  'tfe.v2.2': API,
};

export const ACCOUNT: Route[] = [
  ['GET', '/ping', undefined, () => NO_CONTENT, { public: true }],
  ['GET', '/.well-known/terraform.json', undefined, () => replyJson(DISCOVERY), { atOrigin: true, public: true }],
  ['GET', '/account/details', 'account.read', showAccount],
];

function showAccount(ctx: Context): Reply {
  const { caller, prefix, store } = ctx;
  const organization = findOrganizationRow(ctx, caller.organization);
  const team = organization && findCallingTeam(ctx, organization.seq);
  const user = caller.user === null ? undefined : findUserRow(store, caller.user.seq);
  const account = formatUser(user ?? createServiceAccount(caller, organization?.name, team?.name));
  const relationships = { 'authenticated-resource': { data: findActor(ctx, organization) } };
  const links = { 'auth-token': `${prefix}/authentication-tokens/${caller.tokenId}` };
  return { status: 200, body: { data: { ...account, relationships, links } } };
}
