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

/** The body as it may be shown: JSON with every secret replaced, anything else only by its length. */
export function redactBody(text: string, secrets: readonly string[] = []): string {
  if (text === '') return '';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `(${Buffer.byteLength(text)} bytes that are not JSON)`;
  }
  const shown = JSON.stringify(value, (name, member) =>
    SECRET_NAMES.has(name.toLowerCase().replaceAll('_', '-')) && member !== null ? REMOVED : member,
  );
  return redactText(shown, secrets);
}

/** The text with each known secret replaced, also where it is percent-encoded or escaped as in JSON. */
export function redactText(text: string, secrets: readonly string[]): string {
  return (
    secrets
      .filter((secret) => secret !== '')
      .flatMap(toForms)
      // A secret may begin like another one, whose rest would stay.
      .sort((one, other) => other.length - one.length)
      .reduce((shown, secret) => shown.replaceAll(secret, REMOVED), text)
  );
}

function toForms(secret: string): readonly string[] {
  const encoded = /\p{Surrogate}/u.test(secret) ? [] : [encodeURIComponent(secret)];
  return [secret, JSON.stringify(secret).slice(1, -1), ...encoded];
}
