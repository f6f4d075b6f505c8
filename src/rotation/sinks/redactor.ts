/** Removes a secret from text that comes in pieces. */
export interface Redactor {
  /** The lines that can be shown by now. What may be the beginning of the secret is held back, with its line. */
  push(text: string): string;
  /** The rest. */
  end(): string;
}

const REMOVED = '[removed]';
/** A shorter piece of base64 could as well be anything else. */
const SHORTEST_PIECE = 8;
/** Far beyond any token. Looking for more would take too long. */
const LONGEST_SECRET = 4_096;

/**
 * Also removed: the secret as in JSON and in URLs, in hexadecimal and in base64, there also as a part of something
 * longer, and each of these spread over lines. With a secret longer than any token, no text is shown at all.
 */
export function createRedactor(secret: string): Redactor {
  if (secret.length > LONGEST_SECRET) return { push: () => '', end: () => '' };
  const forms = toForms(secret);
  const pattern = toPattern(forms);
  let pending = '';
  const take = (end: number): string => {
    const taken = pending.slice(0, end);
    pending = pending.slice(end);
    return taken.replace(pattern, REMOVED);
  };
  return {
    push(text) {
      pending += text;
      return take(findCut(pending, forms, pattern));
    },
    end: () => take(pending.length),
  };
}

function toForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const inUrl = /\p{Surrogate}/u.test(secret) ? secret : encodeURIComponent(secret);
  const base64 = [bytes.toString('base64').replaceAll('=', ''), ...[0, 1, 2].map((before) => toPiece(bytes, before))];
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    inUrl,
    inUrl.replace(/%[0-9A-F]{2}/g, (written) => written.toLowerCase()),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  // Line breaks are looked past, wherever they stand. A form may begin like another one, whose rest would stay.
  const bare = forms.map((form) => form.replaceAll('\n', '')).filter((form) => form !== '');
  return [...new Set(bare)].sort((one, other) => other.length - one.length);
}

/** What stays the same of the bytes in base64, with so many other bytes before them and any behind. */
function toPiece(bytes: Uint8Array, before: number): string {
  const whole = Buffer.concat([new Uint8Array(before), bytes]);
  const piece = whole.toString('base64').slice(Math.ceil((before * 4) / 3), Math.floor((whole.length * 4) / 3));
  return piece.length < SHORTEST_PIECE ? '' : piece;
}

function toPattern(forms: readonly string[]): RegExp {
  const toEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  // Without a form there is nothing to find: so says an empty class.
  return new RegExp(forms.map((form) => form.split('').map(toEscape).join('\\n*')).join('|') || '[]', 'g');
}

/** Where the text can be cut behind a line, so that the part before it needs nothing of what is still to come. */
function findCut(text: string, forms: readonly string[], pattern: RegExp): number {
  const found = [...text.matchAll(pattern)];
  let cut = findBeginning(text, forms);
  for (;;) {
    const end = text.slice(0, cut).lastIndexOf('\n') + 1;
    const crossed = found.find(({ index, 0: match }) => index < end && end < index + match.length);
    if (crossed === undefined) return end;
    cut = crossed.index;
  }
}

/** Where the text ends in the beginning of a form; its length when it does not. */
function findBeginning(text: string, forms: readonly string[]): number {
  const longest = forms[0]?.length ?? 0;
  // From the end backwards, as many characters as could be missing one of the longest form.
  let tail = '';
  let beginning = text.length;
  for (let at = text.length - 1; at >= 0 && tail.length < longest - 1; at -= 1) {
    if (text[at] === '\n') continue;
    tail = text[at] + tail;
    if (forms.some((form) => form.length > tail.length && form.startsWith(tail))) beginning = at;
  }
  return beginning;
}
