import { cutOut, type Forms, type Search } from './forms.ts';

/** What is held back at most, in characters: far more than a token in its longest form. */
const MOST_HELD = 16_384;

/** Takes secrets out of text that comes in pieces. */
export function createRedactor(getForms: () => Forms) {
  let pending = '';
  const search = (text: string): Search => {
    const search = getForms().search(text);
    search.advance(Number.POSITIVE_INFINITY);
    return search;
  };
  const take = (end: number): string => {
    const taken = pending.slice(0, end);
    pending = pending.slice(end);
    return cutOut(taken, search(taken).found);
  };
  return {
    /** What can be shown by now. What may go on as a secret is held back, as is a line without an end. */
    push(text: string): string {
      pending += text;
      const { found, open = pending.length } = search(pending);
      // What goes on in a line may turn out to be a piece of a secret.
      const cut = Math.min(open, pending.lastIndexOf('\n') + 1);
      // A cut through a secret would leave both parts.
      const start = found.find((one) => one.start < cut && cut < one.end)?.start ?? cut;
      return take(pending.length - start > MOST_HELD ? pending.length : start);
    },
    /** What was held back: nothing more comes, or not for a while. */
    flush: () => take(pending.length),
  };
}
