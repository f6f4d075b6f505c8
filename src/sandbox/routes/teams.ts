import type { Resource } from '../../wire/json-api.ts';
import { ORGANIZATION_MEMBERSHIPS, USERS } from '../../wire/resources.ts';
import { isAllowed, requireOrganization, requireOrganizationBySeq, requirePresent } from '../access.ts';
import { toListDocument, toMembership, toTeam, toUser } from '../documents.ts';
import { readPage, toOffset } from '../pagination.ts';
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
import { readList, readParameter } from '../query.ts';
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
  const organization = requireOrganization(context, context.params['organization_name'] ?? '', 'teams.list');
  const page = readPage(url);
  const filter: TeamFilter = { search: readParameter(url, 'q'), names: readList(url, 'filter[names]') };
  const total = countTeams(store, organization.seq, filter);
  const rows = listTeams(store, organization.seq, filter, page.size, toOffset(page));
  const { data, included } = toResources(context, organization, rows);
  return { status: 200, body: toListDocument(url, page, total, data, included) };
}

function show(context: Context): Answer {
  const team = requirePresent(findTeam(context.store, context.params['team_id'] ?? ''));
  const organization = requireOrganizationBySeq(context, team.organization, 'teams.show');
  const { data, included } = toResources(context, organization, [team]);
  return { status: 200, body: { data: data[0], ...included } };
}

interface Resources {
  readonly data: readonly Resource[];
  readonly included: { readonly included?: readonly Resource[] };
}

/** Who is in a team is part of it only where it is asked for: a team may have a hundred thousand members. */
function toResources(context: Context, { name, seq }: OrganizationRow, teams: readonly TeamRow[]): Resources {
  const { include, store } = context;
  const canUpdate = isAllowed(context, seq, 'teams.change-members');
  const included = new Map<string, Resource>();
  const data = teams.map((team) => {
    const relationships: Record<string, { data: { id: string; type: string }[] }> = {};
    const members = include.size === 0 ? [] : findMembers(context, team);
    if (include.has('users')) {
      const users = members.filter(({ status }) => status === 'active');
      for (const row of users) included.set(row.user_id, toUser(row));
      relationships['users'] = { data: users.map((row) => ({ id: row.user_id, type: USERS })) };
    }
    if (include.has('organization-memberships')) {
      const teamsOf = findTeamsOf(
        store,
        members.map((row) => row.seq),
      );
      for (const row of members) included.set(row.id, toMembership(row, teamsOf.get(row.seq) ?? []));
      relationships['organization-memberships'] = {
        data: members.map(({ id }) => ({ id, type: ORGANIZATION_MEMBERSHIPS })),
      };
    }
    return toTeam(team, name, canUpdate, relationships);
  });
  return { data, included: include.size === 0 ? {} : { included: [...included.values()] } };
}

function findMembers({ store }: Context, team: TeamRow): ReturnType<typeof getMemberships> {
  return getMemberships(store, listTeamMembers(store, team.seq, { status: undefined, sort: undefined }, -1, 0));
}
