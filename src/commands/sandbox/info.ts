import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { SANDBOX_ORGANIZATION_COLUMNS } from './columns.ts';
import { addStateOption, openState, type StateFlags } from './state.ts';

export function registerInfo(noun: Command, open: OpenContext): void {
  const verb = noun.command('info').description('Show what is in the sandbox and where its state is kept');
  addDocumentation(addStateOption(verb), {
    examples: ['orgctl sandbox info'],
    columns: SANDBOX_ORGANIZATION_COLUMNS,
  }).action((flags: StateFlags) => showInfo(open(verb), flags.state));
}

async function showInfo(context: Context, state: string | undefined): Promise<void> {
  const { screen } = context;
  const sandbox = await openState(context, state);
  try {
    const info = sandbox.info();
    screen.note(`State: ${info.state} (${info.seed} data)`);
    await screen.list(
      SANDBOX_ORGANIZATION_COLUMNS,
      info.organizations.map(({ auditToken, note, ...others }) => ({ ...others, 'audit-token': auditToken, note })),
    );
  } finally {
    sandbox.close();
  }
}
