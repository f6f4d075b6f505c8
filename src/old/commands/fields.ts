import type { Command } from 'commander';
import { UsageError } from '../errors.ts';
import { type ColumnNames, type Columns, listFields } from '../stdout/columns.ts';
import { ORGANIZATIONS, placeOrganization } from './organizations.ts';
import { toName } from './param.ts';
import { readTyped, type Typed } from './typed.ts';
import { toPath } from './usage.ts';
import { chooseColumns, type PrepareCommand, readVerb } from './verb.ts';

/** `--fields help`: what a command prints, instead of running it. */

const FIELD_COLUMNS: Columns<{ readonly field: string }> = {
  name: 'fields',
  shape: 'record',
  shown: ['field'],
  screen: [{ head: 'FIELD', field: 'field', priority: 0 }],
};

/** Whether the line asks for it, wherever the option stands. */
export function asksForFields(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  return words.some((word, at) => word === '--fields=help' || (word === '--fields' && words[at + 1] === 'help'));
}

/** The command needs no arguments for it. Throws UsageError where none is named that prints fields. */
export async function printFields(program: Command, argv: readonly string[], prepare: PrepareCommand): Promise<void> {
  const typed = await readTyped(program, argv, prepare);
  const { command, shared } = typed;
  const open = await prepare(command);
  const columns = findColumns(typed);
  if (columns === undefined) {
    throw new UsageError(`${toPath(command)} has no fields`, { hint: `Help: ${toPath(command)} --help` });
  }
  const { fields: _fields, query: _query, ...others } = shared;
  const { screen } = open({ optsWithGlobals: () => others });
  await screen.list(
    FIELD_COLUMNS,
    listAllFields(columns).map((field) => ({ field })),
  );
}

/** What the command prints with what stands on its line. */
export function findColumns({ command, operands, given }: Typed): ColumnNames | undefined {
  const facts = readVerb(command);
  const isGiven = (name: string): boolean => (name.startsWith('-') ? given.has(name) : operands.length > 0);
  const columns = facts === undefined ? undefined : chooseColumns(facts, isGiven);
  const isOfSeveral = Object.values(ORGANIZATIONS).some((param) => given.has(toName(param)));
  if (columns === undefined || columns !== facts?.columns || !isOfSeveral) return columns;
  return { ...columns, shown: placeOrganization(columns.shown), fields: listFields(columns) };
}

/** Those of the default first. */
export function listAllFields(columns: ColumnNames): readonly string[] {
  return [...new Set(listFields(columns))];
}
