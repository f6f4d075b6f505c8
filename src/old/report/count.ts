import { addCount, addToGroup, type Group } from '../groups.ts';
import { foldName } from '../names.ts';
import { canHaveSecondFactor } from '../resources/membership.ts';
import { getField } from '../stdout/fields.ts';
import { countAny, countThings, describeOrganizations, formatCount } from '../text/count.ts';
import { shortenList } from '../text/shorten.ts';
import type { ReportRow } from '../wire/flat.ts';
import { CHANGES, type Compared, type Comparison } from './compare.ts';
import { FACT_FIELDS, INVITED, toFacts } from './facts.ts';
import type { EarlierReport } from './read-earlier.ts';

/** How many there are of what a review looks for, and what could not be seen. */
export function createReportCount() {
  const organizations: string[] = [];
  const withoutOwner: string[] = [];
  const withSomeOwners: string[] = [];
  const withoutFactor: string[] = [];
  const counts = { members: 0, owners: 0, judged: 0, withoutFactor: 0, invited: 0, inactive: 0, services: 0 };
  const unknown = { owners: 0, ownersOfSome: 0, factor: 0 };

  return {
    add(organization: string, records: readonly ReportRow[]): void {
      organizations.push(organization);
      let [owners, factor] = [0, 0];
      for (const record of records) {
        const { owner, status, secondFactor } = toFacts(record);
        const isInvited = status === INVITED;
        const isService = getField(record, 'user.is-service-account') === true;
        counts.members += 1;
        if (owner === true) counts.owners += 1;
        if (owner === undefined) owners += 1;
        if (isInvited) counts.invited += 1;
        if (status === 'inactive') counts.inactive += 1;
        if (isService) counts.services += 1;
        if (!canHaveSecondFactor(status, isService)) continue;
        counts.judged += 1;
        if (secondFactor === false) counts.withoutFactor += 1;
        if (secondFactor === undefined) factor += 1;
      }
      const isOfSome = owners < records.length;
      if (owners > 0) (isOfSome ? withSomeOwners : withoutOwner).push(organization);
      if (factor > 0) withoutFactor.push(organization);
      unknown.owners += owners;
      unknown.ownersOfSome += isOfSome ? owners : 0;
      unknown.factor += factor;
    },
    /** What the report has to leave empty, and where. */
    listUnknown(): readonly string[] {
      const { ownersOfSome, factor } = unknown;
      const [all, some] = [list(withoutOwner), list(withSomeOwners)];
      const who = `${countMembers(factor)} of ${list(withoutFactor)}`;
      return [
        ...(all === '' ? [] : [`owner is empty in ${all}: your token sees no one in the team of owners, or no teams`]),
        ...(some === ''
          ? []
          : [`owner is empty for ${countMembers(ownersOfSome)} of ${some}: the service doesn't show their teams`]),
        ...(factor === 0 ? [] : [`two-factor is empty for ${who}: the service doesn't show it`]),
      ];
    },
    /** `8 members of acme: 1 owner, 6 without two-factor (2 unknown), 1 invited.` Undefined where nothing could be read. */
    describe(): string | undefined {
      if (organizations.length === 0) return undefined;
      const { members, judged, invited, inactive, services } = counts;
      const parts = [
        unknown.owners > 0 && unknown.owners === members
          ? 'owners unknown'
          : `${count(counts.owners, 'owner')}${countUnknown(unknown.owners)}`,
        unknown.factor > 0 && unknown.factor === judged
          ? 'two-factor unknown'
          : `${formatCount(counts.withoutFactor)} without two-factor${countUnknown(unknown.factor)}`,
        ...countAny(invited, 'invited'),
        ...countAny(inactive, 'inactive'),
        ...(services === 0 ? [] : [count(services, 'service account')]),
      ];
      return `${countMembers(members)} of ${describeOrganizations(organizations)}: ${parts.join(', ')}.`;
    },
  };
}

/** What changed since an earlier report, and what could not be compared. `asked`: the organizations of the report of now. */
export function createChangeCount(
  { name, organizations }: Pick<EarlierReport, 'name' | 'organizations'>,
  asked: readonly string[],
) {
  const counts = new Map<string, number>();
  const unknown = new Map<Compared, Group<string>>();
  const compared: string[] = [];
  const keys = new Set(asked.map(foldName));
  const onlyNow = asked.filter((organization) => !organizations.has(foldName(organization)));
  const onlyBefore = [...organizations].flatMap(([key, written]) => (keys.has(key) ? [] : [written]));
  const sum = (): number => [...counts.values()].reduce((before, each) => before + each, 0);

  return {
    count: sum,
    /** Organizations that one of the two reports lacks. */
    missing: onlyNow.length + onlyBefore.length,
    add(organization: string, { changes, unknown: facts }: Comparison): void {
      compared.push(organization);
      for (const { change } of changes) addCount(counts, change);
      for (const fact of facts) addToGroup(unknown, fact, organization);
    },
    /** A line for what could not be compared. */
    listUnknown(): readonly string[] {
      return [
        ...[...unknown].map(
          ([fact, where]) => `${FACT_FIELDS[fact]} is not compared in ${list(where)}: ${name} doesn't have it`,
        ),
        ...(onlyNow.length > 0 ? [`not compared: ${list(onlyNow)} (not in ${name})`] : []),
        ...(onlyBefore.length > 0 ? [`not compared: ${list(onlyBefore)} (only in ${name})`] : []),
      ];
    },
    /** `3 changes in acme since january.csv: 1 joined, 2 team-added.` Undefined where nothing was compared. */
    describe(): string | undefined {
      if (compared.length === 0) return undefined;
      const parts = CHANGES.flatMap((change) => countAny(counts.get(change), change));
      const what = sum() === 0 ? 'No changes' : count(sum(), 'change');
      return `${what} in ${describeOrganizations(compared)} since ${name}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}.`;
    },
  };
}

/** ` (2 unknown)`: what is not known is not counted as none. */
function countUnknown(count: number): string {
  return count === 0 ? '' : ` (${formatCount(count)} unknown)`;
}

function countMembers(count: number): string {
  return countThings(count, 'member', 'members');
}

function count(number: number, one: string): string {
  return `${formatCount(number)} ${one}${number === 1 ? '' : 's'}`;
}

function list(organizations: readonly string[]): string {
  return shortenList(organizations).join(', ');
}
