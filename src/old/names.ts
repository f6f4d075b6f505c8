import { UsageError } from './errors.ts';

/** Names of organizations, teams and people, as the service compares them: without case. */

export function foldName(name: string): string;
export function foldName(name: string | undefined): string | undefined;
export function foldName(name: string | undefined): string | undefined {
  return name?.toLowerCase();
}

/** In a place or a path that is given: the name of the organization. */
export const ORGANIZATION_MARK = '{org}';
/** The same for the name of the team. */
export const TEAM_MARK = '{team}';

/** True also where neither name is known. */
export function isSameName(one: string | undefined, other: string | undefined): boolean {
  return one?.toLowerCase() === other?.toLowerCase();
}

/** Each name once, as it was written last. */
export function listDistinct(names: readonly string[], fold: (name: string) => string = foldName): readonly string[] {
  return [...new Map(names.map((name) => [fold(name), name])).values()];
}

/** Whether a name can be one segment of a path: dots would be folded away on the way, and reach something else. */
export function isNameSafe(name: string): boolean {
  return !['', '.', '..'].includes(name) && !/[\p{Surrogate}\p{Cc}]/u.test(name);
}

/** Without case, as the service compares them. */
export function sortNames(names: readonly string[]): readonly string[] {
  return names
    .map((name) => ({ name, key: foldName(name) }))
    .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
    .map(({ name }) => name);
}

/** Throws UsageError, with where the name came from unless the command line has it. `takesSeveral`: --orgs could stand there. */
export function checkOrganization(name: string, source = '--org', takesSeveral = false): void {
  const isList = name.includes(',');
  if (isNameSafe(name) && !isList) return;
  const from = source.startsWith('--') ? '' : ` (from ${source})`;
  throw new UsageError(`'${name}' can't be the name of an organization${from}`, {
    hint: isList ? hintOfList(name, source, takesSeveral) : 'Give the name as the service shows it.',
  });
}

function hintOfList(text: string, source: string, takesSeveral: boolean): string {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  if (!takesSeveral || !names.every((name) => /^[\w-]+$/.test(name))) return 'Give one name, without a comma.';
  const option = `--orgs ${names.join(',')}`;
  return source === '--org' ? `Did you mean ${option}?` : `${source} names one. Several are named by ${option}.`;
}
