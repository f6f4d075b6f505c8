import { createTeamFinder } from '../../people/find-team.ts';
import { listTeamMembers } from '../../people/team-members.ts';
import { WITH_USER } from '../../service/include.ts';
import { toInclude } from '../include.ts';
import { PAGE, toPage } from '../options.ts';
import { team } from '../people.ts';
import { verb } from '../verb.ts';
import { TEAM_MEMBER_COLUMNS } from './columns.ts';

export const members = verb({
  name: 'teams members',
  help: 'List who is in a team, with those who are invited',
  effect: 'reads',
  args: { team: team('<team>', 'Name or id') },
  options: PAGE,
  examples: ['orgctl teams members platform', 'orgctl teams members owners --fields email,user.two-factor.enabled'],
  columns: TEAM_MEMBER_COLUMNS,
  async run({ identity, screen, services }, { team: asked, ...page }) {
    const part = toPage(page);
    const { fields } = screen.requested;
    const include = fields === undefined ? WITH_USER : toInclude(undefined, fields);
    const organization = identity.organization();
    (await screen.output()).checkFields(TEAM_MEMBER_COLUMNS);
    const service = await services.current();
    const { id, name } = await createTeamFinder(service.teams, organization).require(asked);
    await screen.list(
      TEAM_MEMBER_COLUMNS,
      listTeamMembers(service, { id, name, organization }, include, part, screen.warn),
    );
  },
});
