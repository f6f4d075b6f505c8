import { UsageError } from '../errors.ts';
import { readJson } from '../input/json-lines.ts';
import { isObject } from '../json-object.ts';
import { isNameSafe } from '../names.ts';
import { parsePeople, toList, toPeople } from '../people-files/parse-people-file.ts';
import { ALL_KEYS, type PeopleRules } from '../people-files/people-columns.ts';
import type { FileName, PeopleFile } from '../people-files/person-rows.ts';

/** A roster: who should be in an organization, and in which teams. YAML, JSON, or CSV of the same rows. */

const FORM = 'Give members: with a list of {email: ana@example.com, teams: [platform]}.';
const YAML_HINTS = {
  form: 'Write - email: ana@example.com, and below it teams: [platform], under members:.',
  spelledOut: 'Write the teams out for each person.',
};

const RULES: PeopleRules = { teams: false, keys: ALL_KEYS, once: true, invites: true, uses: ['teams'] };

/**
 * `name` is the file's name, and what messages call it: how it ends decides what it is, and otherwise how the text begins.
 * Throws UsageError for what is no roster; what is wrong in its rows is among the problems.
 */
export async function parseRoster(text: string, name: string): Promise<Roster> {
  if (text.trim() === '') throw new UsageError(`${name} is empty`, { hint: FORM });
  const kind = toKind(text, name);
  if (kind === 'csv') return parsePeople(text, name, RULES);
  if (kind === 'json') {
    const { value, lineOf } = readJson(text, name, FORM);
    // What orgctl prints of one person stands alone.
    const alone = isObject(value) && !('members' in value) ? toList(value, RULES) : undefined;
    const { members, ...roster } = readMembers(alone ?? value, name);
    const file: FileName = { name, kind: lineOf === undefined ? 'json' : 'ndjson' };
    return { ...roster, ...toPeople(members, file, RULES, lineOf) };
  }
  const { parseYaml } = await import('../input/yaml.ts');
  const { value, lineOf } = parseYaml(text, name, YAML_HINTS);
  const { members, ...roster } = readMembers(value, name);
  const path = Array.isArray(value) ? [] : ['members'];
  return { ...roster, ...toPeople(members, { name, kind }, RULES, (entry) => lineOf([...path, entry - 1])) };
}

export interface Roster extends PeopleFile {
  /** Which it is of, where it says so. */
  readonly organization?: string;
}

/** What a right one is like; undefined for csv. */
export function describeRoster({ kind }: FileName): string | undefined {
  return kind === 'csv' ? undefined : FORM;
}

function toKind(text: string, name: string): 'csv' | 'json' | 'yaml' {
  const [, ending] = /\.(ya?ml|json|csv)$/i.exec(name) ?? [];
  if (ending !== undefined) return /^y/i.test(ending) ? 'yaml' : (ending.toLowerCase() as 'csv' | 'json');
  const start = text.replace(/^(?:\s*#.*(?:\r\n?|\n|$))+/, '').trimStart();
  if (/^[[{]/.test(start)) return 'json';
  return /^(?:---|%YAML|-\s|"?[\w$-]+"?\s*:)/.test(start) ? 'yaml' : 'csv';
}

/** A misspelt `members` must not pass for an empty list. */
function readMembers(
  value: unknown,
  name: string,
): { readonly organization?: string; readonly members: readonly unknown[] } {
  if (Array.isArray(value)) return { members: value };
  if (!isObject(value)) throw new UsageError(`${name} is not a roster`, { hint: FORM });
  if ('organizations' in value) {
    throw new UsageError(`${name} names several organizations, and a roster is of one`, {
      hint: 'Give a file for each, with organization: acme and members: at its top.',
    });
  }
  const unknown = Object.keys(value).filter((key) => !KEYS.has(key));
  if (unknown.length > 0) {
    throw new UsageError(`${name} has keys that a roster doesn't have: ${unknown.join(', ')}`, { hint: FORM });
  }
  const { members, organization } = value;
  if (organization !== undefined && !(typeof organization === 'string' && isNameSafe(organization))) {
    throw new UsageError(`${name}: organization is not a name`, { hint: 'Write organization: acme.' });
  }
  if (Array.isArray(members)) return { members, ...(organization === undefined ? {} : { organization }) };
  throw new UsageError(
    members === undefined ? `${name} has no members` : `${name}: members is not a list`,
    // An empty `members:` is more often a mistake than a wish.
    { hint: members === null ? 'Write members: [] for no one.' : FORM },
  );
}

const KEYS: ReadonlySet<string> = new Set(['organization', 'members', '$schema']);
