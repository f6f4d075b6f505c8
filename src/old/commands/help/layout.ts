import type { Command, Help } from 'commander';
import { findTopic, listOptions, listRemarks, readDocumentation } from '../../manual/documentation.ts';
import { TOPIC_NAMES } from '../../manual/topic-names.ts';
import { toSentence } from '../../text/sentence.ts';
import { hang, wrap } from '../../text/wrap.ts';
import { toCall, toPath } from '../usage.ts';

/** A noun as the list of commands has it. */
interface ListedNoun {
  readonly name: string;
  readonly summary: string;
  /** Whether it is about orgctl itself, and not about an organization. */
  readonly setsUp?: true;
}

/** Help for people who do not know the command yet: what it is, how it is called, examples, and the options last. */
export function createHelpFormat(nouns: readonly ListedNoun[]): (command: Command, helper: Help) => string {
  return (command, helper) => {
    const text = command.parent === null ? formatRoot(command, nouns) : formatCommand(command, helper);
    return `${text.join('\n')}\n`;
  };
}

const START = [
  ['orgctl help jobs', 'Daily jobs, each with its commands'],
  ['orgctl --sandbox members list', 'Try it: no account, no network'],
  ['orgctl auth login', 'Log in to your service'],
  ['orgctl doctor', 'Check connection, token and settings'],
] as const;

function formatRoot(program: Command, nouns: readonly ListedNoun[]): readonly string[] {
  const own = nouns.filter(({ setsUp }) => !setsUp);
  const setUp = nouns.filter(({ setsUp }) => setsUp).map(({ name }) => name);
  return [
    program.description(),
    `Usage: orgctl ${program.usage()}`,
    '',
    'Start',
    ...START.map(([line, says]) => `  ${line.padEnd(32)}${says}`),
    '',
    'Commands',
    ...own.map(({ name, summary }) => `  ${name.padEnd(15)}${summary}`),
    `  ${setUp.join(' ')}   Set up orgctl`,
    'Help: orgctl <noun> --help, orgctl <noun> <verb> --help, orgctl help <topic>',
    ...hang('Topics: ', TOPIC_NAMES.join(', '), DEFAULT_WIDTH),
    ...section(
      'Global options',
      program.options.map(({ flags, description }) => [flags, description]),
      DEFAULT_WIDTH,
    ),
  ];
}

function formatCommand(command: Command, helper: Help): readonly string[] {
  const width = helper.helpWidth ?? DEFAULT_WIDTH;
  const documentation = readDocumentation(command);
  const verbs = helper.visibleCommands(command);
  const path = toPath(command);
  const topic = findTopic(command);
  return [
    ...wrap(toSentence(command.description()), width),
    '',
    ...hang('Usage: ', toCall(command), width),
    ...(command.aliases().length === 0 ? [] : [`Also called: ${command.aliases().join(', ')}`]),
    ...section(
      'Arguments',
      helper
        .visibleArguments(command)
        .filter(({ description }) => description !== '')
        .map((argument) => [helper.argumentTerm(argument), argument.description]),
      width,
    ),
    ...section(
      'Commands',
      verbs.map((verb) => [[verb.name(), ...verb.aliases()].join(', '), verb.summary() || verb.description()]),
      width,
    ),
    ...lines('Examples', documentation.examples),
    ...section(
      'Options',
      listOptions(command).map(({ flags, description }) => [flags, description]),
      width,
    ),
    '',
    ...listRemarks(command).flatMap((text) => wrap(text, width)),
    ...(documentation.columns === undefined ? [] : [`Fields: ${path} --fields help`]),
    ...(topic === undefined ? [] : [`More: ${topic}`]),
    ...(verbs.length > 0 ? [`Help: ${path} <verb> --help`] : ['Global options: orgctl --help']),
  ];
}

const DEFAULT_WIDTH = 80;
const WIDEST_TERM = 34;
const NARROWEST = 20;

function section(
  heading: string,
  items: readonly (readonly [term: string, says: string])[],
  width: number,
): readonly string[] {
  if (items.length === 0) return [];
  const longest = Math.min(WIDEST_TERM, Math.max(...items.map(([term]) => term.length)));
  return ['', heading, ...items.flatMap(([term, says]) => formatItem(term, says, longest, width))];
}

/** A term that is too long for its column stands alone, and so does each where the rest of the terminal is too narrow. */
function formatItem(term: string, says: string, longest: number, width: number): readonly string[] {
  if (width - longest - 4 < NARROWEST) return [`  ${term}`, ...hang(' '.repeat(6), says, width)];
  const before = `  ${term.padEnd(longest)}  `;
  if (term.length <= longest) return hang(before, says, width);
  return [`  ${term}`, ...hang(' '.repeat(longest + 4), says, width)];
}

function lines(heading: string, texts: readonly string[]): readonly string[] {
  return texts.length === 0 ? [] : ['', heading, ...texts.map((text) => `  ${text}`)];
}
