import { UsageError } from '../errors.ts';
import { readJson } from '../input/json-lines.ts';
import { isObject } from '../json-object.ts';
import { foldName, isNameSafe, sortNames } from '../names.ts';
import { parsePeople, toList, toPeople } from '../people-files/parse-people-file.ts';
import { ALL_KEYS, type PeopleRules } from '../people-files/people-columns.ts';
import type { FileName, PeopleFile } from '../people-files/person-rows.ts';

/**
 * A roster: who should be in an organization, or in each of several, and in which teams. YAML, JSON, or CSV of the same rows.
 */

const FORM = 'Give members: with a list of {email: ana@example.com, teams: [platform]}.';
const YAML_HINTS = {
  form: 'Write - email: ana@example.com, and below it teams: [platform], under members:.',
  spelledOut: 'Write the teams out for each person.',
};

const RULES: PeopleRules = {
  teams: false,
  keys: ALL_KEYS,
  once: true,
  invites: true,
  uses: ['teams'],
};

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
    const file: FileName = {
      name,
      kind: lineOf === undefined ? 'json' : 'ndjson',
    };
    // Of several lists an entry has no number, but a line: JSON is YAML.
    if (!isObject(value) || !('organizations' in value)) {
      const { lists, ...roster } = readLists(alone ?? value, name);
      return {
        ...roster,
        ...toPeople(lists[0]?.members ?? [], file, RULES, lineOf),
      };
    }
  }
  const { parseYaml } = await import('../input/yaml.ts');
  const { value, lineOf } = parseYaml(text, name, YAML_HINTS);
  const { lists, ...roster } = readLists(value, name);
  const entries = lists.flatMap(({ members, organization, path }) =>
    members.map((entry, index) => ({
      entry,
      organization,
      path: [...path, index],
    })),
  );
  const people = toPeople(
    entries.map(({ entry }) => entry),
    { name, kind: 'yaml' },
    RULES,
    (entry) => lineOf(entries[entry - 1]?.path ?? []),
    (entry) => entries[entry - 1]?.organization,
  );
  return { ...roster, ...people };
}

export interface Roster extends PeopleFile {
  /** Which it is of, where it is of one and says so. */
  readonly organization?: string;
  /** Those that it has a list for each, by name. */
  readonly organizations?: readonly string[];
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

interface Lists extends Pick<Roster, 'organization' | 'organizations'> {
  readonly lists: readonly {
    /** Of several. */
    readonly organization?: string;
    readonly members: readonly unknown[];
    readonly path: readonly string[];
  }[];
}

/** A misspelt `members` must not pass for an empty list. */
function readLists(value: unknown, name: string): Lists {
  if (Array.isArray(value)) return { lists: [{ members: value, path: [] }] };
  if (!isObject(value)) throw new UsageError(`${name} is not a roster`, { hint: FORM });
  const { organization, organizations } = value;
  if ('organizations' in value) {
    refuseOtherKeys(value, ['organizations', '$schema'], name);
    if (!isObject(organizations)) {
      throw new UsageError(`${name}: organizations is not a list of names, each with members`, {
        hint: 'Write organizations:, below it acme:, and below that members:.',
      });
    }
    return readSeveral(organizations, name);
  }
  refuseOtherKeys(value, ['organization', 'members', '$schema'], name);
  if (organization !== undefined && !(typeof organization === 'string' && isNameSafe(organization))) {
    throw new UsageError(`${name}: organization is not a name`, {
      hint: 'Write organization: acme.',
    });
  }
  const list = { members: readMembers(value, name), path: ['members'] };
  return {
    lists: [list],
    ...(organization === undefined ? {} : { organization }),
  };
}

function readSeveral(organizations: Readonly<Record<string, unknown>>, name: string): Lists {
  const names = new Map<string, string>();
  const lists = Object.entries(organizations).map(([organization, own]) => {
    const called = `${name}: ${organization}`;
    if (!isNameSafe(organization)) {
      throw new UsageError(`${name}: '${organization}' can't be the name of an organization`, {
        hint: 'Give the name as the service shows it.',
      });
    }
    if (names.has(foldName(organization))) {
      throw new UsageError(`${called} is there twice`, {
        hint: 'Put its members into one list.',
      });
    }
    names.set(foldName(organization), organization);
    if (!isObject(own)) throw new UsageError(`${called} has no members`, { hint: EMPTY });
    refuseOtherKeys(own, ['members'], called);
    return {
      organization,
      members: readMembers(own, called),
      path: ['organizations', organization, 'members'],
    };
  });
  if (lists.length === 0) throw new UsageError(`${name} names no organization`, { hint: FORM });
  return { lists, organizations: sortNames([...names.values()]) };
}

const EMPTY = 'Write members: [] for no one.';

/** `called`: what messages call what holds them. */
function readMembers({ members }: Readonly<Record<string, unknown>>, called: string): readonly unknown[] {
  if (Array.isArray(members)) return members;
  throw new UsageError(
    members === undefined ? `${called} has no members` : `${called}: members is not a list`,
    // An empty `members:` is more often a mistake than a wish.
    { hint: members === null ? EMPTY : FORM },
  );
}

function refuseOtherKeys(value: object, known: readonly string[], called: string): void {
  const others = Object.keys(value).filter((key) => !known.includes(key));
  if (others.length === 0) return;
  throw new UsageError(`${called} has keys that a roster doesn't have: ${others.join(', ')}`, { hint: FORM });
}
