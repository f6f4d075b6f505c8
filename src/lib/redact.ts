const REMOVED = '[removed]';
const MIN_LENGTH = 8;
const SECRET_NAMES = new Set(['token', 'secret', 'password', 'authorization', 'private-key', 'client-secret']);
/** Anyone who has these addresses can use them. */
const SECRET_LINK = /-(up|down)load$|^(download|shasums|shasums_signature)_url$/;

/** A secret as plain text, JSON, URLs and HTTP headers write it. */
function listEncodings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    encodeURI(secret),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
}

/** Removes known secrets from printed and logged text. */
export interface Redactor {
  add(...secrets: (string | undefined)[]): void;
  text(text: string): string;
  /** Also removes the texts of members that are named like a secret or a secret address. */
  json<T>(value: T): T;
}

export function createRedactor(): Redactor {
  const known = new Set<string>();

  function text(input: string): string {
    let result = input;
    for (const secret of known) result = result.replaceAll(secret, REMOVED);
    return result;
  }

  return {
    add(...secrets) {
      for (const secret of secrets) {
        if (secret && secret.length >= MIN_LENGTH) for (const encoded of listEncodings(secret)) known.add(encoded);
      }
    },
    text,
    json(value) {
      if (value === undefined) return value;
      const redacted = JSON.stringify(value, (name, inner) => {
        if (typeof inner !== 'string') return inner;
        return SECRET_NAMES.has(name) || SECRET_LINK.test(name) ? REMOVED : text(inner);
      });
      return JSON.parse(redacted);
    },
  };
}
