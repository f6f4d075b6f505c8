import type { Command } from 'commander';
import type { Context } from '../context/context.ts';
import { UsageError } from '../errors.ts';
import type { FileReader } from '../input/read-text.ts';
import type { PersonKey, PersonRow } from '../people/parse-people-file.ts';
import { readPeopleFile } from '../people/read-people-file.ts';
import { type MemberReference, parseMemberReference } from '../people/reference.ts';
import { type Columns, listFields } from '../stdout/columns.ts';
import { toUsage } from './usage.ts';

/** People who are named on the command line, or by a file. */

export interface FileFlags {
  readonly file?: string;
}

export function addFileOption(command: Command, columns = 'the columns email,teams'): Command {
  return command.option('--file <path>', `Many people: CSV with ${columns}, or JSON; - is stdin`);
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
 * nothing reads them. `keys`: those of its columns that can name a person; the email alone when left out.
 */
export async function readReferences(
  context: Context,
  { file, references }: NamedPeople,
  columns: Columns,
  keys?: readonly PersonKey[],
): Promise<readonly MemberReference[]> {
  if (file === undefined) return references;
  const { rows } = await readPeopleFile(toFileReader(context), file, {
    teams: false,
    known: listFields(columns),
    ...(keys === undefined ? {} : { keys }),
  });
  return rows.flatMap(toReference);
}

/** By email first, which many people can be looked for by at once. */
function toReference({ email, user, id }: PersonRow): readonly MemberReference[] {
  if (email !== undefined) return [{ kind: 'email', email }];
  if (user !== undefined) return [{ kind: 'name', name: user }];
  return id === undefined ? [] : [parseMemberReference(`id:${id}`)];
}

export function toFileReader({ screen, places }: Context): FileReader {
  return { host: places.host, signal: places.interrupts.signal, note: screen.note };
}
