import { PAGE, toPage } from '../options.ts';
import { flag } from '../param.ts';
import { verb } from '../verb.ts';
import { FEATURE_SET_COLUMNS } from './columns.ts';

export const list = verb({
  name: 'feature-sets list',
  aliases: ['ls'],
  help: 'List plans: all of them, or those an organization can have',
  effect: 'reads',
  options: {
    eligible: flag('--eligible', 'Only those for the current organization (--org means the same)'),
    ...PAGE,
  },
  examples: ['orgctl feature-sets list', 'orgctl feature-sets list --org acme -o json'],
  columns: FEATURE_SET_COLUMNS,
  async run({ identity, screen, services }, { eligible, ...page }) {
    const part = toPage(page);
    const organization = eligible || identity.optionGiven('org') ? identity.organization() : undefined;
    const { listFeatureSets } = await services.current();
    await screen.list(FEATURE_SET_COLUMNS, listFeatureSets(organization, part));
  },
});
