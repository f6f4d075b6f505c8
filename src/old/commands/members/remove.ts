import type { Context } from '../../context/context.ts';
import { foldEmail } from '../../email.ts';
import { UsageError } from '../../errors.ts';
import { type Group, groupBy } from '../../groups.ts';
import type { Asked } from '../../input/confirmations.ts';
import type { MemberReference } from '../../input/member-reference.ts';
import type { About } from '../../organizations/organizations.ts';
import { findRemovals, type Removal, type RemovalRules } from '../../people/find-removals.ts';
import { describeHeld, describeLeaver, isOwner, type Member, nameMember, toRemoval } from '../../people/member.ts';
import { toOrganization } from '../../resources/organization.ts';
import { describeThese, formatCount } from '../../text/count.ts';
import { joinNames } from '../../text/join.ts';
import { shortenAsked, shortenList } from '../../text/shorten.ts';
import { ORGANIZATION_MEMBERSHIPS } from '../../wire/resources.ts';
import { type Done, doJobInEach, type JobResult } from '../bulk.ts';
import { gatherOrganizations } from '../gather.ts';
import { ORGANIZATIONS } from '../organizations.ts';
import { flag } from '../param.ts';
import {
  checkNamed,
  countAsked,
  MEMBERS,
  type NamedPeople,
  nameSought,
  openDirectories,
  peopleFile,
  readAsked,
  refuseOthers,
  toFactsOf,
} from '../people.ts';
import type { ResultOf } from '../row-error.ts';
import { verb } from '../verb.ts';
import { INVITATION_COLUMNS, MEMBER_REMOVAL_COLUMNS, type RemovalRow, toTeamsOf } from './columns.ts';

export const remove = verb({
  name: 'members remove',
  aliases: ['rm'],
  help: 'Remove members and revoke invitations',
  effect: 'writes',
  args: MEMBERS,
  options: {
    ignoreMissing: flag('--ignore-missing', 'Succeed if a person is not found'),
    allowOwners: flag('--allow-owners', 'With --file: remove owners too (never the last one, never you)'),
    ...ORGANIZATIONS,
    ...peopleFile('a column email'),
  },
  examples: [
    'orgctl members remove ivan.invitee@example.com --dry-run',
    'orgctl members remove ada.auditor@example.com --all-orgs --yes',
    'orgctl members remove --file leavers.csv --ignore-missing --yes',
  ],
  columns: MEMBER_REMOVAL_COLUMNS,
  async run(context, { members, file, ignoreMissing, allowOwners }) {
    checkNamed('member', members, file);
    if (allowOwners && file === undefined) {
      throw new UsageError('--allow-owners works only with --file', {
        hint: 'Without --file owners can be removed by name.',
      });
    }
    refuseOthers(members, context.organizations);
    await removeMembers(context, {
      members,
      file,
      rules: { ignoreMissing, guarded: file !== undefined, allowOwners },
    });
  },
});

interface Input extends NamedPeople {
  readonly rules: RemovalRules;
}

/** Of several organizations with a row for each person in each. */
async function removeMembers(context: Context, input: Input): Promise<void> {
  const { organizations, screen, services } = context;
  const { isOne } = organizations;
  const askedIn = await readAsked(context, input, FILE);
  const { memberships } = await services.current();
  const removals = await findRemovals(await openDirectories(context), askedIn, input.rules);
  // A dry run says what it would do of each.
  const present = removals.filter(isPresent);
  // In the run the service says it.
  if (services.dryRun) warnOfManaged(screen.warn, present);
  if (present.length > 0) await screen.confirm('remove members', toQuestion(present, organizations));
  await doJobInEach(context, {
    items: removals,
    columns: MEMBER_REMOVAL_COLUMNS,
    doing: 'Removing',
    things: await countAsked(context, askedIn, removals.length),
    isCounted: !isOne || input.file !== undefined,
    again:
      isOne && !input.rules.ignoreMissing
        ? 'Run the same command again with --ignore-missing: it skips people who are gone.'
        : 'Run the same command again: it skips people who are gone.',
    gather: (all) => gatherOrganizations(all, describeLoss).map(withoutFacts),
    name: (one) => nameSought(one),
    known(removal) {
      const { member, refusal } = removal;
      return (member ?? refusal) ? undefined : toRow(removal, { changed: false, result: 'absent' });
    },
    async act(removal) {
      if (!isPresent(removal)) return undefined;
      const { organization, member } = removal;
      if (!(await memberships.remove(toRemoval(member, organization)))) return undefined;
      return toRow(removal, { changed: true, result: 'removed' });
    },
    toRow,
  });
}

/** What a file says of the status is checked: an invitation may have been accepted since. */
const FILE = { columns: INVITATION_COLUMNS, uses: ['status'], isNamed: true } as const;

type Present = Removal & { readonly member: Member; readonly organization: string };

/** Whether there is someone to remove. */
function isPresent(removal: Removal): removal is Present {
  const { member, organization, refusal } = removal;
  return member !== undefined && organization !== undefined && refusal === undefined;
}

/** The service has the last word. */
function warnOfManaged(warn: (text: string) => void, present: readonly Present[]): void {
  const managed = present.filter(({ member }) => member.isScimManaged === true);
  for (const [organization, people] of groupBy(managed, (one) => one.organization)) {
    const who = shortenList(people.map(({ member }) => nameMember(member))).join(', ');
    warn(`the identity provider of ${organization} manages ${who} (SCIM): it may refuse this change`);
  }
}

function toQuestion(present: readonly Present[], { isOne }: About): Asked<'remove members'> {
  const [first, ...others] = present;
  const place = describeThese(present.map(({ organization }) => organization));
  if (first !== undefined && others.length === 0) {
    return { people: describeLeaver(first.member), place };
  }
  if (isOne) {
    return {
      people: `these ${formatCount(present.length)} people`,
      place,
      consequences: shortenAsked(present.map(({ member }) => describeLeaver(member))),
    };
  }
  const people = [...groupBy(present, ({ member }) => foldEmail(nameMember(member))).values()];
  const who = people.length === 1 && first !== undefined ? nameMember(first.member) : `these ${people.length} people`;
  return { people: who, place, consequences: shortenAsked(people.map(describePlaces)) };
}

/** `ada@example.com is in acme (active; audit; 2FA on) and globex (active; owners; 2FA on).` */
function describePlaces(memberships: Group<Present>): string {
  const places = memberships.map(({ organization, member }) => `${organization} (${describeHeld(member)})`);
  return `${nameMember(memberships[0].member)} is in ${joinNames(places)}.`;
}

/** What a person had there, for those who look after it: `globex (inactive; owners; 2FA off)` */
function describeLoss(organization: string, { item: { member }, row }: Done<Removal, RemovalRow>): string {
  return member === undefined || row.extra.result !== 'removed'
    ? organization
    : `${organization} (${describeHeld(member)})`;
}

/** Where organizations are said together, each has what the person had there beside it. */
function withoutFacts(row: JobResult<RemovalRow>): JobResult<RemovalRow> {
  const { status: _status, teams: _teams, ...extra } = row.extra;
  return row.extra.result === 'removed' ? { ...row, extra } : row;
}

function toRow(
  { organization, reference, member }: Removal,
  { changed, ...rest }: ResultOf<RemovalRow>,
): JobResult<RemovalRow> {
  const { id, email: named, asked } = toAsked(reference);
  const email = member?.email ?? named;
  const username = member?.username;
  return {
    resource: { type: ORGANIZATION_MEMBERSHIPS, id: member?.id ?? id ?? null },
    extra: {
      changed,
      ...(email === undefined ? {} : { email }),
      // A service account has no email.
      ...(email === undefined && username !== undefined ? { user: { username } } : {}),
      ...(asked === undefined || member !== undefined ? {} : { asked }),
      organization: organization === undefined ? null : toOrganization(organization),
      ...toTeamsOf(member),
      ...toFactsOf(member),
      ...(member && { owner: isOwner(member) ?? null }),
      ...rest,
    },
  };
}

function toAsked(reference: MemberReference): { id?: string; email?: string; asked?: string } {
  if (reference.kind === 'email') return { email: reference.email };
  if (reference.kind === 'membership') return { id: reference.id };
  return { asked: reference.kind === 'user' ? reference.id : reference.name };
}
