import type { Context } from '../../context/context.ts';
import { foldEmail } from '../../email.ts';
import { UsageError } from '../../errors.ts';
import { type Group, groupBy } from '../../groups.ts';
import type { MemberReference } from '../../input/member-reference.ts';
import { once } from '../../once.ts';
import type { Several } from '../../organizations/find-organizations.ts';
import { findOrganizations } from '../../organizations/find-organizations.ts';
import { listPeople } from '../../people/asked.ts';
import { findRemovals, findRemovalsEverywhere, type Removal, type RemovalRules } from '../../people/find-removals.ts';
import { describeMember, isOwner, listTeamNames, type Member, nameMember, toRemoval } from '../../people/member.ts';
import { toOrganization } from '../../resources/organization.ts';
import type { Confirmation } from '../../stderr/prompt.ts';
import { countOrganizations, countPeople, formatCount } from '../../text/count.ts';
import { joinNames } from '../../text/join.ts';
import { shortenList } from '../../text/shorten.ts';
import { ORGANIZATION_MEMBERSHIPS, USERS } from '../../wire/resources.ts';
import { type Done, doJob, type Job, type JobResult } from '../bulk.ts';
import { gatherOrganizations } from '../gather.ts';
import { ORGANIZATIONS, refuseDocuments, withResultsOfSeveral } from '../organizations.ts';
import { flag } from '../param.ts';
import { checkNamed, MEMBERS, type NamedPeople, peopleFile, readAsked, refuseOthers } from '../people.ts';
import type { ResultOf } from '../row-error.ts';
import { verb } from '../verb.ts';
import { INVITATION_COLUMNS, MEMBER_REMOVAL_COLUMNS, type RemovalRow, toTeamsOf } from './columns.ts';

export const remove = verb({
  name: 'members remove',
  aliases: ['rm'],
  help: 'Remove members and revoke invitations',
  effect: 'writes',
  near: ['remove', 'rm'],
  args: MEMBERS,
  options: {
    ignoreMissing: flag('--ignore-missing', 'Succeed if a person is not found'),
    allowOwners: flag('--allow-owners', 'With --file: remove owners too (never the last one, never you)'),
    ...ORGANIZATIONS,
    ...peopleFile(),
  },
  examples: [
    'orgctl members remove ivan.invitee@example.com --dry-run',
    'orgctl members remove ada.auditor@example.com --all-orgs --yes',
    'orgctl members remove --file leavers.csv --ignore-missing --yes',
  ],
  columns: MEMBER_REMOVAL_COLUMNS,
  async run(context, { members, file, ignoreMissing, allowOwners }, line) {
    checkNamed('member', members, file, line);
    const { several } = context.identity;
    if (allowOwners && file === undefined) {
      throw new UsageError('--allow-owners works only with --file', {
        hint: 'Without --file owners can be removed by name.',
      });
    }
    if (several !== undefined) refuseOthers(members, several);
    const input = { members, file, rules: { ignoreMissing, guarded: file !== undefined, allowOwners } };
    await (several === undefined ? removeMembers(context, input) : removeEverywhere(context, several, input));
  },
});

interface Input extends NamedPeople {
  readonly rules: RemovalRules;
}

async function removeMembers(context: Context, input: Input): Promise<void> {
  const { identity, screen, services } = context;
  const organization = identity.organization();
  (await screen.output()).checkFields(MEMBER_REMOVAL_COLUMNS);
  const service = await services.current();
  const askedIn = await readAsked(context, input, { ...FILE, organizations: async () => [organization] });
  const removals = await findRemovals(service, organization, askedIn(organization), {
    rules: input.rules,
    note: screen.note,
  });
  const present = removals.filter(isPresent);
  const [only] = present.length === 1 ? present : [];
  await removeAll(context, removals, {
    question: `Remove ${only === undefined ? `these ${formatCount(present.length)} people` : describeMember(only.member)} from ${organization}?`,
    consequences: only === undefined ? shortenList(present.map(({ member }) => describeMember(member))) : [],
    columns: MEMBER_REMOVAL_COLUMNS,
    things: countPeople(removals.length),
    isCounted: input.file !== undefined,
    again: input.rules.ignoreMissing
      ? 'Run the same command again: it skips people who are gone.'
      : 'Run the same command again with --ignore-missing: it skips people who are gone.',
  });
}

/** When a person leaves: from several organizations, with a row for each person in each. */
async function removeEverywhere(context: Context, several: Several, input: Input): Promise<void> {
  await refuseDocuments(context);
  (await context.screen.output()).checkFields(MEMBER_REMOVAL_COLUMNS);
  const reach = once(async () => await findOrganizations(await context.services.current(), several));
  const listOrganizations = async () => (await reach()).organizations;
  const askedIn = await readAsked(context, input, { ...FILE, organizations: listOrganizations });
  const service = await context.services.current();
  const removals = await findRemovalsEverywhere(service, several, await reach(), askedIn, input.rules);
  const organizations = await listOrganizations();
  await removeAll(context, removals, {
    ...toQuestionEverywhere(removals.filter(isPresent)),
    things: `${countPeople(listPeople(askedIn, organizations).length)} in ${countOrganizations(organizations.length)}`,
    isCounted: true,
    gather: (all) => gatherOrganizations(all, toPlaceOfRow),
    columns: withResultsOfSeveral(MEMBER_REMOVAL_COLUMNS),
    organizationOf: ({ organization = '' }) => organization,
    again: 'Run the same command again: it skips people who are gone.',
  });
}

/** What a file says of the status is checked: an invitation may have been accepted since. */
const FILE = { columns: INVITATION_COLUMNS, uses: ['status'] } as const;

type Present = Removal & { readonly member: Member; readonly organization: string };

/** Whether there is someone to remove. */
function isPresent(removal: Removal): removal is Present {
  const { member, organization, refusal } = removal;
  return member !== undefined && organization !== undefined && refusal === undefined;
}

function toQuestionEverywhere(present: readonly Present[]): Confirmation {
  const people = [...groupBy(present, ({ member }) => foldEmail(nameMember(member))).values()];
  const organizations = new Set(present.map(({ organization }) => organization));
  const [first] = present;
  const place = organizations.size === 1 ? first?.organization : `these ${organizations.size} organizations`;
  if (present.length === 1 && first !== undefined) {
    return { question: `Remove ${describeMember(first.member)} from ${place}?`, consequences: [] };
  }
  const who = people.length === 1 && first !== undefined ? nameMember(first.member) : `these ${people.length} people`;
  return { question: `Remove ${who} from ${place}?`, consequences: shortenList(people.map(describePlaces)) };
}

/** `ada@example.com is in acme (audit) and globex (owners).` */
function describePlaces(memberships: Group<Present>): string {
  const places = memberships.map(({ organization, member }) => toPlace(organization, member));
  return `${nameMember(memberships[0].member)} is in ${joinNames(places)}.`;
}

/** What a person had there, for those who look after it: `globex (inactive; owners; 2FA off)` */
function toPlaceOfRow(organization: string, { item: { member }, row }: Done<Removal, RemovalRow>): string {
  if (member === undefined || row.extra.result !== 'removed') return organization;
  const { hasSecondFactor } = member;
  return toPlace(organization, member, hasSecondFactor === undefined ? [] : [`2FA ${hasSecondFactor ? 'on' : 'off'}`]);
}

/** `globex (inactive; owners)` */
function toPlace(
  organization: string,
  { status, isServiceAccount, teams = [] }: Member,
  more: readonly string[] = [],
): string {
  const facts = [
    status === undefined || status === 'active' ? '' : status,
    isServiceAccount === true ? 'service account' : '',
    listTeamNames(teams),
    ...more,
  ].filter((fact) => fact !== '');
  return facts.length === 0 ? organization : `${organization} (${facts.join('; ')})`;
}

async function removeAll(
  context: Context,
  removals: readonly Removal[],
  {
    question,
    consequences,
    ...job
  }: Confirmation &
    Pick<Job<Removal, RemovalRow>, 'columns' | 'things' | 'isCounted' | 'gather' | 'again' | 'organizationOf'>,
): Promise<void> {
  const { screen, services } = context;
  // A dry run says what it would do of each.
  if (!services.dryRun && removals.some(isPresent)) await screen.confirm({ question, consequences });
  const { memberships } = await services.current();
  await doJob(context, {
    ...job,
    items: removals,
    doing: 'Removing',
    name: nameOf,
    refusal: ({ refusal }) => refusal,
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

function nameOf({ member, reference, organization }: Removal): string {
  if (member !== undefined) return nameMember(member);
  const { email, asked, id } = toAsked(reference);
  return `${email ?? asked ?? id}${organization === undefined ? '' : ` in ${organization}`}`;
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
      ...(asked === undefined ? {} : { asked }),
      organization: organization === undefined ? null : toOrganization(organization),
      ...toTeamsOf(member),
      ...toFactsOf(member),
      ...rest,
    },
  };
}

/** What a person had, beside teams. */
function toFactsOf(member: Member | undefined): Pick<RemovalRow, 'owner' | 'status' | 'user'> {
  if (member === undefined) return {};
  const { status, userId, username, hasSecondFactor, isServiceAccount } = member;
  const user = {
    id: userId,
    type: USERS,
    ...(username === undefined ? {} : { username }),
    ...(isServiceAccount === undefined ? {} : { 'is-service-account': isServiceAccount }),
    ...(hasSecondFactor === undefined ? {} : { 'two-factor': { enabled: hasSecondFactor } }),
  };
  return {
    ...(status === undefined ? {} : { status }),
    owner: isOwner(member) ?? null,
    ...(userId === undefined ? {} : { user }),
  };
}

function toAsked(reference: MemberReference | undefined): { id?: string; email?: string; asked?: string } {
  if (reference === undefined) return {};
  if (reference.kind === 'email') return { email: reference.email };
  if (reference.kind === 'membership') return { id: reference.id };
  return { asked: reference.kind === 'user' ? reference.id : reference.name };
}
