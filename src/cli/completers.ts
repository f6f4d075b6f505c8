import type { List } from '../api/pagination.ts';
import { argument, type Complete } from './options.ts';

// Few command lines complete something, so what completion reads is loaded when it is used.

export const completeProfiles: Complete = async ({ open }) => {
  const { listProfiles } = await import('../config/resolve.ts');
  return listProfiles((await open()).store.readConfig());
};

export const completeOrgs: Complete = async ({ open }) => {
  const { listOwnOrganizations } = await import('../api/organizations.ts');
  const { client } = await open();
  return (await listOwnOrganizations(client)).map(({ name }) => name);
};

export const completeTeams: Complete = async ({ open }) => {
  const { listTeams } = await import('../api/teams.ts');
  const { client, org } = await open();
  return readAttribute(listTeams(client, org()), 'name');
};

export const completeMembers: Complete = async ({ open, text }) => {
  const { listMembers } = await import('../api/memberships.ts');
  const { client, org } = await open();
  const filter = { search: text || undefined };
  return readAttribute(listMembers(client, org(), filter, { own: [] }), 'email');
};

export const completeAttributes: Complete = async ({ open }) => {
  const { showOrganization } = await import('../api/organizations.ts');
  const { listChangeable } = await import('../organizations/attributes.ts');
  const { client, org } = await open();
  const { attributes = {} } = await showOrganization(client, org());
  return listChangeable(attributes).map((name) => `${name}=`);
};

export const MEMBER_ARGUMENTS = [
  argument('[members...]', 'email, user name, ou-… or user-…; email:, name: or id: in front decides', {
    complete: completeMembers,
  }),
] as const;

async function readAttribute(list: List, name: string): Promise<string[]> {
  const resources = await list.all({ page: 1, pageSize: 100 });
  return resources.map(({ attributes }) => attributes?.[name]).filter((value) => typeof value === 'string');
}
