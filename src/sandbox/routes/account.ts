import { findCallingTeam, findOwner, getOrganization } from '../access.ts';
import { type Answer, answerPlain, type Call, NO_CONTENT, type Route } from '../call.ts';
import { createServiceAccount, formatUser } from '../documents.ts';
import { getUser } from '../people.ts';
import { REGISTRY_PREFIX } from './registry.ts';

const API = '/api/v2/';
const DISCOVERY = {
  // The sandbox has no modules, but a client ends with an error if it finds no place for them.
  'modules.v1': '/api/registry/v1/modules/',
  'providers.v1': REGISTRY_PREFIX,
  ...{ 'state.v2': API, 'tfe.v2': API, 'tfe.v2.1': API, 'tfe.v2.2': API },
};

export const ACCOUNT: readonly Route[] = [
  ['GET', '/ping', undefined, () => NO_CONTENT, { open: true }],
  ['GET', '/.well-known/terraform.json', undefined, () => answerPlain(DISCOVERY), { atOrigin: true, open: true }],
  ['GET', '/account/details', 'account.read', showAccount],
];

function showAccount(call: Call): Answer {
  const { caller, prefix, store } = call;
  const organization = getOrganization(call, caller.organization);
  const team = organization && findCallingTeam(call, organization.seq);
  const user = caller.user === null ? undefined : getUser(store, caller.user.seq);
  const account = formatUser(user ?? createServiceAccount(caller, organization?.name, team?.name));
  const relationships = { 'authenticated-resource': { data: findOwner(call, organization) } };
  const links = { 'auth-token': `${prefix}/authentication-tokens/${caller.tokenId}` };
  return { status: 200, body: { data: { ...account, relationships, links } } };
}
