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
  return isSecretName(name) || ADDRESS_NAMES.has(toName(name));
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

/** The text redacted; JSON stays JSON. What stands under a secret's name stays: it may be what was asked for. */
export function redactJsonText(text: string, redact: Redact): string {
  try {
    return JSON.stringify(JSON.parse(text, (_name, member) => redactMember(member, redact)));
  } catch {
    return redact(text);
  }
}

function redactMember(member: unknown, redact: Redact): unknown {
  if (typeof member === 'string') return redact(member);
  if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
  return Object.fromEntries(Object.entries(member).map(([name, inner]) => [redact(name), inner]));
}
