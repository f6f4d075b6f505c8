/** What can be read in a text by decoding it in every usual way. */

/** The places where so many characters of the secret in a row can be read, small letters and capitals alike. */
export function findPieces(text: string, secret: string, length = 12): readonly string[] {
  const wanted = secret.toLowerCase();
  const readings = [...new Set(toReadings(text).map((reading) => reading.toLowerCase().replaceAll(/\s/g, '')))];
  return Array.from({ length: Math.max(1, wanted.length - length + 1) }, (_, at) =>
    wanted.slice(at, at + length),
  ).filter((piece) => readings.some((reading) => reading.includes(piece)));
}

/** The text as it is, and decoded. */
function toReadings(text: string): readonly string[] {
  // Most texts have nothing to decode.
  const unescaped = new Set([text, ...DECODINGS.flatMap((decode) => applyAgain(decode, text))]);
  return [...unescaped].flatMap((reading) => {
    const joined = reading.replaceAll(/\s|\\[nrt]/g, '');
    const runs = joined.match(/[A-Za-z0-9+/_-]{10,}/g) ?? [];
    return [
      reading,
      joined,
      ...runs.flatMap((run) => [0, 1, 2, 3].map((at) => Buffer.from(run.slice(at), 'base64').toString('latin1'))),
      ...runs.flatMap((run) => [0, 1].map((at) => Buffer.from(run.slice(at), 'hex').toString('latin1'))),
    ];
  });
}

const DECODINGS: readonly ((text: string) => string)[] = [
  (text) => text.replaceAll(/%([0-9a-f]{2})/gi, (_code, digits: string) => toCharacter(digits)),
  (text) =>
    text.replaceAll(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|(.))/gis, (_code, four?: string, two?: string, sign = '') =>
      (four ?? two) === undefined ? sign : toCharacter(four ?? two ?? ''),
    ),
  (text) =>
    text
      .replaceAll(/&#(x?)([0-9a-f]+);?/gi, (_code, x: string, digits: string) =>
        String.fromCharCode(Number.parseInt(digits, x === '' ? 10 : 16)),
      )
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&'),
];

function toCharacter(digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 16));
}

function applyAgain(decode: (text: string) => string, text: string): readonly string[] {
  const decoded: string[] = [];
  for (let next = decode(text); decoded.length < 4 && next !== (decoded.at(-1) ?? text); next = decode(next)) {
    decoded.push(next);
  }
  return decoded;
}
