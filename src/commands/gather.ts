import { groupBy } from '../groups.ts';
import { toOrganization } from '../resources/organization.ts';
import type { WriteResult } from '../stdout/result.ts';
import { joinNames } from '../text/join.ts';

/**
 * What became of a person in several organizations, said in one sentence. `toPlace`: how one of the organizations is named in it.
 */
export function gatherOrganizations(
  rows: readonly WriteResult[],
  toPlace: (row: WriteResult) => string = toOrganizationName,
): readonly WriteResult[] {
  const groups = groupBy(rows, ({ extra }) =>
    extra['result'] === 'failed' || extra['organization'] === null
      ? Symbol('alone')
      : `${extra['result']} ${extra['email']}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first.extra['organization'] === null) return group;
    const places = joinNames(group.map(toPlace));
    return [{ ...first, extra: { ...first.extra, organization: toOrganization(places) } }];
  });
}

export function toOrganizationName({ extra }: WriteResult): string {
  return (extra['organization'] as { readonly id: string }).id;
}
