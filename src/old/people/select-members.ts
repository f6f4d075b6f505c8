import { isObject, toText } from '../json-object.ts';
import { isSameName } from '../names.ts';
import { canHaveSecondFactor, includedOf } from '../resources/membership.ts';
import type { Page } from '../service/page.ts';
import type { ListReading } from '../service/pages.ts';
import type { Resource } from '../wire/json-api.ts';
import { type Membership, USERS } from '../wire/resources.ts';
import { toMember } from './member.ts';
import { isCertainId, type KnownTeam } from './teams.ts';

/** Filters of members that the service does not have: they look at what was read. */

/** Whether a member is one of those; undefined where the service doesn't say what decides. */
export type Judge = (membership: Membership, included: readonly Resource[]) => boolean | undefined;

export interface Selection {
  readonly reading: ListReading<Membership>;
  /** After reading: how many were left out because nothing said what they are. */
  unknown(): number;
}

export function selectMembers(reading: ListReading<Membership>, judge: Judge): Selection {
  let unknown = 0;
  const select = (page: Page<Membership>): { readonly page: Page<Membership>; readonly unknown: number } => {
    const judged = page.items.map((item) => ({ item, is: judge(item, page.included) }));
    const items = judged.flatMap(({ item, is }) => (is === true ? [item] : []));
    const included = includedOf(items, page.included);
    return {
      page: { ...page, items, included },
      unknown: judged.filter(({ is }) => is === undefined).length,
    };
  };
  return {
    reading: {
      ...reading,
      async *read(way, keep) {
        const pages = reading.read(way, async (each) => {
          const { page, unknown: more } = select(each);
          return { kept: await keep(page), more };
        });
        for await (const { kept, more } of pages) {
          unknown += more;
          yield kept;
        }
      },
    },
    unknown: () => unknown,
  };
}

/** Invitations older than this, in milliseconds since 1970. */
export const isPendingSince =
  (before: number): Judge =>
  ({ attributes }) => {
    // A service that does not know the filter sends everyone.
    const status = attributes?.status;
    if (status !== undefined && status !== 'invited') return false;
    const created = attributes?.['created-at'];
    const time = typeof created === 'string' ? Date.parse(created) : Number.NaN;
    return Number.isNaN(time) ? undefined : time < before;
  };

export const isInTeam =
  ({ id: wanted }: Pick<KnownTeam, 'id'>): Judge =>
  (membership, included) =>
    toMember({ membership, included }).teams?.some(({ id }) => id === wanted);

/** For a service that lists no teams: those in the team of this id, or of this name, compared without case. */
export const isInNamedTeam =
  (wanted: string): Judge =>
  (membership, included) => {
    const { teams } = toMember({ membership, included });
    if (teams === undefined) return undefined;
    if (teams.some(({ id, name }) => id === wanted || isSameName(name, wanted))) return true;
    return !isCertainId(wanted) && teams.some(({ name }) => name === undefined) ? undefined : false;
  };

/** People whose two-factor authentication is off. */
export const isWithoutTwoFactor: Judge = (membership, included) => {
  const user = membership.relationships?.['user']?.data;
  const id = isObject(user) ? toText(user['id']) : undefined;
  const attributes = included.find((resource) => resource.type === USERS && resource.id === id)?.attributes;
  if (!canHaveSecondFactor(membership.attributes?.status, attributes?.['is-service-account'])) return false;
  const found = attributes?.['two-factor'];
  const enabled = isObject(found) ? found['enabled'] : undefined;
  return typeof enabled === 'boolean' ? !enabled : undefined;
};
