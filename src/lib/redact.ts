const REMOVED = '[removed]';
const MIN_LENGTH = 8;
const SECRET_NAMES = new Set(['token', 'secret', 'password', 'authorization', 'private-key', 'client-secret']);
/** Addresses that anyone who has them can use. */
const SECRET_LINK = /-(up|down)load$|^(download|shasums|shasums_signature)_url$/;

/** A secret as plain text and as JSON, URLs and HTTP headers write it. */
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

/** Removes known secrets from everything that is printed or logged. */
export interface Redactor {
  add(...secrets: (string | undefined)[]): void;
  text(text: string): string;
  /** Also removes every text under the name of a secret or a secret address. */
  json<T>(value: T): T;
}

export function createRedactor(): Redactor {
  const known = new Set<string>();

  function text(from: string): string {
    let result = from;
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
