/**
 * What keeps secrets out of what is shown. Services, proxies and programs in between echo what they were sent, as it was
 * or encoded on the way, and the usual encodings are looked for. No search would find what is hidden on purpose.
 */

const REMOVED = '[removed]';

// Names whose value is a secret wherever it stands in a body.
const SECRET_NAMES = new Set([
  'token',
  'secret',
  'password',
  'authorization',
  'private-key',
  'access-token',
  'refresh-token',
]);

/** Encoded forms of a shorter secret, and beginnings of one, would be found in ordinary text. In characters. */
const SHORTEST_ENCODED = 8;
const SHORTEST_BEGINNING = 12;
/** A shorter token, which no service gives, could be a word of a result. In characters. */
const SHORTEST_TOKEN = 8;
/** What lies deeper is left out: a text can be nested deeper than the stack allows. */
const DEEPEST = 100;

/** Secrets to look for: as they are, or as `toSecretPattern` makes them ready where there is much to look through. */
type Secrets = readonly string[] | RegExp;

/** The text with each known secret replaced, also where it is encoded or cut off. */
export function redactText(text: string, secrets: Secrets): string {
  return text.replace(secrets instanceof RegExp ? secrets : toSecretPattern(secrets), REMOVED);
}

/** The body as it may be shown: JSON with every secret replaced, anything else only by its length. */
export function redactBody(text: string, secrets: Secrets = []): string {
  if (text === '') return '';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `(${Buffer.byteLength(text)} bytes that are not JSON)`;
  }
  return JSON.stringify(redactValue(value, secrets));
}

/** A value of JSON with each known secret replaced in every text and name, and whatever stands under a secret's name. */
export function redactValue(value: unknown, secrets: Secrets): unknown {
  const pattern = secrets instanceof RegExp ? secrets : toSecretPattern(secrets);
  const visit = (member: unknown, depth: number): unknown => {
    if (typeof member === 'string') return redactText(member, pattern);
    if (typeof member !== 'object' || member === null) return member;
    if (depth > DEEPEST) return '…';
    if (Array.isArray(member)) return member.map((item) => visit(item, depth + 1));
    return Object.fromEntries(
      Object.entries(member).map(([name, inner]) => [
        redactText(name, pattern),
        isSecretName(name) && inner !== null ? REMOVED : visit(inner, depth + 1),
      ]),
    );
  };
  return visit(value, 0);
}

/** An answer's text with each known secret replaced; JSON stays JSON. */
export function redactAnswer(text: string, pattern: RegExp): string {
  if (text.search(pattern) < 0) return text;
  try {
    return JSON.stringify(JSON.parse(text, (_name, member) => redactMember(member, pattern)));
  } catch {
    return redactText(text, pattern);
  }
}

function redactMember(member: unknown, pattern: RegExp): unknown {
  if (typeof member === 'string') return redactText(member, pattern);
  if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
  return Object.fromEntries(Object.entries(member).map(([name, inner]) => [redactText(name, pattern), inner]));
}

// Longer than any token: whatever is matched has to be remembered.
const NAMED = /"([\w-]+)"\s*:\s*"((?:[^"\\]|\\.){8,4096})/gs;

/** The texts that stand under a secret's name in JSON, cut off or not, but for those too short to be one. */
export function findSecrets(body: string): readonly string[] {
  return Array.from(body.matchAll(NAMED), ([, name = '', written = '']) =>
    isSecretName(name) ? [readEscapes(written)] : [],
  ).flat();
}

function readEscapes(written: string): string {
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return written;
  }
}

function isSecretName(name: string): boolean {
  return SECRET_NAMES.has(name.toLowerCase().replaceAll('_', '-'));
}

/** Finds the token that requests are sent with; undefined for one too short to be told from ordinary text. */
export function toTokenPattern(token = ''): RegExp | undefined {
  return token.length < SHORTEST_TOKEN ? undefined : toSecretPattern([token]);
}

/** Finds each of the secrets, in all its forms. */
export function toSecretPattern(secrets: readonly string[]): RegExp {
  const forms = [...new Set(secrets)]
    .filter((secret) => secret !== '')
    .flatMap(toForms)
    // A secret may begin like another one, whose rest would stay.
    .sort((one, other) => other.length - one.length);
  const beginnings = forms.flatMap((form) => form.beginning ?? []);
  const sources = [...forms.map(({ whole }) => whole), ...beginnings];
  // Digits of escapes may be capital or small, and the name of a host is always told in small letters.
  return new RegExp(sources.length === 0 ? '(?!)' : sources.join('|'), 'gi');
}

/** One way a secret may be written, as regular expressions. */
interface Form {
  readonly whole: string;
  /** As much of it as gives a secret away that was cut off, and what is left behind it; undefined for a short one. */
  readonly beginning: string | undefined;
  /** In characters. */
  readonly length: number;
}

function toForms(secret: string): readonly Form[] {
  // However many there are, escaping makes more of them.
  const plain = toForm(toPatterns(secret.replaceAll(/\\+/g, '\\')), SHORTEST_BEGINNING);
  if (secret.length < SHORTEST_ENCODED) return [plain];
  const hexadecimal = toForm([...Buffer.from(secret).toString('hex')], 2 * SHORTEST_BEGINNING);
  const base64 = [0, 1, 2].map((before) => toForm(toBase64Patterns(secret, before), (4 / 3) * SHORTEST_BEGINNING));
  return [plain, hexadecimal, ...base64];
}

/** `patterns`: one for each character. `least`: how many of them make a beginning. */
function toForm(patterns: readonly string[], least: number): Form {
  const { length } = patterns;
  return {
    whole: patterns.join(''),
    beginning: length > least ? `${patterns.slice(0, least).join('')}[\\w.~%+/=-]*` : undefined,
    length,
  };
}

/** In whatever way each character may be escaped: for JSON, for URLs, for HTML, and more than once. */
function toPatterns(text: string): readonly string[] {
  return [...text].map((character, index, all) => {
    if (/^[A-Za-z0-9]$/.test(character)) return character;
    const units = Array.from({ length: character.length }, (_, at) => `u${toHex(character.charCodeAt(at), 4)}`);
    const encoded = [
      Array.from(Buffer.from(character), (byte) => `%(?:25)*${toHex(byte, 2)}`).join(''),
      `&(?:amp;)*${toEntityPattern(character)};`,
    ].join('|');
    if (character === '\\') {
      // A URL's parser makes a slash of it. A run of them is read from its first one only, and not anew from each.
      return `${index === 0 ? '(?<![\\\\/])' : ''}(?:\\\\${units}|\\\\|/|${encoded})+`;
    }
    // Backslashes before the first character may stay, and those after a backslash belong to it.
    const optional = index === 0 || all[index - 1] === '\\' ? '' : '\\\\*';
    const literal = units.map((unit) => `\\${unit}`).join('');
    return `(?:${optional}${literal}|${optional}\\\\${units.join('\\\\+')}|${encoded})`;
  });
}

const ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

function toEntityPattern(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  const name = ENTITIES[character];
  return `(?:#0*${point}|#x0*${toHex(point, 1)}${name === undefined ? '' : `|${name}`})`;
}

function toHex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0');
}

/** What is the same of the secret's base64 wherever it stands, with so many bytes before it in its group of three. */
function toBase64Patterns(secret: string, before: number): readonly string[] {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
  const [start, end] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
  return [...bytes.toString('base64').slice(start, end)].map((character, index) => {
    // Lines are broken between groups of four.
    const gap = index > 0 && (start + index) % 4 === 0 ? '\\s*' : '';
    return gap + toBase64Pattern(character);
  });
}

function toBase64Pattern(character: string): string {
  if (character === '+') return '(?:[+-]|%(?:25)*2b)';
  if (character === '/') return '(?:\\\\*/|_|%(?:25)*2f)';
  return character;
}
