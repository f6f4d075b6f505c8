import type { Context } from '../../context/context.ts';
import { foldEmail } from '../../email.ts';
import { OrgctlError, reword } from '../../errors.ts';
import { type Group, groupBy } from '../../groups.ts';
import type { AskedIn } from '../../people/asked.ts';
import {
  type AskedTeams,
  type FoundSteps,
  findTeamSteps,
  listNames,
  type TeamRules,
  type TeamStep,
} from '../../people/find-team-steps.ts';
import { describeMember, type Member, nameMember } from '../../people/member.ts';
import { createTeamChanges, leavesAll, type TeamMoves } from '../../people/team-changes.ts';
import { describeWithout, refuseTeamIds } from '../../people/teams.ts';
import { ALL_KEYS } from '../../people-files/people-columns.ts';
import { toOrganization } from '../../resources/organization.ts';
import { toTeamIdentity } from '../../resources/team.ts';
import type { Service } from '../../service/service.ts';
import type { Columns } from '../../stdout/columns.ts';
import { countPeople, describeThese } from '../../text/count.ts';
import { joinNames } from '../../text/join.ts';
import { shortenAsked, shortenList } from '../../text/shorten.ts';
import { ORGANIZATION_MEMBERSHIPS } from '../../wire/resources.ts';
import { doJobInEach, type JobResult } from '../bulk.ts';
import { gatherOrganizations } from '../gather.ts';
import {
  type ChangedTeam,
  countAsked,
  type NamedPeople,
  nameSought,
  openDirectories,
  readAsked,
  refuseOthers,
  toFactsOf,
  toOwnersQuestion,
  warnOfManagedTeams,
} from '../people.ts';
import { withLastTeams } from '../result-sentences.ts';
import type { ResultOf } from '../row-error.ts';
import type { TeamChangeRow } from './columns.ts';

/** People put into a team, taken out of one, or both: the act of `add` and `remove`. */

const FILE = { keys: ALL_KEYS };

interface Change {
  readonly people: NamedPeople;
  readonly asked: AskedTeams;
  readonly rules: TeamRules;
  readonly columns: { readonly inOne: Columns<TeamChangeRow>; readonly inSeveral: Columns<TeamChangeRow> };
  /** `Adding`. */
  readonly doing: string;
  readonly again: string;
}

export async function changeTeams(context: Context, change: Change): Promise<void> {
  const { organizations, screen } = context;
  const { asked, people, rules } = change;
  refuseTeamIds(organizations, listNames(asked));
  refuseOthers(people.members, organizations);
  const askedIn = await readAsked(context, people, {
    ...FILE,
    columns: change.columns.inOne,
    isNamed: asked.into === undefined,
  });
  for (const name of await organizations.names()) {
    refuseOthers(
      askedIn(name).map(({ reference }) => reference),
      organizations,
    );
  }
  const { note } = screen;
  const found = await findTeamSteps(await openDirectories(context), asked, askedIn, rules);
  if (found.without.length > 0) note(describeWithout(listNames(asked), found.without));
  const absent = groupBy(found.absent, ({ person }) => person);
  for (const line of shortenList([...absent.values()].map(describeAbsent))) note(line);
  await carryOut(context, found, askedIn, change);
}

/** `(gina@example.com is not in acme or initech)` */
function describeAbsent(places: Group<FoundSteps['absent'][number]>): string {
  return `(${places[0].person} is not in ${joinNames(
    places.map(({ organization }) => organization),
    'or',
  )})`;
}

async function carryOut(
  context: Context,
  { steps, organizations: within }: FoundSteps,
  askedIn: AskedIn,
  { columns: { inOne: columns, inSeveral }, doing, again, people }: Change,
): Promise<void> {
  const { organizations, screen, services } = context;
  const { isOne } = organizations;
  const doable = steps.filter(isDoable);
  warnOfManagedTeams(screen.warn, listChanged(doable));
  await confirm(context, doable);
  const act = createActor(await services.current(), doable);
  const moves = doable.map(toMoves);
  await doJobInEach(context, {
    items: steps,
    columns: withLastTeams(isOne ? columns : inSeveral, moves),
    doing,
    things: await countAsked(context, askedIn, steps.length, within),
    isCounted: !isOne || people.file !== undefined,
    again,
    // Of whom more is to be said in one of the organizations, that is said of it alone.
    gather: (done) => {
      const isAlone = ({ item }: (typeof done)[number]) => isDoable(item) && leavesAll(toMoves(item));
      return [
        ...gatherOrganizations(done.filter((one) => !isAlone(one))),
        ...done.filter(isAlone).map(({ row }) => row),
      ];
    },
    name: (one) => nameSought(one),
    known(step) {
      return step.refusal !== undefined || isDoable(step)
        ? undefined
        : toRow(step, { changed: false, result: 'unchanged' });
    },
    async act(step) {
      const result = isDoable(step) ? await act(step) : 'planned';
      return result === 'planned' ? undefined : toRow(step, { changed: result !== 'unchanged', result });
    },
    toRow,
  });
}

type Doable = TeamStep & { readonly member: Member };

function isDoable(step: TeamStep): step is Doable {
  return step.member !== undefined && (step.joins || step.leaves);
}

type Result = 'added' | 'removed' | 'moved' | 'unchanged' | 'planned';

function createActor(service: Service, steps: readonly Doable[]): (step: Doable) => Promise<Result> {
  const changes = new Map(
    [...groupBy(steps, ({ organization }) => organization)].map(([organization, some]) => [
      organization,
      createTeamChanges(service.teams, organization, some.map(toMoves)),
    ]),
  );
  return async (step) => {
    const { member, teams } = step;
    const { into, outOf } = teams;
    const change = changes.get(step.organization);
    const moves = toMoves(step);
    try {
      const done = await change?.settle(moves);
      if (done === undefined) return 'planned';
      if (done.added.length + done.removed.length === 0) return 'unchanged';
      return !step.leaves ? 'added' : into === undefined ? 'removed' : 'moved';
    } catch (error) {
      if (!(error instanceof OrgctlError) || change?.done(moves).added.length !== 1) throw error;
      throw reword(error, {
        message: `${nameMember(member)} is in ${into?.name} now, and in ${outOf?.name} still: ${error.message}`,
      });
    }
  };
}

function toMoves({ member, teams: { into, outOf }, joins, leaves }: Doable): TeamMoves {
  return { member, add: joins && into ? [into] : [], remove: leaves && outOf ? [outOf] : [] };
}

async function confirm({ screen }: Context, steps: readonly Doable[]): Promise<void> {
  const leaving = steps.filter(({ leaves }) => leaves);
  const owning = steps.filter(({ joins, teams }) => joins && teams.into?.isOwners === true);
  const toOwners = toOwnersQuestion(
    owning.map(({ member }) => nameMember(member)),
    owning.map(({ organization }) => organization),
  );
  const [first] = leaving;
  if (first === undefined) {
    if (owning.length > 0) await screen.confirm('make owners', toOwners);
    return;
  }
  const organizations = [...new Set(leaving.map(({ organization }) => organization))];
  const people = [...groupBy(leaving, ({ member }) => foldEmail(nameMember(member))).values()];
  const who = people.length === 1 ? nameMember(first.member) : countPeople(people.length);
  const { into, outOf } = first.teams;
  const asked = {
    people: who,
    team: `${outOf?.name}`,
    place: describePlace(organizations),
    consequences: [
      ...(people.length === 1 && organizations.length === 1 ? [] : shortenAsked(people.map(describePerson))),
      ...(owning.length === 0 ? [] : (toOwners.consequences?.slice(-1) ?? [])),
    ],
  };
  if (into === undefined) await screen.confirm('leave team', asked);
  else await screen.confirm('move people', { ...asked, into: into.name });
}

function describePlace(organizations: readonly string[]): string {
  return organizations.length > 1 ? ` in ${describeThese(organizations)}` : ` (${organizations[0]})`;
}

/** Of one organization what they are, of several where they are. */
function describePerson(steps: Group<Doable>): string {
  const [first, ...more] = steps;
  return more.length === 0
    ? describeMember(first.member)
    : `${nameMember(first.member)} in ${joinNames(steps.map(({ organization }) => organization))}`;
}

function listChanged(steps: readonly Doable[]): readonly ChangedTeam[] {
  return steps.flatMap(({ organization, teams, joins, leaves }) =>
    [joins ? teams.into : undefined, leaves ? teams.outOf : undefined].flatMap((team) =>
      team === undefined ? [] : [{ organization, team }],
    ),
  );
}

function toRow(
  { organization, teams, reference, member }: TeamStep,
  { changed, ...rest }: ResultOf<TeamChangeRow>,
): JobResult<TeamChangeRow> {
  const email = member?.email ?? (reference.kind === 'email' ? reference.email : undefined);
  const { into, outOf } = teams;
  const team = into ?? outOf;
  return {
    resource: { type: ORGANIZATION_MEMBERSHIPS, id: member?.id ?? null },
    extra: {
      changed,
      ...(email === undefined ? {} : { email }),
      ...toFactsOf(member && { status: member.status, userId: member.userId, username: member.username }),
      organization: toOrganization(organization),
      ...(team === undefined ? {} : { team: toTeamIdentity(team) }),
      ...(into === undefined || outOf === undefined ? {} : { from: toTeamIdentity(outOf) }),
      ...rest,
    },
  };
}
