import type { Client } from '../api/client.ts';
import { inviteMember } from '../api/memberships.ts';
import { changeTeamMember } from '../api/teams.ts';
import { OrgctlError } from '../lib/errors.ts';
import { formatMember, type Member } from './member.ts';
import { assertOwnerRemains } from './owners.ts';
import type { Step } from './plan.ts';
import { isStillThere, removeIfUnchanged } from './removals.ts';

/** `owners`: whom the plan removes. Undefined in a dry run. */
export async function applyStep(client: Client, org: string, step: Step, owners: Member[]) {
  if (step.action === 'invite') {
    const created = await inviteMember(client, org, { email: step.email, teamIds: step.teams.map(({ id }) => id) });
    return created && { result: 'invited', id: created.id };
  }
  if (step.action === 'remove') {
    if (owners.some(({ id }) => id === step.member.id)) await assertOwnerRemains(client, org, owners);
    const result = await removeIfUnchanged(client, org, step.member);
    return result && { result: result === 'absent' ? 'unchanged' : result };
  }
  const person = { id: step.member.id, person: formatMember(step.member), org };
  if (step.remove.length > 0 && !(await isStillThere(client, org, step.member, 'changed'))) {
    throw new OrgctlError('not-found', `${person.person} has left ${org}`);
  }
  const done: (boolean | undefined)[] = [];
  for (const team of step.add) done.push(await changeTeamMember(client, 'add', team, person));
  for (const team of step.remove) done.push(await changeTeamMember(client, 'remove', team, person));
  return done.includes(undefined) ? undefined : { result: done.includes(true) ? 'changed' : 'unchanged' };
}
