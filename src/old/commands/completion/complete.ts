import type { Command, Option } from 'commander';
import type { OpenContext } from '../../context/context.ts';
import { TOPIC_NAMES } from '../../manual/topic-names.ts';
import { SINK_FORMS } from '../../rotation/sinks/sink.ts';
import { toPlainText } from '../../text/plain-text.ts';
import { findColumns, listAllFields } from '../fields.ts';
import { type Candidate, type Completion, type LiveKind, readParam } from '../param.ts';
import { findArgument, findOption, readTyped, type Typed, takesValue } from '../typed.ts';
import { findCommand } from '../usage.ts';
import type { PrepareCommand } from '../verb.ts';
import { readLiveNames, readProfileNames } from './live.ts';
import { type Place, readWord, toLineText } from './quoting.ts';

interface Asked extends Place {
  readonly program: Command;
  readonly prepare: PrepareCommand;
  readonly open: OpenContext;
  readonly before: readonly string[];
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

async function findValues(asked: Asked, typed: Typed, option: Option, current: string): Promise<Found> {
  const { complete, isList = false } = readParam(option) ?? {};
  const head = isList ? current.slice(0, current.lastIndexOf(',') + 1) : '';
  const found = await findFitting(asked, typed, complete, current.slice(head.length));
  if ('after' in found || head === '') return found;
  const given = new Set(head.split(','));
  return found.filter(({ word }) => !given.has(word)).map(({ word }) => ({ word: `${head}${word}` }));
}

async function findFitting(
  asked: Asked,
  typed: Typed,
  complete: Completion | undefined,
  current: string,
): Promise<Found> {
  switch (complete) {
    case undefined:
      return [];
    case 'files':
      return FILES;
    case 'places':
      return findPlaces(current);
    case 'fields': {
      const columns = findColumns(typed);
      if (columns === undefined) return [];
      return toCandidates([...listAllFields(columns), 'help']);
    }
    case 'help':
      return await listHelp(asked, typed.operands);
    case 'profiles':
      return toCandidates(readProfileNames(asked.open, typed.shared));
    case 'providers':
      return toAddresses(await readNames(asked, typed, 'providers', current), current);
    case 'tokens': {
      const names = await readNames(asked, typed, 'tokens', current);
      return toCandidates([
        ...['audit-trail', 'organization'].filter((name) => !typed.operands.includes(name)),
        ...names,
      ]);
    }
    case 'private providers': {
      const names = await readNames(asked, typed, 'providers', current);
      return toAddresses(
        names.filter((name) => name.startsWith('private/')),
        current,
      );
    }
    default:
      if (typeof complete === 'function') return await findFitting(asked, typed, complete(typed.operands), current);
      return toCandidates(typeof complete === 'string' ? await readNames(asked, typed, complete, current) : complete);
  }
}

function toCandidates(found: readonly (string | Candidate)[]): readonly Candidate[] {
  return found.map((each) => (typeof each === 'string' ? { word: each } : each));
}

/** Where a secret can go: the kinds of places, and the files of those that are files. */
function findPlaces(current: string): Found {
  const [, kind] = /^((?:env-)?file:)/.exec(current) ?? [];
  if (kind !== undefined) return { after: kind };
  return Object.values(SINK_FORMS).map((form) => ({ word: form.slice(0, form.search(/[A-Z]|$/)), description: form }));
}

async function findOperands(asked: Asked, typed: Typed, current: string): Promise<Found> {
  const argument = findArgument(typed);
  if (argument === undefined) return [];
  return await findFitting(asked, typed, readParam(argument)?.complete, current);
}

/** Whole addresses, and the shorter form once one is begun. */
function toAddresses(names: readonly string[], current: string): readonly Candidate[] {
  const short = current === '' ? [] : names.map((name) => name.slice(name.indexOf('/') + 1));
  return toCandidates([...names, ...short]);
}

async function listHelp({ program, prepare }: Asked, words: readonly string[]): Promise<readonly Candidate[]> {
  if (words.length === 0) {
    return [...TOPIC_NAMES.map((word) => ({ word, description: 'Topic' })), ...listCommands(program)];
  }
  const noun = words.length === 1 ? findCommand(program, words[0] ?? '') : undefined;
  if (noun === undefined) return [];
  await prepare(noun);
  return listCommands(noun);
}

async function readNames({ open }: Asked, typed: Typed, kind: LiveKind, word: string): Promise<readonly string[]> {
  const names = await readLiveNames(open, typed.shared, kind, word);
  // A name that is on the line already is not offered again.
  return names.filter((name) => !typed.operands.includes(name));
}
