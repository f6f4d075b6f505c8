const REMOVED = '[removed]';
const MIN_LENGTH = 8;
const SECRET_NAMES = new Set(['token', 'secret', 'password', 'authorization', 'private-key', 'client-secret']);
/** Anyone who has these addresses can use them. */
const SECRET_LINK = /-(up|down)load$|^(download|shasums|shasums_signature)_url$/;

/** A secret as plain text, JSON, URLs and HTTP headers write it, alone or behind other text. */
function listEncodings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url');
    // What stands at the ends depends on the text around the secret.
    return before === 0 ? text : text.slice(before + 1, Math.floor(((before + bytes.length) * 4) / 3));
  });
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    encodeURI(secret),
    ...base64.flatMap((text) => [text, text.replaceAll('-', '+').replaceAll('_', '/')]),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
  ];
}

/** Finds a secret that was broken into lines, as `base64` does it. */
function createPattern(secret: string): RegExp {
  return new RegExp([...secret].map((character) => character.replace(/\W/, '\\$&')).join('\\r?\\n?'), 'g');
}

export type Redactor = ReturnType<typeof createRedactor>;

/** Removes known secrets from what is printed and logged. What the service said stays as it came until then. */
export function createRedactor() {
  const known = new Set<string>();
  const tokens = new Set<string>();

  function add(secret = '', list: Set<string>): void {
    if (secret.length >= MIN_LENGTH) for (const encoded of listEncodings(secret)) list.add(encoded);
  }

  const remove = (input: string, list: Set<string>): string =>
    [...list].reduce((result, secret) => {
      return result.replaceAll(input.includes('\n') ? createPattern(secret) : secret, REMOVED);
    }, input);

  /** For everything but results: stderr, logs, and errors. */
  const text = (input: string): string => remove(input, known);
  return {
    add(...secrets: (string | undefined)[]): void {
      for (const secret of secrets) add(secret, known);
    },
    /** Adds the token that makes the requests, which is removed from results too. */
    addToken(token: string | undefined): void {
      add(token, known);
      add(token, tokens);
    },
    text,
    /** Also removes the texts of members that are named like a secret or a secret address. */
    json<T>(value: T): T {
      if (value === undefined) return value;
      const redacted = JSON.stringify(value, (name, inner) => {
        if (typeof inner !== 'string') return inner;
        return SECRET_NAMES.has(name) || SECRET_LINK.test(name) ? REMOVED : text(inner);
      });
      return JSON.parse(redacted);
    },
    /** For results, which are data: removes only tokens that make requests. */
    result<T>(value: T): T {
      const json = JSON.stringify(value);
      return [...tokens].some((token) => json.includes(token)) ? JSON.parse(remove(json, tokens)) : value;
    },
  };
}
