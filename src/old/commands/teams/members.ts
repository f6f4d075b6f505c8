import { findInTeams } from '../../people/directory.ts';
import { listTeamMembers } from '../../people/team-members.ts';
import { describeWithout, refuseTeamIds } from '../../people/teams.ts';
import { WITH_USER } from '../../service/include.ts';
import { toInclude } from '../include.ts';
import { PAGE, toPage } from '../options.ts';
import { listEach, ORGANIZATIONS } from '../organizations.ts';
import { openDirectories, team } from '../people.ts';
import { verb } from '../verb.ts';
import { TEAM_MEMBER_COLUMNS } from './columns.ts';

export const members = verb({
  name: 'teams members',
  help: 'List the people in a team, members and invited ones',
  effect: 'reads',
  topic: 'output',
  args: { team: team('<team>', 'Name or id') },
  options: { ...ORGANIZATIONS, ...PAGE },
  examples: [
    'orgctl teams members platform',
    'orgctl teams members owners --fields email,user.two-factor.enabled',
    'orgctl teams members owners --all-orgs',
  ],
  columns: TEAM_MEMBER_COLUMNS,
  async run(context, { team: asked, ...given }) {
    const { organizations, screen } = context;
    const page = toPage(given);
    const { fields } = screen.requested;
    const include = fields === undefined ? WITH_USER : toInclude(undefined, fields);
    refuseTeamIds(organizations, [asked]);
    (await screen.output()).checkFields(TEAM_MEMBER_COLUMNS);
    await organizations.names();
    const directories = await openDirectories(context);
    const { there, without } = await findInTeams(directories, [asked], ({ findTeam }) => findTeam(asked));
    if (without.length > 0) screen.note(describeWithout([asked], without));
    const known = new Map(there.map((one) => [one.organization, one]));
    await listEach(
      context,
      TEAM_MEMBER_COLUMNS,
      (service, organization) => {
        const { value, error } = known.get(organization) ?? {};
        if (value === undefined) throw error;
        return listTeamMembers(service, { ...value, organization }, include, page, screen.warn);
      },
      page,
      [...known.keys()],
    );
  },
});
