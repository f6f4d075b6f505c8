import type { Argument, Command, Option } from 'commander';
import { parse } from 'shell-quote';
import { OrgctlError, UsageError } from '../lib/errors.ts';
import { type CommandContext, findSubcommand, findVerb } from './command.ts';
import type { GlobalOptions } from './global-options.ts';
import { TypedArgument, TypedOption } from './options.ts';
import type { Session } from './session.ts';

/** A command line, or a part before the word at the cursor. */
interface Position {
  command: Command;
  option: Option | undefined;
  operands: string[];
  globals: GlobalOptions;
}

/** A person waits for the shell, so one request is sent, without retries. */
const SESSION_OPTIONS = { timeout: '1s', maxRetries: '0', input: false, quiet: true, debug: false };

export interface Candidate {
  word: string;
  description?: string;
}

export async function complete(context: CommandContext, line: string): Promise<Candidate[]> {
  // The value of a shell variable is not known.
  const words = parse(line, (name) => ({ op: `$${name}` })).map((word) => (typeof word === 'string' ? word : ''));
  const current = /\s$/.test(line) ? '' : (words.pop() ?? '');
  const position = await findPosition(context, words.slice(1));
  const [, name = '', others = '', text = ''] = /^(--[^=,]+=)?(.*,)?(.*)$/s.exec(current) ?? [];
  const named = name === '' ? undefined : findOption(position.command, name.slice(0, -1));
  if (name !== '' && !named) return [];
  const found = await findCandidates(context, named ? { ...position, option: named } : position, text, current);
  const isWhole = found.some(({ word }) => word === current);
  return found
    .map(({ word, description }) => ({ word: isWhole ? word : name + others + word, description }))
    .filter(({ word }) => word.startsWith(current) && isSafe(word, line));
}

/** A name from the service may hold text that a shell would run. The scripts can quote a space only in a line without quotes. */
function isSafe(word: string, line: string): boolean {
  const hasQuotes = /['"`\\$]/.test(line);
  return (hasQuotes ? /^[\p{L}\p{N}_./:=@%+,-]+$/u : /^[\p{L}\p{N} _./:=@%+,-]+$/u).test(word);
}

export async function findPosition({ program, prepare }: Pick<CommandContext, 'program' | 'prepare'>, words: string[]) {
  const position: Position = { command: program, option: undefined, operands: [], globals: {} };
  for (const word of words) {
    const { option, command } = position;
    if (option) {
      Object.assign(position.globals, { [option.attributeName()]: word });
      position.option = undefined;
      continue;
    }
    if (word.startsWith('-')) {
      const [name = '', value] = word.split(/=(.*)/s);
      const found = findOption(command, name);
      if (found?.required && value === undefined) position.option = found;
      else if (found) Object.assign(position.globals, { [found.attributeName()]: value ?? true });
      continue;
    }
    const subcommand = findSubcommand(command, word);
    if (!subcommand) position.operands.push(word);
    else {
      position.command = subcommand;
      await prepare(subcommand);
    }
  }
  return position;
}

function findOption(command: Command, name: string): Option | undefined {
  return listOptions(command).find(({ long, short }) => name === long || name === short);
}

function listOptions(command: Command): Option[] {
  return [...command.options, ...(command.parent ? listOptions(command.parent) : [])].filter(({ hidden }) => !hidden);
}

async function findCandidates(context: CommandContext, position: Position, text: string, current: string) {
  const { command, option, operands } = position;
  if (option) return findValues(context, position, option, text);
  if (current.startsWith('-')) {
    const options = listOptions(command).map(({ long, description }) => ({ word: long ?? '', description }));
    return [...options, { word: '--help', description: 'print help' }];
  }
  if (command.commands.length > 0) return operands.length > 0 ? [] : command.commands.map(describe);
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[operands.length] ?? (last?.variadic ? last : undefined);
  return findValues(context, position, argument, text);
}

function describe(command: Command): Candidate {
  return { word: command.name(), description: command.description() };
}

async function findValues(
  context: CommandContext,
  { command, globals, operands }: Position,
  of: Option | Argument | undefined,
  text: string,
): Promise<Candidate[]> {
  const complete = of instanceof TypedOption || of instanceof TypedArgument ? of.complete : undefined;
  try {
    const request = { text, operands, columns: findVerb(command)?.columns, open: () => openSession(context, globals) };
    const words = of?.argChoices ?? (await complete?.(request));
    return (words ?? []).map((word) => ({ word }));
  } catch (error) {
    if (error instanceof OrgctlError) return [];
    throw error;
  }
}

/** Throws UsageError for a token-command, which may ask for a password. */
async function openSession({ open }: CommandContext, globals: GlobalOptions): Promise<Session> {
  const session = await open({ ...globals, ...SESSION_OPTIONS }, {});
  if (session.isSandbox || session.findTokenSource().found?.command === undefined) return session;
  throw new UsageError('a token-command is not run for a completion');
}
