/** Somebody as a roster writes them. */
export interface RosterEntry {
  readonly email: string;
  /** Names or ids. */
  readonly teams: readonly string[];
}

/** What YAML reads as this text without quotation marks, whatever its version. */
const PLAIN = /^[A-Za-z][\w.+@/-]*$/;
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** A roster that reads back as these people. Ends with a newline. */
export function renderRoster(entries: readonly RosterEntry[], kind: 'yaml' | 'json'): string {
  if (kind === 'json') return `${JSON.stringify({ members: entries }, undefined, 2)}\n`;
  if (entries.length === 0) return 'members: []\n';
  return `members:\n${entries
    .map(({ email, teams }) => `  - email: ${toScalar(email)}\n    teams: [${teams.map(toScalar).join(', ')}]\n`)
    .join('')}`;
}

/** A JSON text is a quoted YAML text. */
function toScalar(text: string): string {
  return PLAIN.test(text) && !WORDS.test(text) ? text : JSON.stringify(text);
}
