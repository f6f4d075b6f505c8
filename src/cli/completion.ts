import type { Command, Option } from 'commander';
import { parse } from 'shell-quote';
import { listMembers } from '../api/memberships.ts';
import { listOwnOrganizations } from '../api/organizations.ts';
import { readPages } from '../api/pagination.ts';
import { listTeams } from '../api/teams.ts';
import type { Resource } from '../api/types.ts';
import { listProfiles } from '../config/resolve.ts';
import { OrgctlError } from '../lib/errors.ts';
import { listFields } from '../output/columns.ts';
import { findVerb, type OpenSession } from './command.ts';
import type { GlobalOptions } from './global-options.ts';
import type { Session } from './session.ts';

export interface Completion {
  program: Command;
  /** Loads the verbs of a noun. */
  prepare(noun: Command): Promise<void>;
  open: OpenSession;
  topics: string[];
}

/** Where the cursor is. */
interface Position {
  command: Command;
  /** The option whose value the word is. */
  option: Option | undefined;
  operands: string[];
  globals: GlobalOptions;
}

/** A person waits: one request, once, and not for long. */
const PATIENCE = { timeout: '1s', maxRetries: '0', input: false, quiet: true, debug: false };
const PAGE = { page: 1, pageSize: 100, mode: 'buffer', warn: () => undefined } as const;
const TOKENS = ['audit-trail', 'organization', 'team:'];
const PLACES = ['file:', 'env-file:', 'exec:', 'github-output:', 'stdout'];

/** The words that the last word of a command line may become. */
export async function complete(completion: Completion, line: string): Promise<string[]> {
  // A variable that was typed may be anything.
  const words = parse(line, (name) => ({ op: `$${name}` })).map((word) => (typeof word === 'string' ? word : ''));
  const current = /\s$/.test(line) ? '' : (words.pop() ?? '');
  const position = await findPosition(completion, words.slice(1));
  const [, name = '', others = '', text = ''] = /^(--[^=,]+=)?(.*,)?(.*)$/s.exec(current) ?? [];
  const named = name === '' ? undefined : findOption(position.command, name.slice(0, -1));
  if (name !== '' && !named) return [];
  const found = await findCandidates(completion, named ? { ...position, option: named } : position, text, current);
  return found
    .map((word) => (found.includes(current) ? word : name + others + word))
    .filter((word) => word.startsWith(current) && isSafe(word, line));
}

/** Names of a service may hold what a shell runs: those are not offered. Others may be quoted where nothing is yet. */
function isSafe(word: string, line: string): boolean {
  const hasQuotes = /['"`\\$]/.test(line);
  return (hasQuotes ? /^[\p{L}\p{N}_./:=@%+,-]+$/u : /^[\p{L}\p{N} _./:=@%+,-]+$/u).test(word);
}

async function findPosition({ program, prepare }: Completion, words: string[]): Promise<Position> {
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
    const below = command.commands.find((known) => known.name() === word || known.aliases().includes(word));
    if (!below) position.operands.push(word);
    else {
      position.command = below;
      await prepare(below);
    }
  }
  return position;
}

function findOption(command: Command, name: string): Option | undefined {
  return listOptions(command).find(({ long, short }) => name === long || name === short);
}

/** Its own, and those of every command. */
function listOptions(command: Command): Option[] {
  return [...command.options, ...(command.parent ? listOptions(command.parent) : [])].filter(({ hidden }) => !hidden);
}

async function findCandidates(
  completion: Completion,
  position: Position,
  text: string,
  current: string,
): Promise<string[]> {
  const { command, option, operands } = position;
  if (option) return option.argChoices ?? findValues(completion, position, option.attributeName(), text);
  if (current.startsWith('-')) return [...listOptions(command).flatMap(({ long }) => long ?? []), '--help'];
  if (command.commands.length > 0) return operands.length > 0 ? [] : command.commands.map((below) => below.name());
  if (command.name() === 'help') return listHelp(completion, operands);
  const last = command.registeredArguments.at(-1);
  const expected = command.registeredArguments[operands.length] ?? (last?.variadic ? last : undefined);
  if (!expected) return [];
  return expected.argChoices ?? findValues(completion, position, expected.name(), text);
}

async function listHelp({ program, topics, prepare }: Completion, [noun]: string[]): Promise<string[]> {
  const command = program.commands.find((known) => known.name() === noun);
  if (!command) return [...topics, ...program.commands.map((known) => known.name())];
  await prepare(command);
  return command.commands.map((below) => below.name());
}

/** Values of an option or an argument, by its name. */
async function findValues(
  { open }: Completion,
  { command, globals }: Position,
  name: string,
  text: string,
): Promise<string[]> {
  const verb = findVerb(command);
  if (name === 'fields') return verb?.columns ? [...listFields(verb.columns), 'help'] : [];
  if (name === 'to') return PLACES;
  if (name === 'token') return TOKENS;
  const read = LIVE[name];
  if (!read) return [];
  try {
    const session = await open({ ...globals, ...PATIENCE }, {});
    // A command that prints the token may ask something.
    if (!session.isSandbox && session.findTokenSource().found?.command !== undefined) return [];
    return await read(session, text);
  } catch (error) {
    if (error instanceof OrgctlError) return [];
    throw error;
  }
}

const LIVE: Record<string, (session: Session, text: string) => Promise<string[]>> = {
  profile: async ({ store }) => listProfiles(store.readConfig()),
  org: async ({ client }) => (await listOwnOrganizations(client)).map(({ name }) => name),
  team: readTeamNames,
  teams: readTeamNames,
  from: readTeamNames,
  member: readEmails,
  members: readEmails,
};

function readTeamNames(session: Session): Promise<string[]> {
  return readAttribute(listTeams(session.client, session.org(), PAGE), 'name');
}

function readEmails(session: Session, search: string): Promise<string[]> {
  const filter = { search: search || undefined };
  return readAttribute(listMembers(session.client, session.org(), filter, { own: [] }, PAGE), 'email');
}

async function readAttribute(options: Parameters<typeof readPages<Resource>>[0], name: string): Promise<string[]> {
  const values: unknown[] = [];
  for await (const { items } of readPages(options)) values.push(...items.map(({ attributes }) => attributes?.[name]));
  return values.filter((value) => typeof value === 'string');
}
