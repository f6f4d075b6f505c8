import { parseKnownEmail } from '../email.ts';
import { UsageError } from '../errors.ts';

export type MemberReference =
  | { readonly kind: 'membership'; readonly id: string }
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'email'; readonly email: string }
  | { readonly kind: 'name'; readonly name: string };

const FORMS = 'Use an email, a user name, a membership id (ou-…) or a user id (user-…). email:, name: or id: decides.';

/** Throws UsageError naming the text when it can be none of these. */
export function parseMemberReference(text: string): MemberReference {
  const [, prefix, rest = text] = /^(id|email|name):(.*)$/s.exec(text) ?? [];
  if (rest.trim() === '' || /\p{Cc}/u.test(rest)) {
    throw new UsageError(`no member is called '${text}'`, { hint: FORMS });
  }
  const value = rest.trim();
  if (prefix === 'email') return { kind: 'email', email: parseKnownEmail(value) };
  if (prefix === 'name') return { kind: 'name', name: value };
  if (/^ou-[A-Za-z0-9]+$/.test(value)) return { kind: 'membership', id: value };
  if (/^user-[A-Za-z0-9]+$/.test(value)) return { kind: 'user', id: value };
  if (prefix === 'id') throw new UsageError(`'${value}' is not a membership id or user id`, { hint: FORMS });
  if (value.includes('@')) return { kind: 'email', email: parseKnownEmail(value) };
  if (/\s/.test(value)) throw new UsageError(`no member is called '${text}'`, { hint: FORMS });
  return { kind: 'name', name: value };
}

export function describeReference(reference: MemberReference): string {
  switch (reference.kind) {
    case 'membership':
    case 'user':
      return reference.id;
    case 'email':
      return reference.email;
    case 'name':
      return reference.name;
  }
}
