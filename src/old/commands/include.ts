import { UsageError } from '../errors.ts';
import { type Include, NO_INCLUDE, USUAL_INCLUDE } from '../service/include.ts';
import { names } from './param.ts';

/** Which related resources come along with memberships. */

/** Relationships of a membership whose attributes can come along. */
const RELATED = ['user', 'teams', 'organization'];

/** Of the membership reads. Which names a service accepts is not documented: they are sent as given. */
export const INCLUDE = {
  include: names('--include <names>', 'Read related things too, such as organization; with none, only the members', {
    complete: ['user', 'teams'],
  }),
};

/** What the fields need (all of the usual ones without `--fields`), what was asked for, and what a filter needs. */
export function toInclude(
  given: readonly string[] | undefined,
  fields: readonly string[] | undefined,
  needed: readonly string[] = [],
): Include {
  const asked = given ?? [];
  if (given?.length === 0 || (asked.includes('none') && asked.length > 1)) {
    throw new UsageError(`--include takes names or none, not '${asked.join(',')}'`, {
      hint: 'For example: --include user,teams',
    });
  }
  if (asked[0] === 'none') {
    const [first] = needed;
    if (first === undefined) return NO_INCLUDE;
    throw new UsageError(`--include none leaves out what the filter looks at: ${first}`, {
      hint: 'Leave --include out.',
    });
  }
  if (fields === undefined) return { ...USUAL_INCLUDE, asked, isNeeded: needed.length > 0 };
  const own = RELATED.filter((name) => needed.includes(name) || fields.some((field) => isOf(name, field)));
  return { asked, own, isNeeded: true };
}

/** Whether a field is filled by a related resource, which says of itself no more than its id and type. */
function isOf(name: string, field: string): boolean {
  return field === name || (field.startsWith(`${name}.`) && !field.endsWith('.id') && !field.endsWith('.type'));
}
