import type { Command } from 'commander';
import type { Context } from '../context/context.ts';
import { UsageError } from '../errors.ts';
import type { FileReader } from '../input/read-text.ts';
import { readPeopleFile } from '../people/read-people-file.ts';
import { type MemberReference, parseMemberReference } from '../people/reference.ts';
import { type Columns, listFields } from '../stdout/columns.ts';
import { toUsage } from './usage.ts';

/** People who are named on the command line, or by a file. */

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

/**
 * Throws UsageError before anything is sent when a row of the file cannot be used. `columns`: those of the file that need no note when
 * nothing reads them.
 */
export async function readReferences(
  context: Context,
  { file, references }: NamedPeople,
  columns: Columns,
): Promise<readonly MemberReference[]> {
  if (file === undefined) return references;
  const { rows } = await readPeopleFile(toFileReader(context), file, {
    teams: false,
    known: listFields(columns),
  });
  return rows.flatMap(({ email }) => (email === undefined ? [] : { kind: 'email', email }));
}

export function toFileReader({ screen, places }: Context): FileReader {
  return { host: places.host, signal: places.interrupts.signal, note: screen.note };
}
