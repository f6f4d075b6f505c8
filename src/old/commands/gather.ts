import { groupBy } from '../groups.ts';
import { toOrganization } from '../resources/organization.ts';
import { joinNames } from '../text/join.ts';
import type { ResourceIdentifier } from '../wire/json-api.ts';
import type { Done, JobResult } from './bulk.ts';
import type { ResultRow } from './row-error.ts';

interface PersonRow extends ResultRow {
  readonly email?: unknown;
  /** Null for a person who is in none. */
  readonly organization?: ResourceIdentifier | null;
}

/**
 * What became of a person in several organizations, said in one sentence. `describe`: how the sentence names one of the organizations.
 */
export function gatherOrganizations<Item, Row extends PersonRow>(
  all: readonly Done<Item, Row>[],
  describe: (organization: string, one: Done<Item, Row>) => string = (organization) => organization,
): readonly JobResult<Row>[] {
  const groups = groupBy(all, ({ row: { extra } }) =>
    extra.result === 'failed' || extra.organization === null ? Symbol('alone') : `${extra.result} ${extra.email}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [{ row }] = group;
    if (row.extra.organization === null) return group.map((one) => one.row);
    const places = joinNames(group.map((one) => describe(one.row.extra.organization?.id ?? '', one)));
    return [{ ...row, extra: { ...row.extra, organization: toOrganization(places) } }];
  });
}
