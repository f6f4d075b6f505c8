import { requireOrganization } from '../access.ts';
import { toListDocument, toTeam } from '../documents.ts';
import { readPage, toOffset } from '../pagination.ts';
import { countTeams, listTeams, type TeamFilter } from '../queries/teams.ts';
import { readList, readParameter } from '../query.ts';
import type { Answer, Context, Route } from '../route.ts';

/** Outside the service's document, which refers to it for the ids that invitations need. */
export const TEAM_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/organizations/:organization_name/teams', documented: false, handle: list },
];

function list(context: Context): Answer {
  const { store, url } = context;
  const organization = requireOrganization(context, context.params['organization_name'] ?? '', 'teams.list');
  const page = readPage(url);
  const filter: TeamFilter = { search: readParameter(url, 'q'), names: readList(url, 'filter[names]') };
  const total = countTeams(store, organization.seq, filter);
  const rows = listTeams(store, organization.seq, filter, page.size, toOffset(page));
  const data = rows.map((row) => toTeam(row, organization.name));
  return { status: 200, body: toListDocument(url, page, total, data) };
}
