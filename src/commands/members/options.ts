import type { Command } from 'commander';
import type { Context } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import type { FileReader } from '../../input/read-text.ts';
import { collectNames } from '../../input/repeatable.ts';
import { readPeopleFile } from '../../people/read-people-file.ts';
import { type MemberReference, parseMemberReference } from '../../people/reference.ts';
import type { RosterInput, RosterReader } from '../../roster/plan-roster.ts';
import { type Include, NO_INCLUDE, USUAL_INCLUDE } from '../../service/include.ts';
import { listFields } from '../../stdout/columns.ts';
import { toUsage } from '../usage.ts';
import { INVITATION_COLUMNS } from './columns.ts';

export interface FileFlags {
  readonly file?: string;
}

export function addFileOption(command: Command): Command {
  return command.option('--file <path>', 'Many people: CSV with the columns email,teams, or JSON; - is stdin');
}

/** Throws UsageError unless people are named in exactly one way. */
export function checkWhere(what: 'email' | 'member', named: readonly string[], flags: FileFlags, verb: Command): void {
  if (named.length > 0 && flags.file !== undefined) {
    throw new UsageError(`use ${what}s or --file, not both`, {
      hint: 'Put everyone into the file, or name them here.',
    });
  }
  if (named.length === 0 && flags.file === undefined) {
    throw new UsageError(`missing <${what}>, or --file people.csv`, { hint: toUsage(verb) });
  }
}

export type NamedPeople = ReturnType<typeof toNamedPeople>;

/** Throws UsageError unless people are named in exactly one way. */
export function toNamedPeople(members: readonly string[], flags: FileFlags, verb: Command) {
  checkWhere('member', members, flags, verb);
  return { file: flags.file, references: members.map(parseMemberReference) };
}

/** Throws UsageError before anything is sent when a row of the file cannot be used. */
export async function readReferences(
  context: Context,
  { file, references }: NamedPeople,
): Promise<readonly MemberReference[]> {
  if (file === undefined) return references;
  const { rows } = await readPeopleFile(toFileReader(context), file, {
    teams: false,
    known: listFields(INVITATION_COLUMNS),
  });
  return rows.map(({ email }) => ({ kind: 'email', email }));
}

export function toFileReader({ screen, places }: Context): FileReader {
  return { host: places.host, signal: places.interrupts.signal, note: screen.note };
}

export function toRosterReader(context: Context): RosterReader {
  const { screen, services } = context;
  return { ...toFileReader(context), service: services.current, progress: screen.progress };
}

export interface IncludeFlags {
  readonly include?: readonly string[];
}

/** Relationships of a membership whose attributes can come along. */
const RELATED = ['user', 'teams', 'organization'];

/** `--include` of the membership reads. Which names a service accepts is not documented: they are sent as given. */
export function addIncludeOption(command: Command): Command {
  return command.option(
    '--include <names>',
    'Read these too, such as organization; none reads only the members themselves',
    collectNames,
  );
}

/** What the fields need (all of the usual ones without `--fields`), what was asked for, and what a filter needs. */
export function toInclude(
  flags: IncludeFlags,
  fields: readonly string[] | undefined,
  needed: readonly string[] = [],
): Include {
  const { include: asked = [] } = flags;
  if (flags.include?.length === 0 || (asked.includes('none') && asked.length > 1)) {
    throw new UsageError(`--include takes names or none, not '${asked.join(',')}'`, {
      hint: 'For example: --include user,teams',
    });
  }
  if (asked[0] === 'none') {
    const [first] = needed;
    if (first === undefined) return NO_INCLUDE;
    throw new UsageError(`--include none leaves out what the filter looks at: ${first}`, {
      hint: 'Leave --include out.',
    });
  }
  if (fields === undefined) return { ...USUAL_INCLUDE, asked, isNeeded: needed.length > 0 };
  const own = RELATED.filter((name) => needed.includes(name) || fields.some((field) => isOf(name, field)));
  return { asked, own, isNeeded: true };
}

/** Whether a field is filled by a related resource, which says of itself no more than its id and type. */
function isOf(name: string, field: string): boolean {
  return field === name || (field.startsWith(`${name}.`) && !field.endsWith('.id') && !field.endsWith('.type'));
}

export interface RosterFlags extends FileFlags {
  readonly prune?: boolean;
  readonly allowOwners?: boolean;
}

export function addRosterOptions(command: Command): Command {
  return command
    .option('--file <path>', 'The roster: YAML, JSON or CSV; - is stdin')
    .option('--prune', 'Remove people who are not in the roster (never owners, never you)')
    .option('--allow-owners', 'With --prune: remove owners too (never the last one, never you)')
    .addHelpText('after', '\nA roster:\n  members:\n    - email: ana@example.com\n      teams: [platform, security]');
}

export function toRosterInput({ file, prune = false, allowOwners = false }: RosterFlags): RosterInput {
  if (file === undefined) {
    throw new UsageError('missing --file: the roster', {
      hint: 'To print a roster of the current members:',
      next: [['orgctl', 'members', 'plan', '--init']],
    });
  }
  if (allowOwners && !prune) {
    throw new UsageError('--allow-owners works only with --prune', { hint: 'Without --prune no one is removed.' });
  }
  return { file, prune, allowOwners };
}
