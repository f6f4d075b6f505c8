import type { Token } from '../../../api/tokens.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { formatTime } from '../../../lib/time.ts';
import type { Sentence } from '../../../output/messages.ts';
import type { Place } from '../../../places/place.ts';
import { describeToken, nameParts } from '../../../tokens/token.ts';

/** `current` is the id of the current token: null for none, undefined if it is not known. */
export function createQuestion(token: Token, current?: string | null): string {
  const { owner, noun } = nameParts(token, 'new');
  const isBeside = token.kind === 'described';
  const create = isBeside ? `Create a ${noun} in ${owner}` : `Create ${owner}'s ${noun}`;
  if (current === null) return `${create}?`;
  if (isBeside) return `${create}, and delete the current one when it works?`;
  return `${describeToken(token, 'current')} stops working at once. Replace it?`;
}

export function createDeletionQuestion(token: Token, ids: string[]): string {
  const { owner, noun } = nameParts(token);
  return `Delete the old ${noun} in ${owner} (${ids.join(', ')})?`;
}

export function createSentence(
  { token, places, isFirst }: { token: Token; places: Place[]; isFirst?: boolean },
  { result, 'expired-at': expiredAt }: JsonObject,
  now: number,
): Sentence {
  const name = describeToken(token);
  const to = places.map((place) => place.name).join(', ');
  switch (result) {
    case 'planned':
      return { sign: 'Would', text: `${isFirst ? 'create' : 'replace'} ${name}, and deliver the new one to ${to}` };
    case 'unchanged': {
      const end = typeof expiredAt === 'string' ? `: it expires ${formatTime(expiredAt, now)}` : '';
      return { sign: '=', text: `${name} is not due${end}` };
    }
    case 'delivered':
      return { sign: '✓', text: `Delivered ${name}, which an earlier run created, to ${to}` };
    default:
      return { sign: '✓', text: `${isFirst ? 'Created' : 'Rotated'} ${name}, and delivered it to ${to}` };
  }
}
