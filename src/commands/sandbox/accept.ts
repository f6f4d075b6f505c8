import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { SANDBOX_MEMBERSHIP_COLUMNS } from './columns.ts';
import { addStateOption, asUsageError, openState, openToLook, refuseReadOnly, type StateFlags } from './state.ts';

interface Input extends StateFlags {
  readonly email: string;
  readonly organization: string | undefined;
}

export function registerAccept(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('accept')
    .description('Accept an invitation, as the invited person would')
    .argument('<email>', 'The address that was invited');
  addDocumentation(addStateOption(verb), {
    examples: [
      'orgctl sandbox accept ivan.invitee@example.com',
      'orgctl sandbox accept ivan.invitee@example.com --base-url http://127.0.0.1:8480',
    ],
    columns: SANDBOX_MEMBERSHIP_COLUMNS,
  }).action(async (email: string, flags: StateFlags) => {
    const context = open(verb);
    const organization = context.identity.optionGiven('org') ? context.identity.organization() : undefined;
    await acceptInvitation(context, { ...flags, email, organization });
  });
}

async function acceptInvitation(context: Context, input: Input): Promise<void> {
  const { email, organization, state } = input;
  const { identity, services } = context;
  refuseReadOnly(context);
  // On the command line only: what is set for real services names real ones.
  const server = (['baseUrl', 'host', 'profile'] as const).find((name) => identity.optionGiven(name));
  if (server !== undefined && state !== undefined) {
    const option = server === 'baseUrl' ? '--base-url' : `--${server}`;
    throw new UsageError(`use --state or ${option}, not both`, {
      hint: '--state is a file here, and the other is a running sandbox.',
    });
  }
  if (server !== undefined) return await acceptOnServer(context, input);
  if (services.dryRun) return await noteInvitations(context, input);
  const sandbox = await openState(context, state);
  try {
    await printAccepted(context, await asUsageError(() => sandbox.accept(email, organization)));
  } finally {
    sandbox.close();
  }
}

async function acceptOnServer(context: Context, { email, organization }: Input): Promise<void> {
  const { acceptInvitation } = await context.services.withoutToken();
  const accepted = await acceptInvitation(email, organization);
  if (accepted !== undefined) await printAccepted(context, accepted);
}

async function printAccepted({ screen }: Context, accepted: readonly object[]): Promise<void> {
  await screen.list(
    SANDBOX_MEMBERSHIP_COLUMNS,
    accepted.map((membership) => ({ ...membership, changed: true })),
  );
}

async function noteInvitations(context: Context, { email, organization, state }: Input): Promise<void> {
  const sandbox = await openToLook(context, state);
  try {
    const invitations = await asUsageError(() => sandbox.invitations(email, organization));
    for (const { email: invited, organization: where } of invitations) {
      context.screen.note(`Would accept the invitation of ${invited} to ${where}`);
    }
  } finally {
    sandbox.close();
  }
}
