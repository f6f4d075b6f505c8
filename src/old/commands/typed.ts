import type { Argument, Command, Option } from 'commander';
import { readParam } from './param.ts';
import { findCommand } from './usage.ts';
import type { PrepareCommand } from './verb.ts';

/** What words say, as the command line would be read. */
export interface Typed {
  readonly command: Command;
  readonly path: string;
  readonly operands: readonly string[];
  readonly awaiting: Option | undefined;
  readonly optionsEnded: boolean;
  /** The options, by their long flags. */
  readonly given: ReadonlySet<string>;
  readonly shared: Readonly<Record<string, unknown>>;
}

/** Reads the words; a noun that is named gets its verbs. Words that nothing takes are passed over. */
export async function readTyped(program: Command, words: readonly string[], prepare: PrepareCommand): Promise<Typed> {
  let command = program;
  let awaiting: Option | undefined;
  let optionsEnded = false;
  const path: string[] = [];
  const operands: string[] = [];
  const given = new Set<string>();
  const shared: Record<string, unknown> = {};
  const take = (option: Option, value: string | boolean): void => {
    if (option.long != null) given.add(option.long);
    if (!program.options.includes(option)) return;
    const name = option.attributeName();
    const before = shared[name];
    // The one that may be repeated is collected.
    shared[name] = readParam(option)?.collect === undefined ? value : [...(Array.isArray(before) ? before : []), value];
  };
  for (const word of words) {
    if (awaiting !== undefined) {
      take(awaiting, word);
      awaiting = undefined;
    } else if (!optionsEnded && word === '--') {
      optionsEnded = true;
    } else if (!optionsEnded && word.length > 1 && word.startsWith('-')) {
      const [name = '', ...rest] = word.split('=');
      const option = findOption(program, command, name);
      if (option === undefined) continue;
      if (rest.length > 0) take(option, rest.join('='));
      else if (takesValue(option)) awaiting = option;
      else take(option, !option.negate);
    } else {
      const next = operands.length > 0 ? undefined : findCommand(command, word);
      if (next === undefined) {
        operands.push(word);
      } else {
        await prepare(next);
        command = next;
        path.push(next.name());
      }
    }
  }
  return { command, path: path.join(' '), operands, awaiting, optionsEnded, given, shared };
}

export function findOption(program: Command, command: Command, name: string): Option | undefined {
  return [...command.options, ...program.options].find(({ long, short }) => name === long || name === short);
}

export function takesValue(option: Option): boolean {
  return option.required || option.optional;
}

/** The argument that comes next; undefined where the command takes no more. */
export function findArgument({ command, operands }: Typed): Argument | undefined {
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  return registeredArguments[operands.length] ?? (last?.variadic === true ? last : undefined);
}
