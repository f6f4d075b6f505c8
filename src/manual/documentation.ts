import type { Command } from 'commander';
import type { ColumnNames } from '../stdout/columns.ts';

/** What help and the manual say of a command beside what commander knows. */
export interface Documentation {
  /** Lines that work as printed. */
  readonly examples: readonly string[];
  /** What the command prints: its help names their fields. */
  readonly columns?: ColumnNames;
}

const KEY = Symbol('documentation');
type Documented = Command & { [KEY]?: Documentation };

export function addDocumentation(command: Command, documentation: Documentation): Command {
  return Object.assign(command, { [KEY]: documentation });
}

export function readDocumentation(command: Command): Documentation {
  return (command as Documented)[KEY] ?? { examples: [] };
}
