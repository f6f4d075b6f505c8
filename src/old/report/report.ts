import { foldEmail } from '../email.ts';
import { isObject, toText } from '../json-object.ts';
import { listTeams } from '../people/directory.ts';
import { isOwner } from '../people/member.ts';
import { collect } from '../reading.ts';
import { findEmail } from '../resources/membership.ts';
import { addOrganization } from '../resources/organization.ts';
import { teamName } from '../resources/team.ts';
import { USUAL_INCLUDE } from '../service/include.ts';
import type { Page } from '../service/page.ts';
import type { Service } from '../service/service.ts';
import { flatten, indexIncluded } from '../stdout/flatten.ts';
import type { ReportRow, TeamRow } from '../wire/flat.ts';
import type { Membership, Named } from '../wire/resources.ts';
import { INVITED } from './facts.ts';
import { compareTexts } from './order.ts';

/** An access review: everyone in an organization, and what they can reach it with. */

/** Resolves when so many more rows may wait in memory. */
type Hold = (rows: number) => Promise<void>;

/**
 * A row for each person, as json prints it, by email and then by id: two reports compare line by line. `owner` is null where
 * it can't be seen. Throws `incomplete` when the list kept changing.
 */
export async function readReport(
  service: Pick<Service, 'memberships' | 'teams'>,
  organization: string,
  hold: Hold = async () => undefined,
): Promise<readonly ReportRow[]> {
  const reading = service.memberships.list(organization, {}, USUAL_INCLUDE, {});
  const pages = await collect(reading, async (page) => {
    await hold(page.items.length);
    return toRecords(page, organization);
  });
  const records = pages.flat();
  const isNamed = records.every((record) => listTeamsOf(record)?.every(({ name }) => name !== undefined) !== false);
  const known = isNamed ? undefined : await listTeams(service, organization);
  const names = new Map(known?.map((team) => [team.id, teamName(team)]));
  return sortRecords(addOwners(names.size === 0 ? records : records.map((record) => nameTeams(record, names))));
}

function toRecords({ items, included }: Page<Membership>, organization: string): readonly ReportRow[] {
  const index = indexIncluded(included);
  return items.map((membership) => {
    const email = membership.attributes?.email ? undefined : findEmail(membership, included);
    const more = { ...(email === undefined ? {} : { email }), ...addOrganization(membership, organization) };
    return hideFactor(flatten(membership, index, more) as ReportRow);
  });
}

/** Who has not accepted an invitation shows no second factor, whatever the service says of the account. */
function hideFactor(record: ReportRow): ReportRow {
  const { status, user } = record;
  if (status !== INVITED || !isObject(user) || !isObject(user['two-factor'])) return record;
  return { ...record, user: { ...user, 'two-factor': { ...user['two-factor'], enabled: null } } };
}

function listTeamsOf({ teams }: Named<'teams'>) {
  if (!Array.isArray(teams)) return undefined;
  return teams.filter(isObject).map(({ id, name }) => ({ id: String(id), name: toText(name) }));
}

function nameTeams(record: ReportRow, names: ReadonlyMap<string, string>): ReportRow {
  const { teams } = record;
  if (!Array.isArray(teams)) return record;
  const toNamed = (team: TeamRow): TeamRow => {
    const name = isObject(team) && team.name === undefined ? names.get(String(team.id)) : undefined;
    return name === undefined ? team : { ...team, name };
  };
  return { ...record, teams: teams.map(toNamed) };
}

/** Every organization has an owner: where none is seen, they are hidden. */
function addOwners(records: readonly ReportRow[]): readonly ReportRow[] {
  const owners = records.map((record) => isOwner({ teams: listTeamsOf(record) }));
  const areSeen = owners.includes(true);
  return records.map((record, index) => ({ ...record, owner: areSeen ? (owners[index] ?? null) : null }));
}

function sortRecords(records: readonly ReportRow[]): readonly ReportRow[] {
  const keyed = records.map((record) => ({ record, email: toText(record.email), id: String(record.id) }));
  return keyed
    .map(({ email, ...rest }) => ({ ...rest, email: foldEmail(email) }))
    .sort((one, other) => compareTexts(one.email, other.email) || compareTexts(one.id, other.id))
    .map(({ record }) => record);
}
