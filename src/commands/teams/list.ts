import { PAGE, toPage } from '../options.ts';
import { verb } from '../verb.ts';
import { TEAM_COLUMNS } from './columns.ts';

export const list = verb({
  name: 'teams list',
  aliases: ['ls'],
  help: 'List teams, with their sizes and ids',
  effect: 'reads',
  options: PAGE,
  examples: ['orgctl teams list', 'orgctl teams list --fields name,users-count -o csv'],
  columns: TEAM_COLUMNS,
  async run({ identity, screen, services }, page) {
    const part = toPage(page);
    const organization = identity.organization();
    const { teams } = await services.current();
    await screen.list(TEAM_COLUMNS, teams.list(organization, part));
  },
});
