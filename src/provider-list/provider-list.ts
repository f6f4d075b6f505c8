import { UsageError } from '../errors.ts';
import { parseYaml } from '../input/yaml.ts';
import { isObject } from '../json-object.ts';
import { foldName, isNameSafe, sortNames } from '../names.ts';
import {
  type AddressContext,
  OTHER_NAMESPACE,
  type ProviderAddress,
  toAddresses,
  toAddressKey,
} from '../resources/provider-address.ts';
import { countThings, formatCount } from '../text/count.ts';

/** The providers that organizations should list: YAML, or JSON, which is YAML too. */

interface Entry {
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

export interface WantedProvider {
  readonly address: ProviderAddress;
  readonly line: number;
  /** A name alone. */
  readonly isBare?: boolean | undefined;
}

export interface ProviderList {
  /** The organizations that the file names, by name; undefined where it has one list for whichever is asked for. */
  readonly organizations: readonly string[] | undefined;
  /**
   * What an organization should list, each provider once. `folded`: how many entries repeat one. Throws UsageError whose
   * reasons hold every entry that isn't one of this organization.
   */
  resolve(organization: string): { readonly wanted: readonly WantedProvider[]; readonly folded: number };
}

const FORM =
  'Give providers: with a list of addresses such as hashicorp/aws, or organizations: with such a list for each.';
const HINTS = { form: FORM, spelledOut: 'Write the providers out for each organization.' };
const MOST_ENTRIES = 100_000;

export interface Problem {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/**
 * `name` is what messages call the text. `organization` is asked where the text names none: undefined for several. Throws
 * UsageError whose reasons hold everything in it that can't be used.
 */
export function parseProviderList(
  text: string,
  name: string,
  { organization, serviceHost }: { readonly serviceHost: string; organization(): string | undefined },
): ProviderList {
  if (text.trim() === '') throw new UsageError(`${name} is empty`, { hint: FORM });
  const { value, lineOf } = parseYaml(text, name, HINTS);
  if (!isObject(value)) throw new UsageError(`${name} is not a list of providers`, { hint: FORM });
  const problems: Problem[] = [];
  const report = (path: readonly (string | number)[], problem: string, part: 'key' | 'value' = 'value'): void => {
    problems.push({ line: lineOf(path, part), text: problem });
  };
  const refuseOthers = (owner: object, path: readonly string[], known: readonly string[]): void => {
    for (const key of Object.keys(owner)) {
      if (!known.includes(key)) report([...path, key], `${key} is not known here; ${known[0]} is`, 'key');
    }
  };
  const readEntries = (list: unknown, path: readonly string[]): readonly Entry[] => {
    if (!Array.isArray(list)) {
      const how = list === null ? 'is empty: write [] for no provider' : 'is not a list';
      report(path, `providers ${how}`, 'key');
      return [];
    }
    return list.flatMap((item: unknown, index) => {
      const line = lineOf([...path, index]);
      if (typeof item === 'string') return [{ text: item, line }];
      problems.push({ line, text: 'is not an address' });
      return [];
    });
  };

  const lists = new Map<string, readonly Entry[]>();
  const { organizations } = value;
  const isSeveral = organizations !== undefined;
  refuseOthers(value, [], isSeveral ? ['organizations', '$schema'] : ['providers', 'organizations', '$schema']);
  if (isSeveral) {
    if (isObject(organizations)) {
      readOrganizations(organizations, { lists, report, refuseOthers, readEntries });
    } else report(['organizations'], 'organizations is not a list of names, each with providers', 'key');
  } else if ('providers' in value) lists.set('', readEntries(value['providers'], ['providers']));
  else if (problems.length === 0) throw new UsageError(`${name} has no providers`, { hint: FORM });
  const count = [...lists.values()].reduce((sum, entries) => sum + entries.length, 0);
  if (count > MOST_ENTRIES) {
    throw new UsageError(`${name} has more than ${formatCount(MOST_ENTRIES)} providers`, {
      hint: 'Split it into several files.',
    });
  }
  for (const [named, entries] of lists) {
    resolveEntries(entries, { organization: isSeveral ? named : organization(), serviceHost }, problems);
  }
  refuseLines(problems, name);
  return {
    organizations: isSeveral ? sortNames([...lists.keys()]) : undefined,
    resolve(asked) {
      const found: Problem[] = [];
      const entries = lists.get(isSeveral ? asked : '') ?? [];
      const wanted = resolveEntries(entries, { organization: asked, serviceHost }, found);
      refuseLines(found, name);
      return { wanted, folded: entries.length - wanted.length };
    },
  };
}

interface Reading {
  readonly lists: Map<string, readonly Entry[]>;
  report(path: readonly (string | number)[], problem: string, part?: 'key' | 'value'): void;
  refuseOthers(owner: object, path: readonly string[], known: readonly string[]): void;
  readEntries(list: unknown, path: readonly string[]): readonly Entry[];
}

function readOrganizations(organizations: Record<string, unknown>, reading: Reading): void {
  const { lists, report, refuseOthers, readEntries } = reading;
  const names = new Set<string>();
  for (const [organization, settings] of Object.entries(organizations)) {
    const path = ['organizations', organization];
    if (!isNameSafe(organization)) report(path, `'${organization}' can't be the name of an organization`, 'key');
    if (names.has(foldName(organization))) report(path, `${organization} is there twice`, 'key');
    names.add(foldName(organization));
    if (isObject(settings) && 'providers' in settings) {
      refuseOthers(settings, path, ['providers']);
      lists.set(organization, readEntries(settings['providers'], [...path, 'providers']));
    } else report(path, `${organization} has no providers: write providers: [] for none`, 'key');
  }
}

/** Without an organization, a private provider may be of any. */
function resolveEntries(
  entries: readonly Entry[],
  { organization, serviceHost }: { readonly organization: string | undefined; readonly serviceHost: string },
  problems: Problem[],
): readonly WantedProvider[] {
  const context: AddressContext = { organization: organization ?? '', serviceHost };
  const wanted = new Map<string, WantedProvider>();
  for (const { text, line } of entries) {
    try {
      for (const { address, isBare } of toAddresses([text], {}, context)) {
        const key = toAddressKey(address);
        const known = wanted.get(key);
        // A row with the whole address replaces one with the name alone.
        if (known === undefined || known.isBare === true) wanted.set(key, { address, line, isBare });
      }
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const isOfAnother = organization === undefined && error.code === OTHER_NAMESPACE;
      if (!isOfAnother) problems.push({ line, text: error.message });
    }
  }
  return [...wanted.values()];
}

/** All of them at once, each once: a list may be for several organizations. */
export function refuseLines(problems: readonly Problem[], name: string, hint = FORM): void {
  if (problems.length === 0) return;
  const sorted = [...problems].sort((one, other) => one.line - other.line);
  const reasons = [...new Set(sorted.map(({ line, text }) => `line ${line}: ${text}`))];
  const lines = new Set(problems.map(({ line }) => line)).size;
  throw new UsageError(`${name}: ${countThings(lines, 'line', 'lines')} can't be used`, {
    code: 'invalid-rows',
    reasons,
    hint: `Nothing was sent. ${hint}`,
  });
}
