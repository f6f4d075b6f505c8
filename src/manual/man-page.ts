import type { Argument, Command, Option } from 'commander';
import { groupBy } from '../groups.ts';
import { listAnswered } from '../input/confirmations.ts';
import { toSentence } from '../text/sentence.ts';
import { findTopic, listOptions, listRemarks, readDocumentation } from './documentation.ts';
import { renderLines } from './markdown.ts';

/** Pages for man, made of the same commands and topics as help. */

/** The page of orgctl as a whole: its commands and the options of all of them. */
export function renderRootPage(program: Command, topics: readonly string[], version: string): string {
  const [summary = '', ...more] = program.description().split('\n');
  const options = groupBy(program.options, (option) => option.helpGroupHeading ?? 'Options:');
  const others = program.commands.filter((command) => command.name() !== 'help');
  return renderPage('orgctl', summary.replace(/^orgctl /, ''), version, [
    section('SYNOPSIS', [`${bold('orgctl')} ${roff(program.usage())}`]),
    section('DESCRIPTION', [roff([summary, ...more].join(' '))]),
    section(
      'COMMANDS',
      others.flatMap((command) => tagged(bold(command.name()), command.description())),
    ),
    section(
      'OPTIONS',
      [...options].flatMap(([heading, group]) => [...subsection(heading), ...group.flatMap(renderOption)]),
    ),
    section('CONFIRMATIONS', [
      roff('What asks first; --yes answers it:'),
      ...listAnswered().flatMap(([verb, when]) => tagged(bold(verb), when)),
    ]),
    section('EXAMPLES', laidOut(readExamples(program))),
    section('SEE ALSO', [
      [
        ...others.map((command) => `${bold(`orgctl-${command.name()}`)}(1)`),
        ...topics.map((topic) => `${bold(`orgctl-${topic}`)}(7)`),
      ].join(',\n'),
    ]),
  ]);
}

/** What fits beside the margin of a page on 80 columns. */
const TOPIC_WIDTH = 72;

/** The page of a topic, with a section for each of its parts. */
export function renderTopicPage(topic: string, markdown: string, version: string): string {
  const [first = '', ...parts] = markdown.split(/^## /m);
  const [title = '', ...intro] = first.split('\n');
  const summary = title.slice(title.indexOf(': ') + 2);
  return renderPage(
    `orgctl-${topic}`,
    summary,
    version,
    [['DESCRIPTION', ...intro], ...parts.map((part) => part.split('\n'))]
      .map(([heading = '', ...lines]) => ({ heading, lines: renderLines(lines.join('\n'), TOPIC_WIDTH) }))
      .filter(({ lines }) => lines.length > 0)
      .map(({ heading, lines }) => section(heading.toUpperCase(), laidOut(lines))),
    7,
  );
}

/** The page of a noun and its verbs, or of a command that has none. */
export function renderNounPage(noun: Command, version: string): string {
  const verbs = noun.commands;
  return renderPage(`orgctl-${noun.name()}`, noun.description(), version, [
    section(
      'SYNOPSIS',
      verbs.length === 0 ? [renderUsage(noun)] : verbs.flatMap((verb) => [renderUsage(verb), '.br']).slice(0, -1),
    ),
    section('DESCRIPTION', [roff(toSentence(noun.description()))]),
    ...(verbs.length === 0
      ? [
          section('OPTIONS', renderTaken(noun)),
          ...listRemarks(noun).map((text) => section('CONFIRMATION', [roff(text)])),
        ]
      : [section('COMMANDS', verbs.flatMap(renderVerb))]),
    section('EXAMPLES', laidOut(readExamples(noun))),
    section('EXIT STATUS', [`0 when done; ${bold('orgctl-exit-codes')}(7) has the other codes.`]),
    section('SEE ALSO', [
      `${bold('orgctl')}(1) has the options of every command.`,
      ...listTopics(noun).map((topic) => `${bold(`orgctl-${topic}`)}(7) has more.`),
    ]),
  ]);
}

/** Of a noun and its verbs. */
function listTopics(noun: Command): readonly string[] {
  const topics = [noun, ...noun.commands].flatMap((command) => findTopic(command) ?? []);
  return [...new Set(topics)].map((topic) => topic.replace('orgctl help ', ''));
}

function renderPage(
  name: string,
  summary: string,
  version: string,
  sections: readonly string[],
  chapter: 1 | 7 = 1,
): string {
  // Without a date: the same sources give the same page.
  const head = [
    `.TH ${roff(name.toUpperCase())} ${chapter} "" "orgctl ${version}" "orgctl manual"`,
    section('NAME', [`${roff(name)} \\- ${roff(summary.replace(/\.$/, ''))}`]),
  ];
  return `${[...head, ...sections].join('\n')}\n`;
}

function renderVerb(verb: Command): readonly string[] {
  const aliases = verb.aliases();
  const also = aliases.length === 0 ? '' : ` Also called ${aliases.join(', ')}.`;
  return [
    ...subsection(verb.name()),
    renderUsage(verb),
    '.PP',
    roff(toSentence(verb.description()) + also),
    ...renderTaken(verb),
    '.PP',
    ...laidOut(readExamples(verb)),
    ...listRemarks(verb).flatMap((text) => ['.PP', roff(text)]),
    ...(readDocumentation(verb).columns === undefined
      ? []
      : ['.PP', `Fields: ${bold(`${toCall(verb)} --fields help`)}`]),
  ];
}

function renderTaken(command: Command): readonly string[] {
  return [...command.registeredArguments.flatMap(renderArgument), ...listOptions(command).flatMap(renderOption)];
}

function renderArgument(argument: Argument): readonly string[] {
  return tagged(italic(argument.name()), argument.description);
}

function renderOption({ flags, description }: Pick<Option, 'flags' | 'description'>): readonly string[] {
  return tagged(bold(flags), description);
}

function renderUsage(command: Command): string {
  return `${bold(toCall(command))} ${roff(command.usage())}`.trimEnd();
}

/** `orgctl members list` */
function toCall(command: Command): string {
  const above = command.parent?.parent === null ? command.parent.name() : `orgctl ${command.parent?.name()}`;
  return `${above} ${command.name()}`;
}

function readExamples(command: Command): readonly string[] {
  return readDocumentation(command).examples.map((line) => `  ${line}`);
}

function section(title: string, lines: readonly string[]): string {
  return [`.SH ${roff(title)}`, ...lines].join('\n');
}

function subsection(heading: string): readonly string[] {
  return [`.SS ${roff(heading.replace(/:$/, ''))}`];
}

function tagged(tag: string, text: string): readonly string[] {
  return ['.TP', tag, roff(text)];
}

/** Lines that stay as they are. */
function laidOut(lines: readonly string[]): readonly string[] {
  return ['.nf', ...lines.map((line) => roff(line)), '.fi'];
}

function bold(text: string): string {
  return `\\fB${roff(text)}\\fR`;
}

function italic(text: string): string {
  return `\\fI${roff(text)}\\fR`;
}

/** Text that means itself: roff reads a backslash anywhere, and a dot or a quote at the start of a line, as its own. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(
      /[^\n -~]/gu,
      (character) => `\\[u${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`,
    )
    .replace(/^(?=[.'])/gm, '\\&');
}
