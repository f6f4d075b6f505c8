/** A token of the service, one of the sandbox, and one of every sign that has a meaning somewhere. */
export const SECRETS = [
  'Abc9defGhiJklm.atlasv1.zq0123456789GHIJKLMNOPQRSTUVWXYZabcdefghijKLmnOPqrST',
  `sandbox.${'Ab3dEf9h'.repeat(7)}`,
  'aB3+/=%"&<\\-012.xyz~Qw?;:,*>_!(Zz){}[]|^#$@`\'kk00lkJ',
];

/** The forms in which programs write a text that they were given. */
export const FORMS: readonly (readonly [name: string, write: (secret: string) => string])[] = [
  ['as it is', (secret) => secret],
  ['in capitals', (secret) => secret.toUpperCase()],
  ['in small letters', (secret) => secret.toLowerCase()],
  ['in a header', (secret) => `authorization: Bearer ${secret}`],
  ['percent-encoded', encodeURIComponent],
  [
    'percent-encoded in small letters',
    (secret) => encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  ],
  ['percent-encoded twice', (secret) => encodeURIComponent(encodeURIComponent(secret))],
  ['percent-encoded where it need not be', (secret) => signs(secret, (code) => `%${hex(code, 2).toUpperCase()}`)],
  ['percent-encoded as a whole', (secret) => all(secret, (code) => `%${hex(code, 2)}`)],
  [
    'in the path of a URL',
    (secret) => new URL(`http://a.test/${secret.replaceAll(/[?#]/g, encodeURIComponent)}/`).href,
  ],
  ['as JSON', (secret) => JSON.stringify({ secret })],
  ['as JSON in JSON', (secret) => JSON.stringify(JSON.stringify({ secret }))],
  ['as JSON in JSON in JSON', (secret) => JSON.stringify(JSON.stringify(JSON.stringify({ secret })))],
  ['with slashes escaped', (secret) => JSON.stringify(secret).replaceAll('/', '\\/')],
  ['with escapes by number', (secret) => signs(secret, (code) => `\\u${hex(code, 4)}`)],
  ['with escapes by number as a whole', (secret) => all(secret, (code) => `\\u${hex(code, 4)}`)],
  ['with escapes of two digits', (secret) => all(secret, (code) => `\\x${hex(code, 2)}`)],
  ['as HTML', (secret) => html(secret)],
  ['as HTML twice', (secret) => html(html(secret))],
  ['as HTML by number', (secret) => signs(secret, (code) => `&#${code};`)],
  ['as HTML by hexadecimal number', (secret) => all(secret, (code) => `&#x${hex(code, 2).toUpperCase()};`)],
  ['as HTML by number, without semicolons', (secret) => all(secret, (code) => `&#${code}`)],
  ['in hexadecimal', (secret) => toText(secret, 'hex')],
  ['in hexadecimal capitals', (secret) => toText(`Bearer ${secret} x`, 'hex').toUpperCase()],
  ['in hexadecimal in groups', (secret) => toText(secret, 'hex').replaceAll(/.{4}/g, '$& ')],
  ['in base64', (secret) => toText(secret, 'base64')],
  ['in base64 behind one more', (secret) => toText(`x${secret}, and more`, 'base64')],
  ['in base64 behind two more', (secret) => toText(`xx${secret}, and more`, 'base64')],
  ['in base64url', (secret) => toText(`Bearer ${secret}`, 'base64url')],
  ['in base64, percent-encoded', (secret) => encodeURIComponent(toText(`Bearer ${secret}`, 'base64'))],
  ['in base64, slashes escaped', (secret) => toText(`user:${secret}`, 'base64').replaceAll('/', '\\/')],
  ['in base64, broken into lines', (secret) => toText(`Bearer ${secret}`, 'base64').replaceAll(/.{20}/g, '$&\r\n')],
  [
    'in base64, broken into lines, as JSON',
    (secret) => JSON.stringify(toText(secret, 'base64').replaceAll(/.{16}/g, '$&\n')),
  ],
  ['broken into two lines', (secret) => `${secret.slice(0, 21)}\n${secret.slice(21)}`],
  ['broken into lines that are set in', (secret) => secret.replaceAll(/.{13}/g, '$&\n    ')],
  ['a character a line', (secret) => [...secret].join('\n')],
  ['cut off after 12 characters', (secret) => `${secret.slice(0, 12)}…`],
  ['cut off after 40 characters', (secret) => secret.slice(0, 40)],
  ['cut off in an escape', (secret) => `${encodeURIComponent(secret.slice(0, 20))}%2`],
  ['cut off in hexadecimal', (secret) => toText(secret, 'hex').slice(0, 40)],
  ['cut off in base64', (secret) => toText(`Bearer ${secret}`, 'base64').slice(0, 36)],
  ['cut off in front', (secret) => `…${secret.slice(20)}`],
  ['cut off in front, in base64', (secret) => toText(secret, 'base64').slice(17)],
  ['cut off at both ends', (secret) => `…${secret.slice(8, 40)}…`],
  ['in a table, a part a row', (secret) => (secret.match(/.{1,30}/g) ?? []).map((part) => `| ${part} |`).join('\n')],
  ['cut off and whole', (secret) => `${secret.slice(0, 30)}${secret}`],
];

function signs(text: string, write: (code: number) => string): string {
  return text.replaceAll(/[^A-Za-z0-9]/g, (sign) => write(sign.charCodeAt(0)));
}

function all(text: string, write: (code: number) => string): string {
  return Array.from(text, (character) => write(character.charCodeAt(0))).join('');
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

function toText(text: string, encoding: BufferEncoding): string {
  return Buffer.from(text).toString(encoding);
}

function html(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
