import type { Command } from 'commander';
import type { Context } from '../context/context.ts';
import { foldEmail } from '../email.ts';
import { UsageError } from '../errors.ts';
import type { FileReader } from '../input/read-text.ts';
import { type AskedIn, toAsked } from '../people/asked.ts';
import { findFalseRows } from '../people/find-members.ts';
import type { PeopleRules } from '../people/people-columns.ts';
import type { Problem } from '../people/person-rows.ts';
import { readPeopleFile } from '../people/read-people-file.ts';
import { describeReference, type MemberReference, parseMemberReference } from '../people/reference.ts';
import { type Columns, listFields } from '../stdout/columns.ts';
import { toUsage } from './usage.ts';

/** People who are named on the command line, or by a file. */

export interface FileFlags {
  readonly file?: string;
}

export function addFileOption(command: Command, columns = 'the columns email,teams'): Command {
  return command.option('--file <path>', `Many people: CSV with ${columns}, an email a line, or JSON; - is stdin`);
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

interface AskOptions {
  /** Those that the command is about. */
  organizations(): Promise<readonly string[]>;
  /** Those of the file that need no note when nothing reads them. */
  readonly columns: Columns;
  readonly keys?: PeopleRules['keys'];
  readonly uses?: PeopleRules['uses'];
}

/**
 * Who is asked for in each organization: everyone on the command line, of a file those whose row acts there. Throws UsageError before
 * anything is sent when a row of the file cannot be used.
 */
export async function readAsked(
  context: Context,
  { file, references }: NamedPeople,
  { organizations, columns, keys, uses = [] }: AskOptions,
): Promise<AskedIn> {
  if (file === undefined) {
    const each = new Map(references.map((reference) => [toKey(reference), { reference }]));
    return () => [...each.values()];
  }
  const { services, screen } = context;
  const people = await readPeopleFile(toFileReader(context), file, {
    teams: false,
    known: listFields(columns),
    uses,
    ...(keys === undefined ? {} : { keys }),
    organizations,
    async findMore({ in: rowsIn }, names) {
      const { memberships } = await services.current();
      const found: Problem[] = [];
      for (const name of names) {
        found.push(...(await findFalseRows({ memberships, note: screen.note }, name, rowsIn(name).map(toAsked))));
      }
      return found;
    },
  });
  return (organization) => people.in(organization).map(toAsked);
}

function toKey(reference: MemberReference): string {
  const text = describeReference(reference);
  return `${reference.kind} ${reference.kind === 'email' ? foldEmail(text) : text}`;
}

export function toFileReader({ screen, places }: Context): FileReader {
  return { host: places.host, signal: places.interrupts.signal, note: screen.note };
}
