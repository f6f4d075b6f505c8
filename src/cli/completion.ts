import type { Command, Option } from 'commander';
import { parse } from 'shell-quote';
import { listMembers } from '../api/memberships.ts';
import { listOwnOrganizations } from '../api/organizations.ts';
import { type ListOptions, readAll } from '../api/pagination.ts';
import { listTeams } from '../api/teams.ts';
import type { Resource } from '../api/types.ts';
import { PLACES } from '../config/parsers.ts';
import { listProfiles } from '../config/resolve.ts';
import { OrgctlError } from '../lib/errors.ts';
import { listFields } from '../output/columns.ts';
import { findSubcommand, findVerb, type OpenSession } from './command.ts';
import type { GlobalOptions } from './global-options.ts';
import type { Session } from './session.ts';

export interface CompletionContext {
  program: Command;
  /** Loads the verbs of a noun. */
  prepare(noun: Command): Promise<void>;
  open: OpenSession;
  topics: string[];
}

/** A command line, or a part before the word at the cursor. */
interface Position {
  command: Command;
  /** The option whose value is at the cursor. */
  option: Option | undefined;
  operands: string[];
  globals: GlobalOptions;
}

/** A person waits for the shell, so one request is sent, without retries. */
const SESSION_OPTIONS = { timeout: '1s', maxRetries: '0', input: false, quiet: true, debug: false };
const FIRST_PAGE = { page: 1, pageSize: 100 };
const TOKENS = ['audit-trail', 'organization', 'team:'];

/** The candidates for the last word of a command line. */
export async function complete(context: CompletionContext, line: string): Promise<string[]> {
  // The value of a shell variable is not known.
  const words = parse(line, (name) => ({ op: `$${name}` })).map((word) => (typeof word === 'string' ? word : ''));
  const current = /\s$/.test(line) ? '' : (words.pop() ?? '');
  const position = await findPosition(context, words.slice(1));
  const [, name = '', others = '', text = ''] = /^(--[^=,]+=)?(.*,)?(.*)$/s.exec(current) ?? [];
  const named = name === '' ? undefined : findOption(position.command, name.slice(0, -1));
  if (name !== '' && !named) return [];
  const found = await findCandidates(context, named ? { ...position, option: named } : position, text, current);
  return found
    .map((word) => (found.includes(current) ? word : name + others + word))
    .filter((word) => word.startsWith(current) && isSafe(word, line));
}

/** A name from the service may hold text that a shell would run. The scripts can quote a space only in a line without quotes. */
function isSafe(word: string, line: string): boolean {
  const hasQuotes = /['"`\\$]/.test(line);
  return (hasQuotes ? /^[\p{L}\p{N}_./:=@%+,-]+$/u : /^[\p{L}\p{N} _./:=@%+,-]+$/u).test(word);
}

export async function findPosition(
  { program, prepare }: Pick<CompletionContext, 'program' | 'prepare'>,
  words: string[],
): Promise<Position> {
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

async function findCandidates(
  context: CompletionContext,
  position: Position,
  text: string,
  current: string,
): Promise<string[]> {
  const { command, option, operands } = position;
  if (option) return option.argChoices ?? findValues(context, position, option.attributeName(), text);
  if (current.startsWith('-')) return [...listOptions(command).flatMap(({ long }) => long ?? []), '--help'];
  if (command.commands.length > 0)
    return operands.length > 0 ? [] : command.commands.map((subcommand) => subcommand.name());
  if (command.name() === 'help') return listHelp(context, operands);
  const last = command.registeredArguments.at(-1);
  const expected = command.registeredArguments[operands.length] ?? (last?.variadic ? last : undefined);
  if (!expected) return [];
  return expected.argChoices ?? findValues(context, position, expected.name(), text);
}

async function listHelp({ program, topics, prepare }: CompletionContext, [noun]: string[]): Promise<string[]> {
  const command = program.commands.find((known) => known.name() === noun);
  if (!command) return [...topics, ...program.commands.map((known) => known.name())];
  await prepare(command);
  return command.commands.map((subcommand) => subcommand.name());
}

/** `name` is the name of an option or argument. */
async function findValues(
  { open }: CompletionContext,
  { command, globals }: Position,
  name: string,
  text: string,
): Promise<string[]> {
  const verb = findVerb(command);
  if (name === 'fields') return verb?.columns ? [...listFields(verb.columns), 'help'] : [];
  if (name === 'to') return PLACES.match(/[\w-]+:|stdout/g) ?? [];
  if (name === 'token') return TOKENS;
  const read = READERS[name];
  if (!read) return [];
  try {
    const session = await open({ ...globals, ...SESSION_OPTIONS }, {});
    // A token-command may ask for a password.
    if (!session.isSandbox && session.findTokenSource().found?.command !== undefined) return [];
    return await read(session, text);
  } catch (error) {
    if (error instanceof OrgctlError) return [];
    throw error;
  }
}

const READERS: Record<string, (session: Session, text: string) => Promise<string[]>> = {
  profile: async ({ store }) => listProfiles(store.readConfig()),
  org: async ({ client }) => (await listOwnOrganizations(client)).map(({ name }) => name),
  team: readTeamNames,
  teams: readTeamNames,
  from: readTeamNames,
  member: readEmails,
  members: readEmails,
};

function readTeamNames(session: Session): Promise<string[]> {
  return readAttribute(listTeams(session.client, session.org(), FIRST_PAGE), 'name');
}

function readEmails(session: Session, search: string): Promise<string[]> {
  const filter = { search: search || undefined };
  return readAttribute(listMembers(session.client, session.org(), filter, { own: [] }, FIRST_PAGE), 'email');
}

async function readAttribute(options: ListOptions<Resource>, name: string): Promise<string[]> {
  const resources = await readAll(options);
  return resources.map(({ attributes }) => attributes?.[name]).filter((value) => typeof value === 'string');
}
