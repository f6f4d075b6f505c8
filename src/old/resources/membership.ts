import type { Resource } from '../wire/json-api.ts';
import type { Membership } from '../wire/resources.ts';

/** Its own, else its user's. */
export function findEmail(membership: Membership, included: readonly Resource[]): string | undefined {
  const email = membership.attributes?.email ?? findUser(membership, included)?.attributes?.['email'];
  return typeof email === 'string' && email !== '' ? email : undefined;
}

/** Of what came along with a page, what belongs to these: so that a few do not keep all of it in memory. */
export function includedOf(resources: readonly Resource[], included: readonly Resource[]): readonly Resource[] {
  const related = new Set(
    resources
      .flatMap(({ relationships }) => Object.values(relationships ?? {}))
      .flatMap((relationship) => relationship?.data ?? [])
      .map((identifier) => `${identifier?.type} ${identifier?.id}`),
  );
  return included.filter(({ type, id }) => related.has(`${type} ${id}`));
}

export function findUser(membership: Membership, included: readonly Resource[]): Resource | undefined {
  const user = membership.relationships?.['user']?.data;
  if (user === null || user === undefined || !('id' in user)) return undefined;
  return included.find((resource) => resource.type === user.type && resource.id === user.id);
}

/** Of who is only invited, and of service accounts, whatever is sent says nothing about a second factor. */
export function canHaveSecondFactor(status: unknown, isServiceAccount: unknown): boolean {
  return status !== 'invited' && isServiceAccount !== true;
}
