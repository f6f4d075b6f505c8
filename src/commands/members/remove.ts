import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { foldEmail } from '../../email.ts';
import { UsageError } from '../../errors.ts';
import { findRemovals, findRemovalsEverywhere, type Removal, refuseUnknown } from '../../people/find-removals.ts';
import { countPeople, describeMember, describePerson, type Member } from '../../people/member.ts';
import type { MemberReference } from '../../people/reference.ts';
import type { WriteResult } from '../../stdout/result.ts';
import { shortenList } from '../../text/shorten.ts';
import { ORGANIZATION_MEMBERSHIPS, TEAMS } from '../../wire/resources.ts';
import { doJob } from '../bulk.ts';
import { addExamples } from '../options.ts';
import { MEMBER_REMOVAL_COLUMNS, toOrganization } from './columns.ts';
import { addFileOption, type FileFlags, readReferences, toNamedPeople } from './options.ts';

interface Flags extends FileFlags {
  readonly ignoreMissing?: boolean;
  readonly allOrgs?: boolean;
  readonly allowOwners?: boolean;
}

type Input = ReturnType<typeof toRemoveInput>;

interface RemovalJob {
  readonly removals: readonly Removal[];
  /** Completes "removing these from". */
  readonly from: string;
  /** Whether there is a note for each removal, as it happens; otherwise they are counted. */
  readonly noted: boolean;
  readonly counted: string;
}

const MOST_NOTED = 8;

export function registerRemove(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('remove')
    .alias('rm')
    .description('remove people from an organization, or take invitations back')
    .argument('[member...]', 'membership ids, user ids, emails or user names')
    .option('--ignore-missing', 'whoever is not there is no error')
    .option('--all-orgs', 'from every organization you are in; people are named by email')
    .option('--allow-owners', 'with --file: remove owners too, but never the last one and never you');
  addExamples(addFileOption(verb), {
    'orgctl members remove ivan.invitee@example.com --org acme --dry-run': 'whom it would remove',
    'orgctl members remove ivan.invitee@example.com --org acme --yes': 'remove without being asked',
    'orgctl members remove ada.auditor@example.com --all-orgs --dry-run':
      'in which of your organizations somebody who leaves would be removed',
  }).action(async (members: readonly string[], flags: Flags) => {
    const context = open(verb);
    const input = toRemoveInput(members, flags, context.identity.optionGiven('org'));
    await (input.everywhere ? removeEverywhere(context, input) : removeMembers(context, input));
  });
}

function toRemoveInput(members: readonly string[], flags: Flags, orgGiven: boolean) {
  const named = toNamedPeople(members, flags);
  const { allOrgs: everywhere = false, ignoreMissing = false, allowOwners = false } = flags;
  if (everywhere && orgGiven) {
    throw new UsageError('--all-orgs and --org exclude each other', {
      hint: 'Leave --all-orgs out to remove people from one organization.',
    });
  }
  if (allowOwners && flags.file === undefined) {
    throw new UsageError('--allow-owners goes with --file', { hint: 'People who are named one by one may be owners.' });
  }
  const other = named.references.findIndex(({ kind }) => kind !== 'email');
  if (everywhere && other >= 0) {
    throw new UsageError(`with --all-orgs people are named by email, not as '${members[other]}'`, {
      hint: 'An address is the same in every organization.',
    });
  }
  return { ...named, everywhere, rules: { ignoreMissing, guarded: flags.file !== undefined, allowOwners } };
}

async function removeMembers(context: Context, input: Input): Promise<void> {
  const { identity, screen, services } = context;
  const { note } = screen;
  const organization = identity.organization();
  (await screen.output()).checkFields(MEMBER_REMOVAL_COLUMNS);
  const service = await services.current();
  const references = await readReferences(context, input);
  const removals = await findRemovals(service, organization, references, { rules: input.rules, note });
  // Few that were named one by one are reported one by one.
  const noted = input.file === undefined && references.length <= MOST_NOTED;
  await remove(context, { removals, from: organization, noted, counted: countPeople(removals.length) });
}

/** When someone leaves: from every organization the caller is in, with a row for each person in each. */
async function removeEverywhere(context: Context, input: Input): Promise<void> {
  const references = await readReferences(context, input);
  const named = references.flatMap((reference) => (reference.kind === 'email' ? [reference.email] : []));
  const emails = [...new Map(named.map((email) => [foldEmail(email), email])).values()];
  (await context.screen.output()).checkFields(MEMBER_REMOVAL_COLUMNS);
  const service = await context.services.current();
  const { removals, organizations } = await findRemovalsEverywhere(service, emails, input.rules);
  const [only, ...others] = new Set(removals.flatMap(({ organization, member }) => (member ? [organization] : [])));
  await remove(context, {
    removals,
    from: only !== undefined && others.length === 0 ? only : countOrganizations(others.length + 1),
    noted: false,
    counted: `${countPeople(emails.length)} in ${countOrganizations(organizations.length)}`,
  });
  if (!input.rules.ignoreMissing) refuseUnknown(emails, removals);
}

async function remove(context: Context, { removals, from, noted, counted }: RemovalJob): Promise<void> {
  const { screen, services } = context;
  const people = removals.filter(({ member }) => member !== undefined);
  const only = people.length === 1 ? (people[0] as Removal & { readonly member: Member }) : undefined;
  if (people.length > 0) {
    await screen.confirm({
      question:
        only === undefined
          ? `Remove these ${people.length} ${people.every(({ organization }) => organization === from) ? 'people' : 'memberships'} from ${from}?`
          : `Remove ${describePerson(only.member)} from ${only.organization}?`,
      consequences: only === undefined ? shortenList(people.map((removal) => describeRemoval(removal, from))) : [],
    });
  }
  const { memberships } = await services.current();
  await doJob(context, {
    items: removals,
    columns: MEMBER_REMOVAL_COLUMNS,
    ...(noted ? {} : { doing: 'Removing', summary: counted }),
    name: nameOf,
    known(removal) {
      const { member, refusal } = removal;
      return (member ?? refusal) ? undefined : toRow(removal, { changed: false, result: 'absent' });
    },
    async act(removal) {
      const { organization, member, refusal } = removal;
      if (refusal !== undefined) throw refusal;
      if (member === undefined) return undefined;
      const who = `${describeMember(member)} from ${organization}`;
      if (!(await memberships.remove(member.id, who))) return undefined;
      return toRow(removal, { changed: true, result: 'removed' });
    },
    toRow,
  });
}

function nameOf({ member, reference, organization }: Removal): string {
  if (member !== undefined) return describeMember(member);
  const { email, asked, id } = toAsked(reference);
  return `${email ?? asked ?? id} in ${organization}`;
}

function describeRemoval({ member, organization }: Removal, from: string): string {
  if (member === undefined) return organization;
  return `${organization === from ? '' : `${organization}: `}${describePerson(member)}`;
}

function toRow(
  { organization, reference, member }: Removal,
  { changed, ...rest }: { readonly changed: boolean; readonly result: string },
): WriteResult {
  const { id, email: named, asked } = toAsked(reference);
  const email = member?.email ?? named;
  const teams = member?.teams?.map((team) => ({ id: team.id, type: TEAMS, name: team.name }));
  return {
    resource: { type: ORGANIZATION_MEMBERSHIPS, id: member?.id ?? id ?? null },
    extra: {
      changed,
      ...(email === undefined ? {} : { email }),
      ...(asked === undefined ? {} : { asked }),
      organization: toOrganization(organization),
      ...(teams === undefined ? {} : { teams }),
      ...rest,
    },
  };
}

function toAsked(reference: MemberReference | undefined): { id?: string; email?: string; asked?: string } {
  if (reference === undefined) return {};
  if (reference.kind === 'email') return { email: reference.email };
  if (reference.kind === 'membership') return { id: reference.id };
  return { asked: reference.kind === 'user' ? reference.id : reference.name };
}

function countOrganizations(count: number): string {
  return count === 1 ? 'one organization' : `${count} organizations`;
}
