import type { Command, Option } from 'commander';
import type { CommandName } from '../input/about.ts';
import { describeConfirmation, listConfirmations } from '../input/confirmations.ts';
import type { ColumnNames } from '../stdout/columns.ts';
import { joinNames } from '../text/join.ts';
import type { TopicName } from './topic-names.ts';

/** What help and the manual say of a command beside what commander knows. */
export interface Documentation {
  /** Lines that work as printed. */
  readonly examples: readonly string[];
  /** What the command prints: its help names their fields. */
  readonly columns?: ColumnNames;
  /** Left out of a noun. */
  readonly name?: CommandName;
  /** Options that a setting can give. */
  readonly stored?: readonly string[];
  /** Which topic of help has more. That of the noun where it is left out. */
  readonly topic?: TopicName;
  /** Of the options of every command those that it is about, by their flags without hyphens, and what they do here. */
  readonly shared?: Readonly<Record<string, string>>;
}

const KEY = Symbol('documentation');
type Documented = Command & { [KEY]?: Documentation };

export function addDocumentation(command: Command, documentation: Documentation): Command {
  return Object.assign(command, { [KEY]: documentation });
}

export function readDocumentation(command: Command): Documentation {
  return (command as Documented)[KEY] ?? { examples: [] };
}

/** `orgctl help rotation` */
export function findTopic(command: Command): string | undefined {
  const { topic } = readDocumentation(command);
  if (topic !== undefined) return `orgctl help ${topic}`;
  return command.parent === null ? undefined : findTopic(command.parent);
}

/** The options that help shows of a command: its own, and those of every command that it is about. */
export function listOptions(command: Command): readonly Pick<Option, 'flags' | 'description'>[] {
  const program = command.parent?.parent ?? command.parent;
  const shared = Object.entries(readDocumentation(command).shared ?? {}).flatMap(([name, description]) =>
    (program?.options ?? []).flatMap(({ long, flags }) => (long === `--${name}` ? { flags, description } : [])),
  );
  return [...command.options.filter(({ hidden }) => !hidden), ...shared];
}

/** What a command asks before it acts, and which options settings can give, a sentence each. */
export function listRemarks(command: Command): readonly string[] {
  const { name, stored = [] } = readDocumentation(command);
  return [
    ...(name === undefined ? [] : listConfirmations(name).map(describeConfirmation)),
    ...(stored.length === 0 ? [] : [`Settings of the same names can give ${joinNames(stored)} instead.`]),
  ];
}
