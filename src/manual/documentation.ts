import type { Command } from 'commander';
import type { CommandName } from '../input/about.ts';
import { describeConfirmation, listConfirmations } from '../input/confirmations.ts';
import type { ColumnNames } from '../stdout/columns.ts';

/** What help and the manual say of a command beside what commander knows. */
export interface Documentation {
  /** Lines that work as printed. */
  readonly examples: readonly string[];
  /** What the command prints: its help names their fields. */
  readonly columns?: ColumnNames;
  /** Left out of a noun. */
  readonly name?: CommandName;
}

const KEY = Symbol('documentation');
type Documented = Command & { [KEY]?: Documentation };

export function addDocumentation(command: Command, documentation: Documentation): Command {
  return Object.assign(command, { [KEY]: documentation });
}

export function readDocumentation(command: Command): Documentation {
  return (command as Documented)[KEY] ?? { examples: [] };
}

/** What a command asks before it acts, a sentence each. */
export function listAsked(command: Command): readonly string[] {
  const { name } = readDocumentation(command);
  return name === undefined ? [] : listConfirmations(name).map(describeConfirmation);
}
