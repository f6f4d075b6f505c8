import type { Resource, ResourceIdentifier } from '../../wire/json-api.ts';
import { findRights, requireOrganization, requirePresent } from '../access.ts';
import { type Included, toIncluded, toListDocument, toMembership, toTeam, toUser } from '../documents.ts';
import { ALL_ROWS, readPage, toRange } from '../pagination.ts';
import { getMemberships } from '../queries/memberships.ts';
import type { OrganizationRow } from '../queries/organizations.ts';
import {
  countTeams,
  findTeam,
  findTeamsOf,
  listTeamMembers,
  listTeams,
  type TeamFilter,
  type TeamRow,
} from '../queries/teams.ts';
import { readList, readParameter } from '../request.ts';
import type { Answer, Context, Route } from '../route.ts';

const INCLUDES = ['users', 'organization-memberships'] as const;

/** Outside the service's document, which refers to it for the ids that invitations need; so Assumed throughout. */
export const TEAM_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/organizations/:organization_name/teams',
    documented: false,
    includes: INCLUDES,
    handle: list,
  },
  { method: 'GET', path: '/teams/:team_id', documented: false, includes: INCLUDES, handle: show },
];

function list(context: Context): Answer {
  const { store, url } = context;
  const organization = requireOrganization(context, 'teams.list');
  const page = readPage(url);
  const filter: TeamFilter = { search: readParameter(url, 'q'), names: readList(url, 'filter[names]') };
  const total = countTeams(store, organization.seq, filter);
  const rows = listTeams(store, organization.seq, filter, toRange(page));
  const { data, included } = toResources(context, organization, rows);
  return { status: 200, body: toListDocument(url, page, total, data, included) };
}

function show(context: Context): Answer {
  const team = requirePresent(findTeam(context.store, context.params['team_id'] ?? ''));
  const organization = requireOrganization(context, 'teams.show', team.organization);
  const { data, included } = toResources(context, organization, [team]);
  return { status: 200, body: { data: data[0], ...included } };
}

/** Who is in a team is part of it only where it is asked for: a team may have a hundred thousand members. */
function toResources(
  context: Context,
  organization: OrganizationRow,
  teams: readonly TeamRow[],
): { data: Resource[]; included: Included } {
  const { include, store } = context;
  const rights = findRights(context, organization.seq);
  const included = new Map<string, Resource>();
  const data = teams.map((team) => {
    const relationships: Record<string, { data: ResourceIdentifier[] }> = {};
    const members = include.size === 0 ? [] : getMemberships(store, listTeamMembers(store, team.seq, {}, ALL_ROWS));
    const relate = (name: string, resources: readonly Resource[]): void => {
      for (const resource of resources) included.set(resource.id, resource);
      relationships[name] = { data: resources.map(({ id, type }) => ({ id, type })) };
    };
    if (include.has('users')) {
      const active = members.filter(({ status }) => status === 'active');
      relate('users', active.map(toUser));
    }
    if (include.has('organization-memberships')) {
      const teamsOf = findTeamsOf(store, members);
      relate(
        'organization-memberships',
        members.map((row) => toMembership(row, teamsOf(row))),
      );
    }
    return toTeam(team, organization, rights, relationships);
  });
  return { data, included: toIncluded(context, included.values()) };
}
