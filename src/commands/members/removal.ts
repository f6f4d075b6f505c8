import type { Context } from '../../context/context.ts';
import { OrgctlError, UsageError } from '../../errors.ts';
import { describeAbsence, type Sought } from '../../people/find-members.ts';
import { describeMember, describeTeams, type Member } from '../../people/member.ts';
import type { WriteResult } from '../../stdout/output.ts';
import { ORGANIZATION_MEMBERSHIPS, TEAMS } from '../../wire/resources.ts';
import { doJob, tellPeople } from '../bulk.ts';
import { MEMBER_REMOVAL_COLUMNS, toOrganization } from './columns.ts';

/** Memberships that were looked for to be removed, and what became of each. */

/** A membership to remove. Without `member` nobody is there, or `refusal` says why nobody could be looked for. */
export interface Removal {
  readonly organization: string;
  /** How the person was named, where nobody is there: by one of these. */
  readonly id?: string;
  readonly email?: string;
  readonly asked?: string;
  readonly member?: Member;
  readonly refusal?: OrgctlError;
}

export interface RemovalJob {
  readonly removals: readonly Removal[];
  /** Completes "removing these from". */
  readonly from: string;
  /** Whether each removal is told as it happens; otherwise they are counted. */
  readonly noted: boolean;
  /** What is counted; the people when left out. */
  readonly counted?: string;
}

/** Longer lists are told in part before they are confirmed. */
const MOST_SHOWN = 20;

/** Asks for confirmation, removes, and prints a row for each. Throws when something failed. */
export async function doRemovals(
  context: Pick<Context, 'screen' | 'services' | 'places'>,
  job: RemovalJob,
): Promise<void> {
  const { screen, services } = context;
  const { removals, from, noted, counted = tellPeople(removals.length) } = job;
  const people = removals.filter(({ member }) => member !== undefined);
  if (people.length > 0) {
    await screen.confirm({
      act: `removing ${people.length === 1 ? 'this membership' : `these ${people.length} memberships`} from ${from}`,
      consequences: shorten(people.map((removal) => describeRemoval(removal, from))),
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
      if (noted) screen.note(`removed ${who}`);
      return toRow(removal, { changed: true, result: 'removed' });
    },
    toRow,
  });
}

/** The first of many lines, and how many more there are. */
export function shorten(lines: readonly string[]): readonly string[] {
  return lines.length > MOST_SHOWN ? [...lines.slice(0, MOST_SHOWN), `and ${lines.length - MOST_SHOWN} more`] : lines;
}

function nameOf({ member, email, asked, id, organization }: Removal): string {
  return member === undefined ? `${email ?? asked ?? id} in ${organization}` : describeMember(member);
}

function describeRemoval({ member, organization }: Removal, from: string): string {
  if (member === undefined) return organization;
  return `${organization === from ? '' : `${organization}: `}${describeMember(member)}${describeTeams(member)}`;
}

interface Result {
  readonly changed: boolean;
  readonly result: string;
}

function toRow({ organization, id, email, asked, member }: Removal, { changed, ...rest }: Result): WriteResult {
  const address = member?.email ?? email;
  const teams = member?.teams?.map((team) => ({ id: team.id, type: TEAMS, name: team.name }));
  return {
    resource: { type: ORGANIZATION_MEMBERSHIPS, id: member?.id ?? id ?? null },
    extra: {
      changed,
      ...(address === undefined ? {} : { email: address }),
      ...(asked === undefined ? {} : { asked }),
      organization: toOrganization(organization),
      ...(teams === undefined ? {} : { teams }),
      ...rest,
    },
  };
}

/** Throws when one of them belongs elsewhere, as a membership named by its id may. */
export function refuseOtherOrganization(member: Member, organization: string): void {
  const own = member.organization;
  if (own === undefined || own.toLowerCase() === organization.toLowerCase()) return;
  throw new UsageError(`${describeMember(member)} belongs to ${own}, not to ${organization}`, {
    hint: `Nothing was removed. If ${own} is meant, say so with --org ${own}.`,
  });
}

/** Throws when somebody is not there, and names all of them. */
export function refuseAbsent(sought: readonly Sought[], organization: string): void {
  const absent = sought.flatMap(({ reference, member }) =>
    member instanceof OrgctlError ? [{ reference, error: member }] : [],
  );
  const [first] = absent;
  if (first === undefined) return;
  if (absent.length === 1) throw first.error;
  throw new OrgctlError(
    'not-found',
    `${absent.length} of ${sought.length} are neither members of ${organization} nor invited`,
    {
      reasons: absent.map(({ reference }) => describeAbsence(reference, organization)),
      hint: 'Nothing was removed. Check them against the list:',
      next: [['orgctl', 'members', 'list']],
    },
  );
}
