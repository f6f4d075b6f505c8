import { REMOVED } from './forms.ts';

/** JSON as it may be shown. `redact` takes the known secrets out of a text. */

type Redact = (text: string) => string;

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
// Addresses with which anyone can put or get a file of a provider.
const ADDRESS_NAMES = new Set([
  'shasums-upload',
  'shasums-sig-upload',
  'provider-binary-upload',
  'shasums-download',
  'shasums-sig-download',
  'provider-binary-download',
  'download-url',
  'shasums-url',
  'shasums-signature-url',
]);
/** What lies deeper is left out: a text can be nested deeper than the stack allows. */
const DEEPEST = 100;

export function isSecretName(name: string): boolean {
  return SECRET_NAMES.has(toName(name));
}

function isLeftOut(name: string): boolean {
  return isSecretName(name) || isAddressName(name);
}

export function isAddressName(name: string): boolean {
  return ADDRESS_NAMES.has(toName(name));
}

function toName(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

/** A value of JSON with every text and name redacted, and whatever stands under a secret's name left out. */
export function redactValue(value: unknown, redact: Redact, redactName: Redact = redact): unknown {
  const visit = (member: unknown, depth: number): unknown => {
    if (typeof member === 'string') return redact(member);
    if (typeof member !== 'object' || member === null) return member;
    if (depth > DEEPEST) return '…';
    if (Array.isArray(member)) return member.map((item) => visit(item, depth + 1));
    return Object.fromEntries(
      Object.entries(member).map(([name, inner]) => [
        redactName(name),
        isLeftOut(name) && inner !== null ? REMOVED : visit(inner, depth + 1),
      ]),
    );
  };
  return visit(value, 0);
}

export function redactBody(text: string, redact: Redact, redactName: Redact = redact): string {
  if (text === '') return '';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `(${Buffer.byteLength(text)} bytes that are not JSON)`;
  }
  return JSON.stringify(redactValue(value, redact, redactName));
}

/** Work that is done in turns. */
export type Turns<T> = Generator<void, T>;

/** The text redacted; JSON stays JSON. What stands under a secret's name stays: it may be what was asked for. */
export function* redactJsonText(text: string, redact: (part: string) => Turns<string>): Turns<string> {
  try {
    JSON.parse(text);
  } catch {
    return yield* redact(text);
  }
  const parts: string[] = [];
  let end = 0;
  for (let start = text.indexOf('"'); start >= 0; start = text.indexOf('"', end)) {
    parts.push(text.slice(end, start));
    end = findEnd(text, start);
    const written = text.slice(start, end);
    const plain = JSON.parse(written) as string;
    const shown = yield* redact(plain);
    parts.push(shown === plain ? written : JSON.stringify(shown));
  }
  return parts.join('') + text.slice(end);
}

/** Behind the text of JSON that begins here. */
function findEnd(text: string, start: number): number {
  for (let mark = text.indexOf('"', start + 1); ; mark = text.indexOf('"', mark + 1)) {
    let backslashes = 0;
    while (text[mark - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return mark + 1;
  }
}
