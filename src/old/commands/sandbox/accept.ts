import type { Context } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { toOrganization } from '../../resources/organization.ts';
import { joinNames } from '../../text/join.ts';
import type { Named } from '../../wire/resources.ts';
import { text } from '../param.ts';
import { verb } from '../verb.ts';
import { SANDBOX_MEMBERSHIP_COLUMNS } from './columns.ts';
import { asUsageError, openState, openToLook, refuseReadOnly, STATE } from './state.ts';

interface Input {
  readonly email: string;
  readonly organization: string | undefined;
  readonly state: string | undefined;
}

export const accept = verb({
  name: 'sandbox accept',
  help: 'Accept an invitation, as the invited person would',
  effect: 'own',
  args: { email: text('<email>', 'The address that was invited', { complete: 'sandbox invitations' }) },
  options: STATE,
  examples: [
    'orgctl sandbox accept ivan.invitee@example.com',
    'orgctl sandbox accept ivan.invitee@example.com --base-url http://127.0.0.1:8480',
  ],
  columns: SANDBOX_MEMBERSHIP_COLUMNS,
  async run(context, { email, state }) {
    const { identity } = context;
    const organization = identity.optionGiven('org') ? identity.organization() : undefined;
    await acceptInvitation(context, { email, organization, state });
  },
});

async function acceptInvitation(context: Context, input: Input): Promise<void> {
  const { email, organization, state } = input;
  const { identity, services } = context;
  refuseReadOnly(context);
  (await context.screen.output()).checkFields(SANDBOX_MEMBERSHIP_COLUMNS);
  // Only the command line counts here: what is set otherwise names a real service.
  const server = (['baseUrl', 'host', 'profile'] as const).find((name) => identity.optionGiven(name));
  if (server !== undefined && state !== undefined) {
    const option = server === 'baseUrl' ? '--base-url' : `--${server}`;
    throw new UsageError(`use --state or ${option}, not both`, {
      hint: '--state is a file here, and the other is a running sandbox.',
    });
  }
  if (server !== undefined) return await acceptOnServer(context, input);
  if (services.dryRun) return await planAcceptance(context, input);
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

async function printAccepted({ screen }: Context, accepted: readonly Named<'organization'>[]): Promise<void> {
  await screen.list(
    SANDBOX_MEMBERSHIP_COLUMNS,
    accepted.map(({ organization, ...membership }) => ({
      ...membership,
      organization: toOrganization(`${organization}`),
      changed: true as const,
    })),
  );
}

async function planAcceptance(context: Context, { email, organization, state }: Input): Promise<void> {
  const sandbox = await openToLook(context, state);
  try {
    const invitations = await asUsageError(() => sandbox.invitations(email, organization));
    const places = joinNames(invitations.map(({ organization: where }) => `${where}`));
    const invited = invitations[0]?.email ?? email;
    await context.screen.plan(`accept the invitation of ${invited} to ${places}`);
  } finally {
    sandbox.close();
  }
}
