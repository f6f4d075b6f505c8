import { UsageError } from '../errors.ts';
import { isObject } from '../json-object.ts';
import {
  ALL_KEYS,
  type PeopleFile,
  type PeopleRules,
  parsePeople,
  readJson,
  refuseProblems,
  toPeople,
} from '../people/parse-people-file.ts';

/** A roster: who should be in an organization, and in which teams. YAML, JSON, or CSV of the same rows. */

const FORM = 'Give members: with a list of {email: ana@example.com, teams: [platform]}.';
const YAML_HINTS = {
  form: 'Write - email: ana@example.com, and below it teams: [platform], under members:.',
  spelledOut: 'Write the teams out for each person.',
};

const RULES: PeopleRules = { teams: false, keys: ALL_KEYS, once: true };

/**
 * `name` is the file's name, and what messages call it: how it ends decides what it is, and otherwise how the text begins.
 * Throws UsageError for what is no roster; what is wrong in its rows is among the problems.
 */
export async function parseRoster(text: string, name: string): Promise<PeopleFile> {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (plain.trim() === '') throw new UsageError(`${name} is empty`, { hint: FORM });
  const kind = toKind(plain, name);
  if (kind === 'csv') return parsePeople(plain, name, RULES);
  if (kind === 'json') return toPeople(toMembers(readJson(plain, name, FORM), name), name, RULES);
  const { parseYaml } = await import('../input/yaml.ts');
  const { value, lineOf } = parseYaml(plain, name, YAML_HINTS);
  const members = toMembers(value, name);
  const path = Array.isArray(value) ? [] : ['members'];
  return toPeople(members, name, RULES, (entry) => lineOf([...path, entry - 1]));
}

/** Throws UsageError that names everything wrong in a roster. */
export function refuseRoster({ kind, problems }: Pick<PeopleFile, 'kind' | 'problems'>, name: string): void {
  refuseProblems({ kind, problems }, name, kind === 'csv' ? undefined : FORM);
}

function toKind(text: string, name: string): PeopleFile['kind'] {
  const [, ending] = /\.(ya?ml|json|csv)$/i.exec(name) ?? [];
  if (ending !== undefined) return /^y/i.test(ending) ? 'yaml' : (ending.toLowerCase() as PeopleFile['kind']);
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
