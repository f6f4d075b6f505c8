import { defineVerb } from '../../cli/command.ts';
import { openSandboxState } from '../../cli/sandbox.ts';
import type { Columns } from '../../output/columns.ts';
import { findState, STATE_OPTION } from './state.ts';

const COLUMNS: Columns = {
  table: [
    { header: 'ORGANIZATION', field: 'name' },
    { header: 'MEMBERS', field: 'members', align: 'right' },
    { header: 'INVITED', field: 'invited', align: 'right' },
    { header: 'TEAMS', field: 'teams', align: 'right' },
    { header: 'PROVIDERS', field: 'providers', align: 'right' },
    { header: 'AUDIT TOKEN', field: 'audit-token', format: 'yes' },
    { header: 'NOTE', field: 'note' },
  ],
};

export const verb = defineVerb({
  columns: COLUMNS,
  options: [STATE_OPTION],
  examples: ['sandbox info'],
  async run(session, options) {
    const sandbox = await openSandboxState(session.runtime, { state: findState(session, options) });
    try {
      const { state, seed, organizations } = sandbox.info();
      session.messages.note(`State: ${state} (${seed} data)`);
      await session.output.list(COLUMNS, [organizations]);
    } finally {
      sandbox.close();
    }
  },
});
