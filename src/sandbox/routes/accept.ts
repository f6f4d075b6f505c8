import { SandboxInputError } from '../input-error.ts';
import { accept } from '../invitations.ts';
import { createInvalid } from '../problems.ts';
import { type Answer, answerPlain, type Context, type Route } from '../route.ts';
import { CONTROL_PREFIX } from '../router.ts';

/** A route of the sandbox's own: `sandbox accept` asks a running server for what only the invitee could do. */
export const ACCEPT_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: `${CONTROL_PREFIX}accept`,
    atOrigin: true,
    open: true,
    control: true,
    handle: acceptInvitations,
  },
];

function acceptInvitations(context: Context): Answer {
  const { email, organization } = context.body();
  if (typeof email !== 'string' || !(organization === undefined || typeof organization === 'string')) {
    throw createInvalid([{ detail: 'email must be a string, and organization, where there is one' }]);
  }
  try {
    return answerPlain({ accepted: accept(context, email, organization) });
  } catch (error) {
    throw error instanceof SandboxInputError ? createInvalid([{ detail: error.message }]) : error;
  }
}
