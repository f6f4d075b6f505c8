import { PAGE, toPage } from '../options.ts';
import { listEach, ORGANIZATIONS } from '../organizations.ts';
import { verb } from '../verb.ts';
import { TEAM_COLUMNS } from './columns.ts';

export const list = verb({
  name: 'teams list',
  aliases: ['ls'],
  help: 'List teams, with their sizes and ids',
  effect: 'reads',
  topic: 'output',
  options: { ...ORGANIZATIONS, ...PAGE },
  examples: [
    'orgctl teams list',
    'orgctl teams list --fields name,users-count -o csv',
    'orgctl teams list --all-orgs -o csv > teams.csv',
  ],
  columns: TEAM_COLUMNS,
  async run(context, given) {
    const page = toPage(given);
    await listEach(context, TEAM_COLUMNS, ({ teams }, organization) => teams.list(organization, page), page);
  },
});
