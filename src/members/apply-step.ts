import type { Client } from '../api/client.ts';
import { inviteMember } from '../api/memberships.ts';
import type { Member } from './member.ts';
import { assertOwnerRemains } from './owners.ts';
import type { Step } from './plan.ts';
import { removeIfUnchanged } from './removals.ts';

type OneStep = Exclude<Step, { action: 'teams' }>;

/** `owners`: whom the plan removes. Undefined in a dry run. */
export async function applyStep(client: Client, org: string, step: OneStep, owners: Member[]) {
  if (step.action === 'invite') {
    const created = await inviteMember(client, org, { email: step.email, teamIds: step.teams.map(({ id }) => id) });
    return created && { result: 'invited', id: created.id };
  }
  if (owners.some(({ id }) => id === step.member.id)) await assertOwnerRemains(client, org, owners);
  const result = await removeIfUnchanged(client, org, step.member);
  return result && { result: result === 'absent' ? 'unchanged' : result };
}
