import { defineVerb } from '../../cli/command.ts';
import { argument } from '../../cli/options.ts';
import { openSandboxState } from '../../cli/sandbox.ts';
import { assertVisible } from '../../lib/input-text.ts';
import { createOrgRecord } from '../../lib/json.ts';
import { type Columns, ID, ORGANIZATION, RESULT } from '../../output/columns.ts';
import { findState, STATE_OPTION } from './state.ts';

const COLUMNS: Columns = {
  table: [RESULT, { header: 'EMAIL', field: 'email' }, ORGANIZATION, ID],
  fields: 'changed status',
};

export const verb = defineVerb({
  columns: COLUMNS,
  arguments: [argument('<email>', 'the address that was invited')],
  options: [STATE_OPTION],
  examples: ['sandbox accept ivan.invitee@example.com', 'sandbox accept ivan.invitee@example.com --org acme'],
  async run(session, options, email) {
    const { runtime, output, messages, isDryRun } = session;
    assertVisible(email);
    if (!isDryRun) session.assertWritable();
    const sandbox = await openSandboxState(runtime, { state: findState(session, options) });
    try {
      const invitations = isDryRun ? sandbox.invitations(email, options.org) : sandbox.accept(email, options.org);
      const rows = invitations.map(({ organization, ...membership }) => ({
        ...membership,
        organization: createOrgRecord(String(organization)),
        changed: !isDryRun,
        result: isDryRun ? 'planned' : 'accepted',
      }));
      if (!output.isForPeople) return await output.list(COLUMNS, [rows]);
      for (const { organization, email: invited } of rows) {
        if (isDryRun) messages.note(`Would accept the invitation of ${invited} to ${organization.id}`);
        else messages.done(`${invited} is now a member of ${organization.id}`);
      }
    } finally {
      sandbox.close();
    }
  },
});
