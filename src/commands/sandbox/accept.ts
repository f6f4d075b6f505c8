import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context.ts';
import { addExamples } from '../options.ts';
import { SANDBOX_MEMBERSHIP_VIEW } from '../views/sandbox.ts';
import { addStateOption, asUsageError, openState, openToLook, refuseReadOnly, type StateFlags } from './state.ts';

export function registerAccept(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('accept')
    .description('accept an invitation, as the invited person would')
    .argument('<email>', 'the address that was invited');
  addExamples(addStateOption(verb), [
    { command: 'orgctl sandbox accept ivan.invitee@example.com', shows: 'ivan becomes an active member' },
  ]).action(async function (this: Command, email: string, flags: StateFlags) {
    const context = open(this);
    await acceptInvitation(
      context,
      email,
      context.optionGiven('org') ? context.organization() : undefined,
      flags.state,
    );
  });
}

async function acceptInvitation(
  context: Context,
  email: string,
  organization: string | undefined,
  state: string | undefined,
): Promise<void> {
  refuseReadOnly(context);
  if (context.dryRun) return await tellInvitations(context, email, organization, state);
  const sandbox = await openState(context, state);
  try {
    const accepted = await asUsageError(() => sandbox.accept(email, organization));
    await context.records(
      SANDBOX_MEMBERSHIP_VIEW,
      accepted.map((membership) => ({ ...membership, changed: true })),
    );
  } finally {
    sandbox.close();
  }
}

async function tellInvitations(
  context: Context,
  email: string,
  organization: string | undefined,
  state: string | undefined,
): Promise<void> {
  const sandbox = await openToLook(context, state);
  try {
    const invitations = await asUsageError(() => sandbox.invitations(email, organization));
    for (const { email: invited, organization: where } of invitations) {
      context.note(`would accept the invitation of ${invited} to ${where}`);
    }
  } finally {
    sandbox.close();
  }
}
