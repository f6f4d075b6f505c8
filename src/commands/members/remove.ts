import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { OrgctlError, UsageError } from '../../errors.ts';
import { describeAbsence, findMembers, type Sought } from '../../people/find-members.ts';
import { type MemberReference, parseMemberReference } from '../../people/reference.ts';
import { findSelf, guardRemovals } from '../../people/removal-guard.ts';
import { addExamples } from '../options.ts';
import { MEMBER_REMOVAL_COLUMNS } from './columns.ts';
import { addFileOption, checkWhere, type FileFlags, readPeople } from './people.ts';
import { doRemovals, type Removal, refuseAbsent, refuseOtherOrganization } from './removal.ts';
import { removeEverywhere } from './remove-everywhere.ts';

interface Flags extends FileFlags {
  readonly ignoreMissing?: boolean;
  readonly allOrgs?: boolean;
  readonly allowOwners?: boolean;
}

interface Input {
  /** A file of people; otherwise `references` names them. */
  readonly file: string | undefined;
  readonly references: readonly MemberReference[];
  readonly ignoreMissing: boolean;
  readonly everywhere: boolean;
  readonly allowOwners: boolean;
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
  addExamples(addFileOption(verb), [
    { command: 'orgctl members remove ivan.invitee@example.com --org acme --dry-run', shows: 'whom it would remove' },
    { command: 'orgctl members remove ivan.invitee@example.com --org acme --yes', shows: 'remove without being asked' },
    {
      command: 'orgctl members remove ada.auditor@example.com --all-orgs --dry-run',
      shows: 'in which of your organizations somebody who leaves would be removed',
    },
  ]).action(async function (this: Command, members: readonly string[], flags: Flags) {
    const context = open(this);
    const input = toRemoveInput(members, flags, context.identity.optionGiven('org'));
    await (input.everywhere ? removeFromAll(context, input) : removeMembers(context, input));
  });
}

function toRemoveInput(members: readonly string[], flags: Flags, orgGiven: boolean): Input {
  checkWhere('members', members, flags);
  const references = members.map(parseMemberReference);
  if (flags.allOrgs === true && orgGiven) {
    throw new UsageError('--all-orgs and --org exclude each other', {
      hint: 'Leave --all-orgs out to remove people from one organization.',
    });
  }
  if (flags.allowOwners === true && flags.file === undefined) {
    throw new UsageError('--allow-owners goes with --file', { hint: 'People who are named one by one may be owners.' });
  }
  const other = references.findIndex(({ kind }) => kind !== 'email');
  if (flags.allOrgs === true && other >= 0) {
    throw new UsageError(`with --all-orgs people are named by email, not as '${members[other]}'`, {
      hint: 'An address is the same in every organization.',
    });
  }
  return {
    file: flags.file,
    references,
    ignoreMissing: flags.ignoreMissing === true,
    everywhere: flags.allOrgs === true,
    allowOwners: flags.allowOwners === true,
  };
}

/** Throws UsageError before anything is sent when a row of the file cannot be used. */
async function readReferences(
  context: Pick<Context, 'screen' | 'places'>,
  { file, references }: Input,
): Promise<readonly MemberReference[]> {
  if (file === undefined) return references;
  const { rows } = await readPeople(context, file, { teams: false });
  return rows.map(({ email }) => ({ kind: 'email', email }));
}

async function removeFromAll(context: Pick<Context, 'screen' | 'services' | 'places'>, input: Input): Promise<void> {
  const references = await readReferences(context, input);
  const emails = references.flatMap((reference) => (reference.kind === 'email' ? [reference.email] : []));
  await removeEverywhere(context, emails, { ...input, guarded: input.file !== undefined });
}

async function removeMembers(context: Context, input: Input): Promise<void> {
  const { identity, screen, services } = context;
  const organization = identity.organization();
  const output = await screen.output();
  output.checkFields(MEMBER_REMOVAL_COLUMNS);
  const service = await services.current();
  const { memberships } = service;
  const sought = await findMembers(
    { memberships, note: screen.note },
    organization,
    await readReferences(context, input),
  );
  const removals = toRemovals(sought, organization);
  if (!input.ignoreMissing) refuseAbsent(sought, organization);
  const people = removals.flatMap(({ member }) => member ?? []);
  if (input.file !== undefined && people.length > 0) {
    const self = await findSelf(service, organization);
    await guardRemovals(service, organization, { people, self, allowOwners: input.allowOwners });
  }
  // Few that were named one by one are told one by one.
  const noted = input.file === undefined && sought.length <= MOST_NOTED;
  if (noted) {
    for (const { reference, member } of sought) {
      if (member instanceof OrgctlError) screen.note(`${describeAbsence(reference, organization)}: nothing to remove`);
    }
  }
  await doRemovals(context, { removals, from: organization, noted });
}

/** Each membership once. Throws UsageError for one of another organization. */
function toRemovals(sought: readonly Sought[], organization: string): readonly Removal[] {
  const removals = new Map<string, Removal>();
  for (const [index, { reference, member }] of sought.entries()) {
    if (member instanceof OrgctlError) {
      removals.set(`absent ${index}`, { organization, ...toAsked(reference) });
      continue;
    }
    refuseOtherOrganization(member, organization);
    if (!removals.has(member.id)) removals.set(member.id, { organization, member });
  }
  return [...removals.values()];
}

function toAsked(reference: MemberReference): Pick<Removal, 'id' | 'email' | 'asked'> {
  switch (reference.kind) {
    case 'membership':
      return { id: reference.id };
    case 'email':
      return { email: reference.email };
    case 'user':
      return { asked: reference.id };
    case 'name':
      return { asked: reference.name };
  }
}
