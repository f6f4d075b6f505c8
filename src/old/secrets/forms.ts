import { addToGroup, type Group } from '../groups.ts';
import { once } from '../once.ts';
import { createGaps, findCutOff, type Gaps, MOST_BACKSLASHES, readCharacter, toSmall } from './writing.ts';

/**
 * In which forms a secret may appear. Services, proxies and programs in between repeat what they were given: as it was,
 * encoded on the way, spread over lines, or cut off. No search would find what is hidden on purpose.
 */

export const REMOVED = '[removed]';

export interface Found {
  readonly start: number;
  readonly end: number;
}

/** A search from left to right, in time that grows with the text, and in turns, since a text may be long. */
export interface Search {
  /** Goes on for about so many steps, of some tenths of a microsecond, and returns how many it took. */
  advance(steps: number): number;
  readonly isDone: boolean;
  /** Secrets and pieces of them, as far as the search came. */
  readonly found: readonly Found[];
  /** What begins before this place is known. */
  readonly reached: number;
  /** Where the text ends in what may go on as a secret; undefined where it does not, and before all is searched. */
  readonly open: number | undefined;
}

/** All forms of some secrets. */
export interface Forms {
  /**
   * False where there surely is no secret in the text: much quicker than a search. Overlooked are pieces of a secret that
   * was cut off at both ends.
   */
  mayHold(text: string): boolean;
  search(text: string): Search;
}

/** A shorter secret is a word of ordinary texts. In characters that are no blanks. */
export const SHORTEST_SECRET = 8;
/** Of a longer secret only so much is looked for, and the word it stands in. Far longer than any token. In characters. */
const LONGEST_SECRET = 16_384;
/** A shorter piece of a secret is found in ordinary texts. In characters. */
const SHORTEST_PIECE = 12;
/** So many pieces of one form are looked for. More would hide no more of any token there is. */
const MOST_PIECES = 16;
/** So many characters behind a line break are no chance. */
const SHORTEST_AFTER_GAP = 4;
/** So many readings of one text are followed at once. */
const MOST_PLACES = 16;
const WORD = /[\w.~%+/=-]/;
/** So many characters are passed over in the time of one step. */
const PASSED_A_STEP = 16;

/** One way a secret may be written, before single characters are escaped. */
interface Form {
  readonly written: readonly string[];
  /** What is written, in small letters. */
  readonly characters: readonly string[];
  /** Of each character, its first unit. */
  readonly codes: Uint16Array;
  readonly isBase64: boolean;
  readonly isPart: boolean;
  /** So many characters of it in a row give the secret away. */
  readonly least: number;
}

/** What is searched, and how many steps that took. */
interface Searched {
  readonly text: string;
  /** Where an escaped character begins that the text may end in: anything may follow there. */
  readonly cutOff: number;
  readonly gaps: Gaps;
  steps: number;
}

interface Piece {
  readonly form: Form;
  readonly from: number;
}

interface Attempt {
  readonly from: number;
  readonly isWhole: boolean;
  readonly isEnough: boolean;
  readonly end: number;
  /** Whether the text ended before the form did. */
  readonly ranOut: boolean;
}

export function createForms(secrets: readonly string[]): Forms {
  const all = secrets.flatMap(toForms);
  // Most answers never come as far as a search.
  const index = once(() => createIndex(all.flatMap(toPieces)));
  const gates = all.length === 0 ? [] : createGates(all);
  return {
    mayHold: (text) => gates.some((gate) => gate.test(text)),
    search: (text) => createSearch(text, index()),
  };
}

function createSearch(text: string, index: Index): Search {
  const gaps = createGaps(text, () => {
    searched.steps += 1;
  });
  const searched: Searched = { text, cutOff: findCutOff(text), gaps, steps: 0 };
  const found: Found[] = [];
  let open: number | undefined;
  /** Where the last one that was found ends. */
  let before = 0;
  let at = 0;

  function look(): void {
    const attempts = index.piecesAt(text, at).map((piece) => follow(searched, at, piece));
    const best = attempts.filter(({ isEnough }) => isEnough).sort((one, other) => other.end - one.end)[0];
    if (best === undefined) {
      if (attempts.some(({ from, ranOut }) => from === 0 && ranOut)) open ??= at;
      at += 1;
      return;
    }
    // What stands before a piece from the middle of a secret is a part of it too.
    const start = best.from === 0 ? at : findWord(text, before, at);
    if (best.ranOut) open ??= start;
    at = best.isWhole ? best.end : skipWord(text, best.end);
    before = at;
    found.push({ start, end: at });
  }

  return {
    advance(steps) {
      searched.steps = 0;
      while (at < text.length && searched.steps < steps) {
        const until = Math.min(text.length, at + steps * PASSED_A_STEP);
        const next = index.next(text, at, until);
        searched.steps += 1 + Math.floor((next - at) / PASSED_A_STEP);
        at = next;
        if (next < until) look();
      }
      return searched.steps;
    },
    get isDone() {
      return at >= text.length;
    },
    found,
    get reached() {
      return at >= text.length ? at : findWord(text, before, at);
    },
    get open() {
      if (at < text.length) return undefined;
      return open ?? (searched.cutOff < text.length && searched.cutOff >= before ? searched.cutOff : undefined);
    },
  };
}

export function cutOut(text: string, found: readonly Found[]): string {
  if (found.length === 0) return text;
  const kept = found.map(({ start }, index) => text.slice(found[index - 1]?.end ?? 0, start));
  return [...kept, text.slice(found.at(-1)?.end)].join(REMOVED);
}

function findWord(text: string, from: number, end: number): number {
  let start = end;
  while (start > from && WORD.test(text.charAt(start - 1))) start -= 1;
  return start;
}

function skipWord(text: string, from: number): number {
  let end = from;
  while (WORD.test(text.charAt(end))) end += 1;
  return end;
}

function toForms(secret: string): readonly Form[] {
  const isPart = secret.length > LONGEST_SECRET;
  const start = secret.slice(0, LONGEST_SECRET).trim();
  const bytes = Buffer.from(start);
  return [
    toForm([...start.replaceAll(/\s/g, '')], SHORTEST_PIECE, { isPart }),
    toForm([...bytes.toString('hex')], 2 * SHORTEST_PIECE, { isPart }),
    ...[0, 1, 2].map((before) => toForm(toBase64(bytes, before), (4 / 3) * SHORTEST_PIECE, { isPart, isBase64: true })),
  ];
}

function toForm(
  written: readonly string[],
  least: number,
  { isPart, isBase64 = false }: { readonly isPart: boolean; readonly isBase64?: boolean },
): Form {
  const characters = written.map(toSmall);
  const codes = Uint16Array.from(characters, (character) => character.charCodeAt(0));
  return { written, characters, codes, least: Math.min(least, written.length), isBase64, isPart };
}

/**
 * The part of the base64 that is always the same. `before`: how many other bytes come before these in their group of
 * three.
 */
function toBase64(bytes: Uint8Array, before: number): readonly string[] {
  const shifted = Buffer.concat([Buffer.alloc(before), bytes]);
  const [start, end] = [Math.ceil((before * 8) / 6), Math.floor((shifted.length * 8) / 6)];
  return [...shifted.toString('base64').slice(start, end)];
}

/** From the first character on, from some in the middle, and from where the last piece begins. */
function toPieces(form: Form): readonly Piece[] {
  const last = form.characters.length - form.least;
  const step = Math.max(form.least, Math.ceil(form.characters.length / MOST_PIECES));
  const starts = Array.from({ length: Math.ceil(last / step) }, (_, index) => index * step);
  const toContent = (from: number): string => form.characters.slice(from, from + form.least).join('');
  const froms = [...starts, last].filter((from) => from === 0 || !isWord(form.written.slice(from, from + form.least)));
  // Of a form that repeats itself, only the first of what is the same.
  const byContent = new Map(froms.reverse().map((from) => [toContent(from), from]));
  return [...byContent.values()].map((from) => ({ form, from }));
}

/** Whether a piece could be words, or a name: those of the sandbox's tokens are. What is made at random is more mixed. */
function isWord(characters: readonly string[]): boolean {
  const text = characters.join('');
  return !/\d/.test(text) && !(/[a-z]/.test(text) && /[A-Z]/.test(text));
}

/** As much of the form as stands there, in whatever way each character is written. */
function follow(searched: Searched, at: number, { form, from }: Piece): Attempt {
  const { cutOff, gaps } = searched;
  let places: readonly number[] = [at];
  let [to, ranOut] = [from, false];
  let gap = { to: from, end: at };
  for (; to < form.characters.length; to += 1) {
    let next = step(searched, places, form, to);
    const behind = to === from ? [] : places.flatMap(gaps.skip);
    if (next.length === 0) {
      next = step(searched, behind, form, to);
      if (next.length > 0) gap = { to, end: Math.max(...places) };
    }
    // Also where it could be read in another way: what begins an escaped character is one itself.
    ranOut ||= [...places, ...behind].some((start) => start >= cutOff);
    if (next.length === 0) break;
    places = next;
  }
  const isWhole = to === form.characters.length && !form.isPart;
  const isEnough = to - from >= form.least;
  // The next word of the text may happen to begin as what is missing of a secret that was cut off.
  const isByChance = !isWhole && !ranOut && to - gap.to < SHORTEST_AFTER_GAP && gap.to - from >= form.least;
  return { from, isWhole, isEnough, end: isByChance ? gap.end : Math.max(...places), ranOut };
}

function step(searched: Searched, places: readonly number[], form: Form, at: number): readonly number[] {
  const ends = new Set<number>();
  // One backslash stands for a run of them, escaped ones too. The loop also visits the places that it adds.
  const from = [...places];
  for (const place of from) {
    searched.steps += 1;
    for (const { character, end } of readCharacter(searched.text, place)) {
      if (!isSame(form, at, character) || ends.has(end)) continue;
      ends.add(end);
      if (character === '\\' && from.length < MOST_BACKSLASHES) from.push(end);
    }
  }
  if (ends.size <= MOST_PLACES) return [...ends];
  // Of a run of backslashes each one may be where the secret goes on, and most likely the end is.
  const sorted = [...ends].sort((one, other) => one - other);
  return sorted.filter((_end, index) => index < MOST_PLACES || index === sorted.length - 1);
}

/** Base64 has two ways to write two of its characters. */
function isSame({ characters, isBase64 }: Form, at: number, character: string): boolean {
  const wanted = characters[at];
  return wanted === character || (isBase64 && wanted === (character === '-' ? '+' : character === '_' ? '/' : ''));
}

const LETTERS_OF_GATE = 4;
/** What an entity begins with, escaped itself or not. */
const ENTITY = '&(?:amp;)*(?:#|[a-z]{2,4};)';

/** Found where a form begins, where the last piece of one does, or an escaped first character. One expression takes longer. */
function createGates(forms: readonly Form[]): readonly RegExp[] {
  const toGate = (form: Form, from: number): string =>
    Array.from({ length: LETTERS_OF_GATE }, (_, index) => form.characters[from + index] ?? '').reduceRight(
      (rest, character) => {
        const written = `(?:${toWritten(form, character).map(toUnits).join('|')})`;
        return rest.source === ''
          ? { character, source: written }
          : {
              character,
              source: `${written}(?:${rest.source}|[\\s\\\\]|${ENTITY}|${toPercent(form, rest.character)})`,
            };
      },
      { character: '', source: '' },
    ).source;
  const ends = forms.map(({ characters, least }) => characters.length - least);
  const firsts = forms.flatMap(({ characters }, index) => [characters[0] ?? '', characters[ends[index] ?? 0] ?? '']);
  const numbers = [...new Set(firsts.flatMap(toNumbers))];
  const escaped = [`%(?:25)*(?:${numbers.join('|')})`, '\\\\[uxb]', ENTITY];
  return [
    forms.map((form) => toGate(form, 0)),
    forms.map((form, index) => toGate(form, ends[index] ?? 0)),
    firsts.includes('\\') ? [...escaped, '[\\\\/]'] : escaped,
  ].map((sources) => new RegExp(sources.join('|'), 'i'));
}

/** A blank, this character, or one beyond ASCII: links are full of other escaped ones. */
function toPercent(form: Form, character: string): string {
  const numbers = toWritten(form, character).flatMap(toNumbers);
  return `%(?:25)*(?:0[9a-d]|20|[89a-f][\\da-f]|${numbers.join('|')})`;
}

/** The first byte of a character as it is escaped, in small letters and large ones. */
function toNumbers(character: string): readonly string[] {
  return [character, character.toUpperCase()].map((each) => (Buffer.from(each)[0] ?? 0).toString(16).padStart(2, '0'));
}

function toUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}

interface Index {
  /** The next place, from this one on, where a piece may begin; `until` where none does before it. */
  next(text: string, from: number, until: number): number;
  piecesAt(text: string, at: number): readonly Piece[];
}

const OTHER = 0;
/** What may stand between two characters, or begin the escaped form of one, by its code. */
const AFTER_ANY = [OTHER, ...toCodes('\t\n\v\f\r \\%&')];

/** Nearly all of a text is passed over by a look at two characters. */
function createIndex(pieces: readonly Piece[]): Index {
  const byFirst = new Map<string, Group<Piece>>();
  // The pieces by the code of the letter or digit that they begin with.
  const byCode: Piece[][] = Array.from({ length: 128 }, () => []);
  const pairs = new Uint8Array(128 * 128);
  const mark = (first: readonly number[], second: readonly number[]): void => {
    for (const one of first) for (const other of second) pairs[one * 128 + other] = 1;
  };
  for (const piece of pieces) {
    const { form, from } = piece;
    const [first = '', second = ''] = [form.characters[from], form.characters[from + 1]];
    for (const written of toWritten(form, first)) {
      addToGroup(byFirst, written, piece);
      mark(toCodes(written), [...AFTER_ANY, ...toWritten(form, second).flatMap(toCodes)]);
      for (const code of toCodes(written)) if (isPlain(code)) byCode[code]?.push(piece);
    }
    // Of a run of them only the first one counts.
    if (first === '\\') mark(toCodes('\\/'), ALL);
  }
  if (pieces.length > 0) {
    mark(toCodes('%'), toCodes('0123456789abcdef'));
    mark(toCodes('&'), toCodes('#abcdefghijklmnopqrstuvwxyz'));
    mark(toCodes('\\'), toCodes('uxb'));
  }
  return {
    next(text, from, until) {
      let one = text.charCodeAt(from);
      for (let at = from; at < until; at += 1) {
        const other = text.charCodeAt(at + 1);
        const isMarked = pairs[(one < 128 ? one << 7 : OTHER) | (other < 128 ? other : OTHER)] === 1;
        if (isMarked && (!isPlain(one) || byCode[one]?.some((piece) => mayFollow(text, at, piece)) === true)) return at;
        one = other;
      }
      return until;
    },
    piecesAt(text, at) {
      const code = text.charCodeAt(at);
      if (isPlain(code)) return byCode[code]?.filter((piece) => mayFollow(text, at, piece)) ?? [];
      const first = text.charAt(at);
      const isInRun = /[\\/]/.test(first) && /[\\/]/.test(text.charAt(at - 1)) && !/[uxb]/i.test(text.charAt(at + 1));
      if (isInRun) return byFirst.get(first === '/' ? '/' : '') ?? [];
      return [...new Set(readCharacter(text, at).flatMap(({ character }) => byFirst.get(character) ?? []))];
    },
  };
}

/** False where a letter or digit is another one: the quickest way to know. */
function mayFollow(text: string, at: number, { form, from }: Piece): boolean {
  for (let index = 0; index < form.least; index += 1) {
    const code = text.charCodeAt(at + index);
    if (!isPlain(code)) return true;
    if ((code | 32) !== form.codes[from + index] && code !== form.codes[from + index]) return false;
  }
  return true;
}

/** Of letters and digits, which are the same in every form unless all of it is escaped. */
function isPlain(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

const ALL = Array.from({ length: 128 }, (_, code) => code);

function toWritten({ isBase64 }: Form, character: string): readonly string[] {
  if (isBase64 && character === '+') return ['+', '-'];
  return isBase64 && character === '/' ? ['/', '_'] : [character];
}

function toCodes(characters: string): readonly number[] {
  return [...characters, ...characters.toUpperCase()].map((character) => {
    const code = character.charCodeAt(0);
    return code < 128 ? code : OTHER;
  });
}
