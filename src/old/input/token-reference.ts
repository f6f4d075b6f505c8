import { UsageError } from '../errors.ts';

/** How a token is named on the command line. */
export type TokenReference =
  | { readonly kind: 'audit-trail' | 'organization' }
  /** `team` by name or id. Without a description it is the one token of the team that has none. */
  | { readonly kind: 'team'; readonly team: string; readonly description: string | null }
  /** One with a description. */
  | { readonly kind: 'id'; readonly id: string };

const FORMS = 'Use audit-trail, organization, team:<team>, team:<team>/<description>, or an id (at-…).';

/** Throws UsageError naming the text when it can be none of these. */
export function parseTokenReference(text: string): TokenReference {
  const given = text.trim();
  if (given === 'audit-trail' || given === 'organization') return { kind: given };
  if (/^at-[A-Za-z0-9]+$/.test(given)) return { kind: 'id', id: given };
  const rest = given.startsWith('team:') ? given.slice('team:'.length) : '';
  // No name of a team has a slash.
  const slash = rest.indexOf('/');
  const team = slash === -1 ? rest : rest.slice(0, slash);
  if (team === '' || /\p{Cc}/u.test(rest)) {
    // A word alone is a description as tables show it, or the name of a team.
    const isWord = !given.includes(':') && !given.includes('/') && given !== '' && !/\p{Cc}/u.test(given);
    throw new UsageError(`no token is called '${text}'`, {
      hint: isWord
        ? `A team's token with this description is team:<team>/${given}; a team of this name has team:${given}. See all:`
        : FORMS,
      next: isWord ? [['orgctl', 'tokens', 'list']] : [],
    });
  }
  return { kind: 'team', team, description: slash === -1 ? null : rest.slice(slash + 1) };
}

/** As it is written on the command line. */
export function describeTokenReference(reference: TokenReference): string {
  switch (reference.kind) {
    case 'team':
      return `team:${reference.team}${reference.description === null ? '' : `/${reference.description}`}`;
    case 'id':
      return reference.id;
    default:
      return reference.kind;
  }
}

/** What a rotation puts behind a description: the day, and letters that no one else draws. */
const SUFFIX = /(?:^| )\d{4}-\d{2}-\d{2}-[0-9a-z]{13,}$/;

/** A description without what a rotation put behind it. */
export function toBaseDescription(description: string): string {
  return description.replace(SUFFIX, '');
}

/** The next description of a token. `letters`: of 64 random bits or more. */
export function toNewDescription(base: string, now: number, letters: string): string {
  return `${base === '' ? '' : `${base} `}${new Date(now).toISOString().slice(0, 10)}-${letters}`;
}
