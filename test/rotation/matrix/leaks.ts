/** Whether a secret is in a text, in the ways it could get there. */

/** A shorter piece of base64 could as well be anything else. */
const SHORTEST = 12;

/** The names of the ways in which this text holds the secret. Line breaks are looked past too. */
export function findLeaks(text: string, secret: string): readonly string[] {
  const joined = text.replaceAll('\n', '');
  return toForms(secret)
    .filter(([, form]) => text.includes(form) || joined.includes(form))
    .map(([name]) => name);
}

function toForms(secret: string): readonly (readonly [name: string, form: string])[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((shift) => ['base64', toInner(bytes, shift)] as const);
  const half = secret.length >> 1;
  return [
    ['text', secret],
    ['first half', secret.slice(0, half)],
    ['second half', secret.slice(half)],
    ['URL', encodeURIComponent(secret)],
    ['URL in small letters', encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ['hexadecimal', bytes.toString('hex')],
    ['hexadecimal in capitals', bytes.toString('hex').toUpperCase()],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    ...base64,
    ...base64.map(([, form]) => ['base64url', form.replaceAll('+', '-').replaceAll('/', '_')] as const),
  ].filter(([, form]) => (form ?? '').length >= SHORTEST) as readonly (readonly [string, string])[];
}

/** What is the same whatever stands before, in this alignment, and behind. */
function toInner(bytes: Buffer, shift: number): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString('base64')
    .replaceAll('=', '');
  return text.slice(Math.ceil((shift * 4) / 3), text.length - 1);
}
