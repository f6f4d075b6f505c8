import { plural } from '../lib/text.ts';
import { formatTime } from '../lib/time.ts';
import type { Sentence } from '../output/messages.ts';
import type { Place } from '../tokens/places/index.ts';
import { describeToken, isDescribed, type NamedToken } from '../tokens/token.ts';

export interface RotatedToken {
  token: NamedToken;
  places: Place[];
  /** There was no token before. */
  isFirst?: boolean;
}

export function createQuestion(tokens: NamedToken[], current?: string | null): string {
  const [first] = tokens;
  if (!first || tokens.length > 1) return `${plural(tokens.length, 'token')} will be replaced. Go on?`;
  const isBeside = isDescribed(first);
  const create = isBeside
    ? `Create a ${describeToken(first, 'new')} in ${first.org}`
    : `Create ${describeToken(first, 'new')}`;
  if (current === null) return `${create}?`;
  if (isBeside) return `${create}, and delete the current one when it works?`;
  const [, ...name] = describeToken(first, 'current').split(`${first.org}'s `);
  return `${first.org}'s ${name.join('')} stops working at once. Replace it?`;
}

export function createDeletionQuestion(token: NamedToken, ids: string[]): string {
  return `Delete the old ${describeToken(token)} in ${token.org} (${ids.join(', ')})?`;
}

export function createSentence(
  { token, places, isFirst }: RotatedToken,
  row: Record<string, unknown>,
  now: number,
): Sentence {
  const expires = row['expired-at'];
  const name = describeToken(token);
  const to = places.map((place) => place.name).join(', ');
  switch (row.result) {
    case 'planned':
      return { sign: 'Would', text: `${isFirst ? 'create' : 'replace'} ${name}, and deliver the new one to ${to}` };
    case 'unchanged':
      return {
        sign: '=',
        text: `${name} is not due${typeof expires === 'string' ? `: it expires ${formatTime(expires, now)}` : ''}`,
      };
    case 'delivered':
      return { sign: '✓', text: `Delivered ${name}, which an earlier run created, to ${to}` };
    default:
      return { sign: '✓', text: `${isFirst ? 'Created' : 'Rotated'} ${name}, and delivered it to ${to}` };
  }
}
