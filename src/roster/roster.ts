import { OrgctlError, UsageError } from '../errors.ts';
import { isObject } from '../json-object.ts';
import { type PeopleFile, parsePeople, readJson, toPeople } from '../people/parse-people-file.ts';

/** A roster: everyone an organization should have, and their teams. YAML, JSON, or CSV of the same rows. */

/** Its `line` is the number of the entry where the roster is JSON. */
export interface Roster extends Omit<PeopleFile, 'kind'> {
  readonly kind: 'yaml' | 'json' | 'csv';
}

const FORM = 'Give members: with a list of {email: ana@example.com, teams: [platform]}.';
const YAML_HINTS = {
  form: 'Write - email: ana@example.com, and below it teams: [platform], under members:.',
  spelledOut: 'Write the teams out for each person.',
};

/**
 * `name` is the file's name, and what messages call it: how it ends decides what it is, and otherwise how the text begins.
 * Throws UsageError whose reasons hold every row that cannot be used.
 */
export async function parseRoster(text: string, name: string): Promise<Roster> {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (plain.trim() === '') throw new UsageError(`${name} is empty`, { hint: FORM });
  const kind = toKind(plain, name);
  if (kind === 'csv') return { ...parsePeople(plain, name, { teams: false }), kind };
  if (kind === 'json') return toPeople(toMembers(readJson(plain, name, FORM), name), name);
  const { parseYaml } = await import('../input/yaml.ts');
  const { value, lineOf } = parseYaml(plain, name, YAML_HINTS);
  const members = toMembers(value, name);
  const path = Array.isArray(value) ? [] : ['members'];
  return { ...parseYamlMembers(members, name, (entry) => lineOf([...path, entry - 1])), kind };
}

function toKind(text: string, name: string): Roster['kind'] {
  const [, ending] = /\.(ya?ml|json|csv)$/i.exec(name) ?? [];
  if (ending !== undefined) return /^y/i.test(ending) ? 'yaml' : (ending.toLowerCase() as Roster['kind']);
  const start = text.replace(/^(?:\s*#.*(?:\r\n?|\n|$))+/, '').trimStart();
  if (/^[[{]/.test(start)) return 'json';
  return /^(?:---|%YAML|-\s|"?[\w$-]+"?\s*:)/.test(start) ? 'yaml' : 'csv';
}

/** The list of people. A misspelt `members` must not pass for an empty list. */
function toMembers(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) throw new UsageError(`${name} is not a roster`, { hint: FORM });
  const unknown = Object.keys(value).filter((key) => key !== 'members' && key !== '$schema');
  if (unknown.length > 0) {
    throw new UsageError(`${name} has keys that a roster doesn't have: ${unknown.join(', ')}`, { hint: FORM });
  }
  const { members } = value;
  if (Array.isArray(members)) return members;
  throw new UsageError(
    members === undefined ? `${name} has no members` : `${name}: members is not a list`,
    // An empty `members:` is more often a mistake than a wish.
    { hint: members === null ? 'Write members: [] for no one.' : FORM },
  );
}

/** Entries are named by the lines they stand on. */
function parseYamlMembers(members: readonly unknown[], name: string, lineOf: (entry: number) => number): PeopleFile {
  try {
    const parsed = toPeople(members, name);
    return { ...parsed, rows: parsed.rows.map((row) => ({ ...row, line: lineOf(row.line) })) };
  } catch (error) {
    if (!(error instanceof OrgctlError) || error.code !== 'invalid-rows') throw error;
    throw new UsageError(error.message, {
      code: error.code,
      reasons: error.reasons.map((reason) =>
        reason.replace(/^entry (\d+)/, (_, entry) => `line ${lineOf(Number(entry))}`),
      ),
      hint: `Nothing was sent. ${FORM}`,
    });
  }
}
