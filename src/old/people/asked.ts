import { foldEmail } from '../email.ts';
import { OrgctlError } from '../errors.ts';
import { describeReference, type MemberReference, parseMemberReference } from '../input/member-reference.ts';
import { type Claim, type PersonRow, type Problem, refuseProblems } from '../people-files/person-rows.ts';
import { type Member, nameMember } from './member.ts';

/** People to look for in an organization, and whether they are who a file says they are. */

export interface Asked {
  readonly reference: MemberReference;
  /** What rows of a file say of the membership. */
  readonly claims?: readonly Claim[];
}

/** Those who are asked for in an organization. */
export type AskedIn = (organization: string) => readonly Asked[];

/** By email first, which many people can be looked for by at once. */
export function toAsked({ email, user, id, claims = [] }: Omit<PersonRow, 'teams'>): Asked {
  if (email !== undefined) return { reference: { kind: 'email', email }, claims };
  return { reference: user === undefined ? parseMemberReference(`id:${id}`) : { kind: 'name', name: user }, claims };
}

/** Whether a row says which membership it means. */
export function hasId({ claims = [] }: Pick<Asked, 'claims'>): boolean {
  return claims.some(({ id }) => id !== undefined);
}

/** An id that is wrong, and the file it stands in. */
export type FalseId = Problem & Pick<Claim, 'file'>;

/** The ids that are of no one who was found. */
export function findFalseIds(
  { reference, claims = [] }: Asked,
  found: readonly Pick<Member, 'id'>[],
  organization: string,
): readonly FalseId[] {
  const [member] = found;
  const who = describeReference(reference);
  return claims.flatMap(({ file, line, id }) =>
    id === undefined || found.some((one) => one.id === id)
      ? []
      : {
          file,
          line,
          text: `id is ${id}, and ${who} ${member === undefined ? 'is not a member' : `is ${member.id}`} in ${organization}`,
          advice: 'Use a newer file, or leave the column id out (--fields).',
        },
  );
}

/** Throws UsageError that names all of them, and what else is wrong. */
export function refuseFalseIds(found: readonly FalseId[], listOthers: () => readonly Problem[] = () => []): void {
  const [first] = found;
  if (first !== undefined) refuseProblems(first.file, [...found, ...listOthers()]);
}

/** Why nothing is done about a member who is no longer what a row says. */
export function findChange({ claims = [] }: Asked, member: Member): OrgctlError | undefined {
  const claim = claims.find(({ status }) => status !== undefined && status !== member.status);
  if (claim === undefined) return undefined;
  const { status = 'of unknown status' } = member;
  return new OrgctlError(
    'incomplete',
    `${nameMember(member)} is ${status} now, not ${claim.status} as in ${claim.file.name}`,
    {
      code: 'changed',
      hint: 'Print the list again, and check it.',
    },
  );
}

export function listEmails(asked: readonly Asked[]): readonly string[] {
  return asked.flatMap(({ reference }) => (reference.kind === 'email' ? [reference.email] : []));
}

/** The same for two ways of naming the same person. */
export function toKey(reference: MemberReference): string {
  const text = describeReference(reference);
  return `${reference.kind} ${reference.kind === 'email' ? foldEmail(text) : text}`;
}

/** Everyone who is asked for somewhere, each once. */
export function listPeople(askedIn: AskedIn, organizations: readonly string[]): readonly MemberReference[] {
  const all = organizations.flatMap((organization) => askedIn(organization).map(({ reference }) => reference));
  return [...new Map(all.map((reference) => [toKey(reference), reference])).values()];
}
