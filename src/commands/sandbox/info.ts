import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { addExamples } from '../options.ts';
import { SANDBOX_ORGANIZATION_COLUMNS } from './columns.ts';
import { addStateOption, openState, type StateFlags } from './state.ts';

export function registerInfo(noun: Command, open: OpenContext): void {
  const verb = noun.command('info').description('what is in the sandbox, and where its state is kept');
  addExamples(addStateOption(verb), {
    'orgctl sandbox info': 'the organizations to play with',
  }).action((flags: StateFlags) => showInfo(open(verb), flags.state));
}

async function showInfo(context: Context, state: string | undefined): Promise<void> {
  const { screen } = context;
  const sandbox = await openState(context, state);
  try {
    const info = sandbox.info();
    screen.note(`state: ${info.state} (seed ${info.seed})`);
    await screen.list(
      SANDBOX_ORGANIZATION_COLUMNS,
      info.organizations.map(({ auditToken, note, ...others }) => ({ ...others, 'audit-token': auditToken, note })),
    );
  } finally {
    sandbox.close();
  }
}
