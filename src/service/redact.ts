const REMOVED = '[removed]';

// Attribute names whose value is a secret wherever it stands in a body.
const SECRET_NAMES = new Set([
  'token',
  'secret',
  'password',
  'authorization',
  'private-key',
  'access_token',
  'refresh_token',
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
    SECRET_NAMES.has(name.toLowerCase()) && typeof member === 'string' ? REMOVED : member,
  );
  return redactText(shown, secrets);
}

/** The text with each known secret replaced, also where it is percent-encoded. */
export function redactText(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .reduce((shown, secret) => shown.replaceAll(secret, REMOVED), text);
}
