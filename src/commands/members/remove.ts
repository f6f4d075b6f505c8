import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context.ts';
import { ServiceError, UsageError } from '../../errors.ts';
import type { WriteResult } from '../../output/output.ts';
import { USUAL_INCLUDE } from '../../service/include.ts';
import type { FoundMembership, Memberships } from '../../service/memberships.ts';
import type { ResourceIdentifier } from '../../wire/json-api.ts';
import { type Membership, ORGANIZATION_MEMBERSHIPS } from '../../wire/resources.ts';
import { forEachItem, throwFailures } from '../many.ts';
import { addExamples } from '../options.ts';
import { REMOVAL_VIEW } from '../views/changes.ts';
import { describeAbsence, describeMember, findMember, organizationOf, toNotFound } from './find-members.ts';
import { type MemberReference, parseMemberReference } from './reference.ts';

interface Flags {
  readonly ignoreMissing?: boolean;
}

interface Input {
  readonly references: readonly MemberReference[];
  readonly ignoreMissing: boolean;
}

export function registerRemove(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('remove')
    .alias('rm')
    .description('remove people from an organization, or take invitations back')
    .argument('<member...>', 'membership ids, user ids, emails or user names')
    .option('--ignore-missing', 'whoever is not there is no error');
  addExamples(verb, [
    { command: 'orgctl members remove ivan.invitee@example.com --org acme --dry-run', shows: 'whom it would remove' },
    { command: 'orgctl members remove ivan.invitee@example.com --org acme --yes', shows: 'remove without being asked' },
  ]).action(async function (this: Command, members: readonly string[], flags: Flags) {
    await removeMembers(open(this), toRemoveInput(members, flags));
  });
}

function toRemoveInput(members: readonly string[], flags: Flags): Input {
  return { references: members.map(parseMemberReference), ignoreMissing: flags.ignoreMissing === true };
}

async function removeMembers(context: Context, input: Input): Promise<void> {
  const organization = context.organization();
  const output = await context.output();
  output.checkFields(REMOVAL_VIEW);
  const { memberships } = await context.service();

  const found = new Map<string, FoundMembership>();
  for (const reference of input.references) {
    const member = await findPerson(memberships, organization, reference, input.ignoreMissing);
    if (member === undefined) {
      context.note(`${describeAbsence(reference, organization)}: nothing to remove`);
      continue;
    }
    refuseOtherOrganization(member, organization);
    found.set(member.membership.id, member);
  }
  const people = [...found.values()];
  if (people.length > 0) {
    await context.confirm({
      act: `removing ${people.length === 1 ? 'this membership' : `these ${people.length} memberships`} from ${organization}`,
      consequences: people.map((person) => `${describeMember(person)}${describeTeams(person)}`),
    });
  }

  const results: WriteResult[] = [];
  const outcome = await forEachItem(people, describeMember, async (person) => {
    if (!(await memberships.remove(person.membership.id, `${describeMember(person)} from ${organization}`))) return;
    results.push({
      resource: { type: ORGANIZATION_MEMBERSHIPS, id: person.membership.id },
      extra: { changed: true },
    });
    context.note(`removed ${describeMember(person)} from ${organization}`);
  });
  await output.changedMany(REMOVAL_VIEW, results);
  throwFailures(people.length, outcome);
}

/** Undefined only where a missing person is no error. */
async function findPerson(
  memberships: Memberships,
  organization: string,
  reference: MemberReference,
  ignoreMissing: boolean,
): Promise<FoundMembership | undefined> {
  if (reference.kind !== 'membership') {
    const found = await findMember(memberships, organization, reference);
    if (found === undefined && !ignoreMissing) throw toNotFound(reference, organization);
    return found;
  }
  try {
    const document = await memberships.show(reference.id, USUAL_INCLUDE, 'remove');
    return { membership: document.data as Membership, included: document.included ?? [] };
  } catch (error) {
    if (ignoreMissing && error instanceof ServiceError && error.status === 404) return undefined;
    throw error;
  }
}

function refuseOtherOrganization(member: FoundMembership, organization: string): void {
  const own = organizationOf(member.membership);
  if (own === undefined || own.toLowerCase() === organization.toLowerCase()) return;
  throw new UsageError(`${describeMember(member)} belongs to ${own}, not to ${organization}`, {
    hint: `Nothing was removed. If ${own} is meant, say so with --org ${own}.`,
  });
}

function describeTeams({ membership }: FoundMembership): string {
  const teams = (membership.relationships?.['teams']?.data ?? []) as readonly ResourceIdentifier[];
  return teams.length === 0
    ? ', in no team'
    : `, in ${teams.length === 1 ? 'one team' : `${teams.length} teams`}: ${teams.map((team) => team.id).join(', ')}`;
}
