import type { Argument, Command, Option } from 'commander';
import { ERROR_CODES, STDERR_LINES } from '../../error-codes.ts';
import { EXIT_CODES } from '../../exit-codes.ts';
import { ABOUT } from '../../input/about.ts';
import { listConfirmations } from '../../input/confirmations.ts';
import { readDocumentation } from '../../manual/documentation.ts';
import { SETTINGS } from '../../settings/settings.ts';
import { type ColumnNames, listFields } from '../../stdout/columns.ts';
import { FORMATS } from '../../stdout/formats/index.ts';
import { describeFields } from '../fields.ts';
import { readParam } from '../param.ts';
import { toCall } from '../usage.ts';
import { type OtherColumns, readVerb, type VerbFacts } from '../verb.ts';
import { toResultSchema } from './result.ts';

/** Of this description. A reader of one passes over members that it does not know, which may come without a new number. */
const VERSION = 1;

/** The commands, and what is the same for all of them, as plain data: made from what help, completion and `run` go by. */
export function describeProgram(program: Command, verbs: readonly Command[]) {
  return {
    version: VERSION,
    orgctl: program.version(),
    commands: verbs.flatMap((verb) => {
      const facts = readVerb(verb);
      return facts === undefined || verb.name() === 'help' ? [] : [describeVerb(verb, facts)];
    }),
    options: program.options.map(describeOption),
    formats: Object.values(FORMATS).map(({ name, forPrograms }) => ({ name, forPrograms })),
    exits: Object.entries(EXIT_CODES).map(([name, { code, when }]) => ({ code, name, when })),
    errors: toNamed(ERROR_CODES, 'code'),
    stderr: toNamed(STDERR_LINES, 'line'),
    settings: SETTINGS.map(({ name, kind, description, environment }) => ({ name, kind, description, environment })),
  };
}

function toNamed(table: Readonly<Record<string, string>>, key: string) {
  return Object.entries(table).map(([name, when]) => ({ [key]: name, when }));
}

function describeVerb(verb: Command, facts: VerbFacts) {
  const { name, effect, columns, printsOne } = facts;
  return {
    command: name,
    summary: verb.description(),
    aliases: verb.aliases(),
    effect,
    about: ABOUT[name],
    asks: listConfirmations(name).map(({ when = null, question, typed = null, elsewhere = '--yes' }) => ({
      when,
      question,
      typed,
      elsewhere,
    })),
    usage: toCall(verb),
    arguments: verb.registeredArguments.map(describeArgument),
    options: verb.options.filter(({ hidden }) => !hidden).map(describeOption),
    examples: readDocumentation(verb).examples,
    fields: {
      shown: columns?.shown ?? [],
      all: describeAllFields(facts),
    },
    result: columns === undefined ? null : toResultSchema(joinColumns(columns, facts.others), printsOne === true),
  };
}

/** Each with the options of which it needs one; none where the command prints it without. */
function describeAllFields({ columns, others = [] }: VerbFacts) {
  const all = [{ with: [], columns }, ...others].flatMap(({ columns, ...needs }) =>
    columns === undefined ? [] : describeFields(columns).map((field) => ({ ...field, ...needs })),
  );
  return all.filter(({ field }, at) => all.findIndex((other) => other.field === field) === at);
}

/** All that a command prints with any of its options. */
function joinColumns(columns: ColumnNames, others: readonly OtherColumns[] = []): ColumnNames {
  const all = [columns, ...others.map((other) => other.columns)];
  return {
    ...columns,
    fields: all.flatMap(listFields),
    meanings: Object.assign({}, ...all.map(({ meanings }) => meanings).reverse()),
    times: all.flatMap(({ times = [] }) => times),
  };
}

function describeArgument(argument: Argument) {
  const { required, variadic, description, argChoices } = argument;
  return {
    name: argument.name(),
    summary: description,
    required,
    repeatable: variadic,
    choices: argChoices ?? null,
  };
}

function describeOption(option: Option) {
  const { long, short, description, flags, argChoices } = option;
  const { collect, complete, isList = false, need, setting = null } = readParam(option) ?? {};
  const offered = Array.isArray(complete) ? complete : [];
  const at = flags.indexOf('<');
  return {
    name: long ?? null,
    short: short ?? null,
    value: at < 0 ? null : flags.slice(at),
    summary: description,
    repeatable: collect !== undefined || isList,
    /** Here or by its setting. What goes without it beside another says `usage`. */
    required: need !== undefined && need.or === undefined && need.beside === undefined,
    setting,
    choices: argChoices ?? null,
    /** What a shell offers; others may do, too. */
    suggested: offered.map((one: (typeof offered)[number]) => (typeof one === 'string' ? one : one.word)),
  };
}
