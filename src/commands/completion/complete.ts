import type { Command, Option } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { readDocumentation } from '../../manual/documentation.ts';
import { SINK_FORMS } from '../../rotation/sinks/sink.ts';
import { SETTINGS } from '../../settings/settings.ts';
import { listFields } from '../../stdout/columns.ts';
import { toPlainText } from '../../text/plain-text.ts';
import { findCommand, type PrepareCommand } from '../options.ts';
import { type LiveKind, readLiveNames } from './live.ts';
import { type Place, toLineText } from './quoting.ts';
import { findArgument, findOption, readTyped, readWord, type Typed, takesValue } from './typed.ts';

interface Asked extends Place {
  readonly program: Command;
  readonly prepare: PrepareCommand;
  readonly topics: readonly string[];
  readonly open: OpenContext;
  readonly before: readonly string[];
}

interface Candidate {
  readonly word: string;
  readonly description?: string;
}

/** Files are found by the shell: their paths begin after this part of the word. */
interface Files {
  readonly after: string;
}

type Found = readonly Candidate[] | Files;

const FILES: Files = { after: '' };

/** What the scripts read: a line for each word that fits. */
export async function complete(asked: Asked): Promise<string> {
  const { program, prepare, shell } = asked;
  // The other shells hand over what they have read.
  const isRaw = shell === 'bash' || shell === 'powershell';
  const before = isRaw ? asked.before.map((word) => readWord(word, shell).text) : asked.before;
  const current = readWord(asked.word, shell).text;
  const typed = await readTyped(program, before, prepare);
  const found = await find(asked, typed, current);
  if ('after' in found) return toFilesText(found, current, asked);
  return found
    .filter(({ word }) => word.startsWith(current))
    .flatMap(({ word, description = '' }) => {
      const text = toLineText(word, asked);
      return text === undefined ? [] : [description === '' ? `${text}\n` : `${text}\t${toPlainText(description)}\n`];
    })
    .join('');
}

/** bash looks for what follows in the word without quotes, and puts in what follows in that which stays. */
function toFilesText({ after }: Files, current: string, { shell, kept }: Place): string {
  const more = shell === 'bash' && kept !== undefined ? [current.slice(after.length), readWord(kept, shell).text] : [];
  return [`:files ${after}`.trimEnd(), ...more, ''].join('\n');
}

async function find(asked: Asked, typed: Typed, current: string): Promise<Found> {
  const { program } = asked;
  const { command, awaiting } = typed;
  if (awaiting !== undefined) return await findValues(asked, typed, awaiting, current);
  if (!typed.optionsEnded && current.startsWith('-')) {
    const at = current.indexOf('=');
    if (at < 0) return listOptions(program, command);
    const option = findOption(program, command, current.slice(0, at));
    if (option === undefined || !takesValue(option)) return [];
    const values = await findValues(asked, typed, option, current.slice(at + 1));
    const head = current.slice(0, at + 1);
    if ('after' in values) return { after: head + values.after };
    return values.map((value) => ({ ...value, word: head + value.word }));
  }
  if (command.commands.length > 0) return listCommands(command);
  return await findOperands(asked, typed, current);
}

function listCommands(command: Command): readonly Candidate[] {
  return command.commands.map((each) => ({ word: each.name(), description: each.description() }));
}

function listOptions(program: Command, command: Command): readonly Candidate[] {
  const own = command === program ? [] : command.options;
  const help = { word: '--help', description: 'Print help' };
  // --version goes without a command.
  const shared = program.options.filter(({ long }) => long !== '--version' || command === program);
  const shown = [...own, ...shared].filter(({ hidden }) => !hidden);
  return [...shown.map(({ long, short, description }) => ({ word: long ?? short ?? '', description })), help];
}

/** Values that are known, but not held to: the service may take others. */
const KNOWN_VALUES: Readonly<Record<string, readonly string[]>> = {
  '--registry': ['public', 'private'],
  '--status': ['active', 'inactive', 'invited'],
  '--include': ['user', 'teams'],
};

const LIVE_VALUES: Readonly<Record<string, LiveKind>> = {
  '--org': 'organizations',
  '--owner': 'organizations',
  '--team': 'teams',
  '--from': 'teams',
  '--email': 'people',
};

/** Options that take several values, with commas between them. */
const LISTS = new Set(['--team', '--include', '--email', '--fields']);
const FILE_NAMES = /^(file|pem|folder|csv)\b/;

async function findValues(asked: Asked, typed: Typed, option: Option, current: string): Promise<Found> {
  const long = option.long ?? '';
  const placeholder = /[<[]([^>\]]*)/.exec(option.flags)?.[1] ?? '';
  if (FILE_NAMES.test(placeholder)) return FILES;
  if (long === '--to') return findPlaces(current);
  const head = LISTS.has(long) ? current.slice(0, current.lastIndexOf(',') + 1) : '';
  const names = await listValues(asked, typed, option, current.slice(head.length));
  const given = new Set(head.split(','));
  return names.filter((name) => !given.has(name)).map((name) => ({ word: `${head}${name}` }));
}

async function listValues(asked: Asked, typed: Typed, option: Option, current: string): Promise<readonly string[]> {
  const long = option.long ?? '';
  const kind = LIVE_VALUES[long];
  if (kind !== undefined) return await readNames(asked, typed, kind, current);
  if (long === '--fields') {
    const { columns } = readDocumentation(typed.command);
    return columns === undefined ? [] : listFields(columns);
  }
  return option.argChoices ?? KNOWN_VALUES[long] ?? [];
}

/** Where a secret can go: the kinds of places, and the files of those that are files. */
function findPlaces(current: string): Found {
  const [, kind] = /^((?:env-)?file:)/.exec(current) ?? [];
  if (kind !== undefined) return { after: kind };
  return Object.values(SINK_FORMS).map((form) => ({ word: form.slice(0, form.search(/[A-Z]|$/)), description: form }));
}

async function findOperands(asked: Asked, typed: Typed, current: string): Promise<Found> {
  const { path, operands } = typed;
  const argument = findArgument(typed);
  if (path === 'help') return await listHelp(asked, operands);
  if (argument === undefined) return [];
  if (path.startsWith('settings ') && argument.name() === 'name') {
    return SETTINGS.map(({ name, description }) => ({ word: name, description }));
  }
  if (path === 'api' && argument.name() === 'method') return argument.description.split(', ').map((word) => ({ word }));
  if (path.startsWith('providers ') && path !== 'providers create' && argument.name() === 'address') {
    return toAddresses(await readNames(asked, typed, 'providers', current), path, current);
  }
  if (argument.name() === 'team') return (await readNames(asked, typed, 'teams', current)).map((word) => ({ word }));
  if (argument.name() === 'member') {
    const kind = path === 'members resend' ? 'invited people' : 'people';
    return (await readNames(asked, typed, kind, current)).map((word) => ({ word }));
  }
  if (FILE_NAMES.test(argument.name())) return FILES;
  return (argument.argChoices ?? []).map((word) => ({ word }));
}

/** Whole addresses, and the shorter form once one is begun. Only private ones are published. */
function toAddresses(names: readonly string[], path: string, current: string): readonly Candidate[] {
  const fit = path === 'providers publish' ? names.filter((name) => name.startsWith('private/')) : names;
  const short = current === '' ? [] : fit.map((name) => name.slice(name.indexOf('/') + 1));
  return [...fit, ...short].map((word) => ({ word }));
}

async function listHelp({ program, prepare, topics }: Asked, words: readonly string[]): Promise<readonly Candidate[]> {
  if (words.length === 0) {
    return [...topics.map((word) => ({ word, description: 'Topic' })), ...listCommands(program)];
  }
  const noun = words.length === 1 ? findCommand(program, words[0] ?? '') : undefined;
  if (noun === undefined) return [];
  await prepare(noun);
  return listCommands(noun);
}

async function readNames({ open }: Asked, typed: Typed, kind: LiveKind, word: string): Promise<readonly string[]> {
  const names = await readLiveNames(open, typed.shared, kind, word);
  // What is on the line already is not meant again.
  return names.filter((name) => !typed.operands.includes(name));
}
