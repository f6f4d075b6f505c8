import { findInEach } from '../../organizations/organizations.ts';
import {
  createTeamFinder,
  describeWithout,
  type KnownTeam,
  partByTeams,
  refuseTeamIds,
} from '../../people/find-team.ts';
import { listTeamMembers } from '../../people/team-members.ts';
import { WITH_USER } from '../../service/include.ts';
import { toInclude } from '../include.ts';
import { PAGE, toPage } from '../options.ts';
import { listEach, ORGANIZATIONS } from '../organizations.ts';
import { team } from '../people.ts';
import { verb } from '../verb.ts';
import { TEAM_MEMBER_COLUMNS } from './columns.ts';

export const members = verb({
  name: 'teams members',
  help: 'List who is in a team, with those who are invited',
  effect: 'reads',
  near: ['teams show', 'teams get'],
  args: { team: team('<team>', 'Name or id') },
  options: { ...ORGANIZATIONS, ...PAGE },
  examples: [
    'orgctl teams members platform',
    'orgctl teams members owners --fields email,user.two-factor.enabled',
    'orgctl teams members owners --all-orgs',
  ],
  columns: TEAM_MEMBER_COLUMNS,
  async run(context, { team: asked, ...given }) {
    const { organizations, screen, services } = context;
    const page = toPage(given);
    const { fields } = screen.requested;
    const include = fields === undefined ? WITH_USER : toInclude(undefined, fields);
    refuseTeamIds(organizations, [asked]);
    (await screen.output()).checkFields(TEAM_MEMBER_COLUMNS);
    await organizations.names();
    const { teams } = await services.current();
    const way = organizations.isOne ? 'require' : 'find';
    const found = await findInEach(organizations, async (name) => await createTeamFinder(teams, name)[way](asked));
    const { there, without } = partByTeams(found, (value) => value !== undefined, [asked]);
    if (without.length > 0) screen.note(describeWithout([asked], without));
    const known = new Map(there.map(({ organization, value, error }) => [organization, value ?? error]));
    await listEach(
      context,
      TEAM_MEMBER_COLUMNS,
      (service, organization) => {
        const one = known.get(organization);
        if (!isTeam(one)) throw one;
        return listTeamMembers(service, { ...one, organization }, include, page, screen.warn);
      },
      page,
      [...known.keys()],
    );
  },
});

function isTeam(found: KnownTeam | Error | undefined): found is KnownTeam {
  return found !== undefined && !(found instanceof Error);
}
