import { flatten } from '../../api/flatten.ts';
import { showOrganization } from '../../api/organizations.ts';
import { defineVerb } from '../../cli/command.ts';
import { completeOrgs } from '../../cli/completers.ts';
import { showEachOrg } from '../../cli/each-org.ts';
import { argument } from '../../cli/options.ts';
import { parseOrgs } from '../../config/settings.ts';
import { UsageError } from '../../lib/errors.ts';
import { createOrgRecord } from '../../lib/json.ts';
import { SHOWN_COLUMNS } from './columns.ts';

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: SHOWN_COLUMNS,
  arguments: [argument('[name]', 'short for --org <name>', { complete: completeOrgs })],
  examples: ['organizations show', 'organizations show acme -o json', 'organizations show --all-orgs -o csv'],
  async run(session, { org, allOrgs }, name) {
    if (name !== undefined && (org !== undefined || allOrgs)) {
      throw new UsageError(`use ${name} or ${allOrgs ? '--all-orgs' : '--org'}, not both`);
    }
    const named = name === undefined ? session : { ...session, ...session.nameOrgs(parseOrgs(name, 'name').sort()) };
    await showEachOrg(named, SHOWN_COLUMNS, async (one) => ({
      ...flatten(await showOrganization(session.client, one)),
      organization: createOrgRecord(one),
    }));
  },
});
