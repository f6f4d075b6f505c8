import type { Command } from 'commander';
import { type ColumnNames, listFields } from '../stdout/columns.ts';

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

/** The fields of what a command prints: those shown when none is named, and the others. */
export function readFields({
  columns,
}: Documentation): readonly (readonly [label: string, names: readonly string[]])[] {
  if (columns === undefined) return [];
  const others = listFields(columns).filter((name) => !columns.shown.includes(name));
  return [['Fields', columns.shown] as const, ['Also', others] as const].filter(([, names]) => names.length > 0);
}
