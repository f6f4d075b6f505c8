import type { Context } from '../../context/context.ts';
import { ByEmail, foldEmail, parseEmail } from '../../email.ts';
import { OrgctlError, ServiceError, UsageError } from '../../errors.ts';
import { findInEach } from '../../organizations/organizations.ts';
import type { FoundEach } from '../../organizations/side-by-side.ts';
import { type FalseId, findFalseIds, hasId, refuseFalseIds } from '../../people/asked.ts';
import type { Directories, Directory } from '../../people/directory.ts';
import { describeMember, nameMember, toMember } from '../../people/member.ts';
import { type ChooseTeams, type FoundTeam, findTeamsMissing, listTeamProblems, parseTeam } from '../../people/teams.ts';
import { type FileName, type PersonRow, type Problem, refuseProblems } from '../../people-files/person-rows.ts';
import { readPeopleFile } from '../../people-files/read-people-file.ts';
import { addOrganization, toOrganization } from '../../resources/organization.ts';
import { OWNERS_TEAM, teamName, toTeamIdentity } from '../../resources/team.ts';
import type { FoundMembership } from '../../service/memberships.ts';
import { listFields } from '../../stdout/columns.ts';
import { countOrganizations, countPeople } from '../../text/count.ts';
import { ORGANIZATION_MEMBERSHIPS } from '../../wire/resources.ts';
import { doJobInEach, type JobResult } from '../bulk.ts';
import { ORGANIZATIONS } from '../organizations.ts';
import { flag, names, needed, valued } from '../param.ts';
import {
  checkNamed,
  openDirectories,
  peopleFile,
  toFileReader,
  toOwnersQuestion,
  warnOfManagedTeams,
} from '../people.ts';
import { verb } from '../verb.ts';
import { INVITATION_COLUMNS, type InvitationRow } from './columns.ts';
import { inviteInto, type Lacking, refuseTeamsMissing } from './invitation.ts';

interface Invitee {
  readonly email: string;
  readonly teams: readonly string[];
  readonly line?: number;
  readonly claims?: PersonRow['claims'];
}

/** Those who are to be invited to an organization, each once. */
type InviteesIn = (organization: string) => readonly Invitee[];

export const invite = verb({
  name: 'members invite',
  summary: 'Invite people by email',
  help: 'Invite people by email; existing members are not changed',
  effect: 'writes',
  args: { emails: needed(valued('[email...]', 'Emails', parseEmail, { isList: true }), { or: ['file'] }) },
  options: {
    team: {
      ...names(
        '--team <teams>',
        'Teams by name or id, separated by commas; with --file everyone gets them, with the teams in their row',
        { complete: 'teams' },
      ),
      need: { beside: 'emails' },
    },
    failIfExists: flag('--fail-if-exists', 'Invite no one and exit 7 if anyone is invited or a member already'),
    ...ORGANIZATIONS,
    ...peopleFile(),
  },
  examples: [
    'orgctl members invite ana@example.com --team platform',
    'orgctl members invite ana@example.com ben@example.com --team platform,security --dry-run',
    'orgctl members invite --file people.csv',
    'orgctl members invite ana@example.com --team platform --orgs acme,globex',
  ],
  columns: INVITATION_COLUMNS,
  async run(context, { emails, team, failIfExists, file }) {
    checkNamed('email', emails, file);
    const teams = team ?? [];
    teams.forEach(parseTeam);
    const isTeamless = teams.length === 0 && (file === undefined || team !== undefined);
    await inviteMembers(context, { file, emails, teams, isTeamless, failIfExists });
  },
});

interface Input {
  readonly file: string | undefined;
  readonly emails: readonly string[];
  readonly teams: readonly string[];
  /** Whether no team is named, where one must be. */
  readonly isTeamless: boolean;
  readonly failIfExists: boolean;
}

/** An organization, as it was before the first invitation. */
interface Place {
  /** Throws UsageError for a team that it does not have. */
  readonly chooseTeams: ChooseTeams;
  readonly present: ByEmail<readonly FoundMembership[]>;
  /** Of a file: ids that are not those of the people they stand beside. */
  readonly falseIds: readonly FalseId[];
}

/** A person to be invited to an organization. Without a place `refusal` says why it could not be read. */
interface Invitation extends Invitee {
  readonly organization: string;
  readonly place?: Place;
  readonly refusal?: OrgctlError;
}

async function inviteMembers(context: Context, input: Input): Promise<void> {
  const { organizations, screen } = context;
  const { isOne } = organizations;
  if (input.isTeamless) {
    throw new UsageError('missing --team: an invitation needs at least one team', {
      hint: 'For example: --team platform',
    });
  }
  const { inviteesIn, file } = await readInvitees(context, input);
  const directories = await openDirectories(context);
  const { memberships } = directories.service;
  const places = await findInEach(organizations, (organization) =>
    lookAt(directories, organization, inviteesIn(organization), input.teams),
  );
  const wrong = file === undefined ? [] : findWrongRows(places, inviteesIn);
  refuseFalseIds(
    places.flatMap(({ value }) => value?.falseIds ?? []),
    () => wrong,
  );
  if (file !== undefined) refuseProblems(file, wrong);
  if (input.failIfExists) {
    for (const { organization, value } of places)
      refuseExisting(organization, [...(value?.present.values() ?? [])].flat());
  }
  const invitations = places.flatMap((place) =>
    inviteesIn(place.organization).map((invitee) => toInvitation(place, invitee)),
  );
  const open = invitations.filter(({ place, email }) => place !== undefined && !place.present.has(email));
  warnOfManagedTeams(
    screen.warn,
    open.flatMap(({ organization, place, teams }) =>
      // An invitation names teams also where HCP manages the organization.
      (place?.chooseTeams(teams) ?? []).flatMap((team) => (team.manager === 'hcp' ? [] : [{ organization, team }])),
    ),
  );
  await confirmOwners(context, directories, open);
  const count = new Set(invitations.map(({ email }) => foldEmail(email))).size;

  const lacking: Lacking[] = [];
  const leave = (existing: FoundMembership, { organization, place, teams }: Invitation): JobResult<InvitationRow> => {
    const member = toMember(existing);
    const missing = findTeamsMissing(place?.chooseTeams(teams) ?? [], member);
    if (missing.length > 0) lacking.push({ member, missing, ...(isOne ? {} : { organization }) });
    return toUnchanged(existing, organization, missing);
  };
  const where = isOne ? '' : ` in ${countOrganizations(places.length)}`;
  const shown = await doJobInEach(context, {
    items: invitations,
    columns: INVITATION_COLUMNS,
    doing: 'Inviting',
    things: `${countPeople(count)}${where}`,
    isCounted: input.file !== undefined || !isOne,
    again: 'Run the same command again: it skips people who are already invited.',
    needsAttention: ({ extra }) => extra['teams-missing'] !== undefined,
    name: ({ email }) => email,
    known(invitation) {
      const [existing] = invitation.place?.present.get(invitation.email) ?? [];
      return existing === undefined ? undefined : leave(existing, invitation);
    },
    async act(invitation) {
      const { email, organization, teams, place } = invitation;
      try {
        const wanted = place?.chooseTeams(teams) ?? [];
        return await inviteInto(memberships, organization, { email, teams: wanted }, 'invited');
      } catch (error) {
        // Another caller may have invited the person since.
        if (input.failIfExists || !(error instanceof ServiceError && error.status === 422)) throw error;
        const [existing] = (await memberships.findByEmail(organization, [email], 'invite')).get(email) ?? [];
        if (existing === undefined) throw error;
        return leave(existing, invitation);
      }
    },
    toRow: ({ email, organization, place, teams }, undone) => ({
      resource: { type: ORGANIZATION_MEMBERSHIPS, id: null },
      extra: {
        email,
        organization: toOrganization(organization),
        ...(undone.result === 'planned' ? { teams: (place?.chooseTeams(teams) ?? []).map(toTeamIdentity) } : {}),
        ...undone,
      },
    }),
  });
  refuseTeamsMissing(lacking, shown);
}

/** Asks before someone is invited to be an owner. */
async function confirmOwners(
  { identity, screen, services }: Context,
  { of }: Directories,
  invitations: readonly Invitation[],
): Promise<void> {
  if (services.dryRun || identity.optionGiven('yes')) return;
  const owners: Invitation[] = [];
  for (const invitation of invitations) {
    const { organization, place } = invitation;
    for (const { id, name } of place?.chooseTeams(invitation.teams) ?? []) {
      // A team that is named by its id was not read; for a script, which knows it, it is not.
      const known = name === undefined && screen.canAsk() ? await of(organization).listTeams() : undefined;
      const found = name ?? known?.flatMap((team) => (team.id === id ? teamName(team) : []))[0];
      if (found === OWNERS_TEAM && !owners.includes(invitation)) owners.push(invitation);
    }
  }
  if (owners.length === 0) return;
  await screen.confirm(
    'make owners',
    toOwnersQuestion(
      owners.map(({ email }) => email),
      owners.map(({ organization }) => organization),
    ),
  );
}

/** Throws where the organization, its teams or its members cannot be read, and of one organization for a team that it lacks. */
async function lookAt(
  { organizations, of }: Directories,
  organization: string,
  invitees: readonly Invitee[],
  teams: readonly string[],
): Promise<Place> {
  const directory = of(organization);
  const asked = invitees.flatMap((invitee) => invitee.teams);
  const chooseTeams = await directory.openTeams(asked);
  const { present, falseIds } = await findPresent(directory, invitees);
  // What is wrong in rows of a file is said with their lines.
  if (organizations.isOne && invitees.length > 0 && falseIds.length === 0) chooseTeams(teams);
  return { chooseTeams, present, falseIds };
}

/** Rows with a team that is missing wherever they act. Of several organizations one that lacks a team is a row there. */
function findWrongRows(places: readonly FoundEach<Place>[], inviteesIn: InviteesIn): readonly Problem[] {
  const found = places.map(({ organization, value }) => {
    const invitees = inviteesIn(organization);
    const problems = value === undefined ? [] : listWrongTeams(value, invitees, places.length === 1);
    return { problems, wrong: toLines(problems), all: toLines(invitees) };
  });
  const isWrong = ({ line }: Problem): boolean => found.every(({ wrong, all }) => wrong.has(line) || !all.has(line));
  return found.flatMap(({ problems }) => problems.filter(isWrong));
}

function toLines(rows: readonly Pick<Problem, 'line'>[]): ReadonlySet<number | undefined> {
  return new Set(rows.map(({ line }) => line));
}

function listWrongTeams({ chooseTeams }: Place, invitees: readonly Invitee[], isOne: boolean): readonly Problem[] {
  try {
    return listTeamProblems(chooseTeams, invitees);
  } catch (error) {
    // Of several, one whose teams can't be read is a row.
    if (!isOne && error instanceof UsageError) return [];
    throw error;
  }
}

async function findPresent(
  { organization, findByEmail }: Directory,
  invitees: readonly Invitee[],
): Promise<Pick<Place, 'present' | 'falseIds'>> {
  const emails = invitees.map(({ email }) => email);
  const present = await findByEmail(emails, 'invite');
  const falseIds = invitees.flatMap(({ email, claims = [] }) => {
    const found = (present.get(email) ?? []).map(toMember);
    return findFalseIds({ reference: { kind: 'email', email }, claims }, found, organization);
  });
  return { present, falseIds };
}

function toInvitation({ organization, value: place, error }: FoundEach<Place>, invitee: Invitee): Invitation {
  const invitation = { ...invitee, organization };
  if (place === undefined) return { ...invitation, refusal: error };
  try {
    place.chooseTeams(invitee.teams);
    return { ...invitation, place };
  } catch (refusal) {
    if (refusal instanceof UsageError) return { ...invitation, refusal };
    throw refusal;
  }
}

/** Throws UsageError before anything is sent when a row cannot be used. */
async function readInvitees(
  context: Context,
  { file, emails, teams }: Input,
): Promise<{ readonly inviteesIn: InviteesIn; readonly file?: FileName }> {
  const { organizations } = context;
  if (file === undefined) {
    const people = new ByEmail<Invitee>();
    for (const email of emails) {
      if (!people.has(email)) people.set(email, { email, teams });
    }
    return { inviteesIn: () => [...people.values()] };
  }
  const toInvitee = ({ email, teams: own = [], line, claims = [] }: PersonRow): readonly Invitee[] =>
    email === undefined ? [] : [{ email, teams: [...new Set([...own, ...teams])], line, claims }];
  const people = await readPeopleFile(toFileReader(context), file, {
    teams: teams.length === 0,
    invites: true,
    known: listFields(INVITATION_COLUMNS),
    organizations: organizations.names,
    async findMore(placed, names) {
      const { of } = await openDirectories(context);
      const found: Problem[] = [];
      for (const name of names) {
        const rows = [...placed.in(name), ...placed.unusableIn(name)];
        // Of several organizations each has teams of its own: one that is missing there is a row.
        if (organizations.isOne) found.push(...(await findWrongTeams(of(name), rows, teams)));
        const named = placed.in(name).filter(hasId).flatMap(toInvitee);
        found.push(...(await findPresent(of(name), named)).falseIds);
      }
      return found;
    },
  });
  return { inviteesIn: (organization) => people.in(organization).flatMap(toInvitee), file: people.file };
}

/** `asked`: the teams of the command line. */
async function findWrongTeams(
  { openTeams }: Directory,
  rows: readonly PersonRow[],
  asked: readonly string[],
): Promise<readonly Problem[]> {
  const chooseTeams = await openTeams([...asked, ...rows.flatMap((row) => row.teams ?? [])]);
  return listTeamProblems(chooseTeams, [{ teams: asked }, ...rows]);
}

function refuseExisting(organization: string, present: readonly FoundMembership[]): void {
  if (present.length === 0) return;
  const members = present.map(toMember);
  const [only] = members.length === 1 ? members : [];
  throw new OrgctlError(
    'rejected',
    only === undefined
      ? `${countPeople(members.length)} are already in ${organization}`
      : `${nameMember(only)} is already ${only.status === 'invited' ? 'invited to' : 'a member of'} ${organization}`,
    {
      code: 'exists',
      reasons: only === undefined ? members.map(describeMember) : [],
      hint: `Nothing was sent. Leave out --fail-if-exists to ${only === undefined ? 'invite the others' : 'take that for done'}.`,
    },
  );
}

function toUnchanged(
  existing: FoundMembership,
  organization: string,
  missing: readonly FoundTeam[],
): JobResult<InvitationRow> {
  return {
    resource: existing.membership,
    included: existing.included,
    extra: {
      ...addOrganization(existing.membership, organization),
      changed: false,
      ...(missing.length === 0 ? {} : { 'teams-missing': missing.map(toTeamIdentity) }),
      result: 'unchanged',
    },
  };
}
