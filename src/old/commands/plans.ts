import type { Context } from '../context/context.ts';
import { OrgctlError, UsageError } from '../errors.ts';
import { OF_FILE } from '../input/next-command.ts';
import { refuseUnread, toUnread } from '../organizations/failures.ts';
import { findReadable } from '../organizations/organizations.ts';
import type { Columns, Sentence } from '../stdout/columns.ts';
import { describeOrganizations, formatCount } from '../text/count.ts';
import { joinNames } from '../text/join.ts';
import { toPlainJson } from '../text/plain-text.ts';
import { shortenList } from '../text/shorten.ts';
import { takesSigns } from '../text/signs.ts';
import { count } from './options.ts';

/** What the commands share that show how a file differs from the service, and make the service like the file. */

/** Throws UsageError for options that do not go with `--init`, which prints `file` and no plan. */
export function refuseBesideInit(beside: readonly string[], file: string): void {
  if (beside.length === 0) return;
  const how = beside.length === 1 ? `or ${beside[0]}, not both` : `without ${joinNames(beside)}`;
  throw new UsageError(`use --init ${how}`, { hint: `It prints ${file}, not a plan.` });
}

interface FileToPrint<List> {
  /** What to do to get a table instead. */
  readonly hint: string;
  readonly next: readonly string[];
  read(organization: string): Promise<List>;
  render(lists: readonly List[], form: { readonly isSeveral: boolean; readonly kind: 'yaml' | 'json' }): string;
}

/** Prints the file that makes no difference, for `--init`. Throws what failed when the rest is printed. */
export async function printFile<List extends object>(
  context: Context,
  { hint, next, read, render }: FileToPrint<List>,
): Promise<void> {
  const { organizations, screen } = context;
  refuseShapes(screen, '--init prints YAML, or JSON with -o json', { hint, next: [next] });
  const found = await findReadable(organizations, read);
  const kind = screen.requested.format === undefined ? 'yaml' : 'json';
  const lists = found.flatMap(({ value }) => value ?? []);
  const text = render(lists, { isSeveral: !organizations.isOne, kind });
  await (await screen.output()).raw(toPlainJson(text).trimEnd());
  refuseUnread(toUnread(found), found.length);
}

function refuseShapes(
  { requested: { format, fields, query } }: Context['screen'],
  what: string,
  advice: { readonly hint: string; readonly next?: readonly (readonly string[])[] },
): void {
  if (format?.isDocument !== false && fields === undefined && query === undefined) return;
  throw new UsageError(`${what}, and takes no --fields or --query`, advice);
}

interface PlanView<Row> {
  readonly columns: Columns<Row>;
  readonly records: readonly Row[];
  readonly sentences: readonly Sentence[];
}

/** As sentences where people read it, else as records. */
export async function printSteps<Row extends object>(
  { screen }: Context,
  { columns, records, sentences }: PlanView<Row>,
): Promise<void> {
  const { format } = await screen.output();
  if (!format.forPeople || screen.requested.fields !== undefined) await screen.list(columns, records);
  else if (sentences.length > 0) {
    const asSaid: Columns<Sentence> = {
      name: columns.name,
      shape: 'record',
      shown: [],
      sentences: (sentence) => [sentence],
    };
    await screen.list(asSaid, sentences);
  }
}

/** The file that a plan was made from. */
export interface PlanSource {
  readonly name: string;
  readonly isFile: boolean;
  /** Whether the file names the organizations. */
  readonly isOfFile: boolean;
}

/** Throws `attention` where the service differs from the file. `apply`: the words that apply it, with its options. */
export function refuseDifference(
  steps: readonly { readonly organization: string }[],
  { name, isFile, isOfFile }: PlanSource,
  { hint, apply: [noun, ...flags] }: { readonly hint: string; readonly apply: readonly string[] },
): void {
  const differing = [...new Set(steps.map(({ organization }) => organization))];
  if (differing.length === 0) return;
  const differs = differing.length === 1 ? 'differs' : 'differ';
  throw new OrgctlError('attention', `${describeOrganizations(differing)} ${differs} from ${name}`, {
    code: 'drift',
    hint,
    next: isFile ? [['orgctl', `${noun}`, 'apply', ...(isOfFile ? [OF_FILE] : []), ...flags]] : [],
  });
}

const MOST_REMOVALS = 5;

/** `effect` is what would happen, such as `people would be removed`. `options`: those that remove. */
export function maxRemovals(effect: string, options = '--prune') {
  return count(
    '--max-removals <n>',
    `With ${options}: change nothing if more than this many ${effect} (default: ${MOST_REMOVALS})`,
    {
      from: 0,
    },
  );
}

/** `prunes`: whether one of the `options` was given. Throws UsageError where none was. */
export function toMostRemovals(
  given: number | undefined,
  prunes: boolean,
  without: string,
  options = '--prune',
): number {
  if (given !== undefined && !prunes) {
    throw new UsageError(`--max-removals works only with ${options}`, { hint: without });
  }
  return given ?? MOST_REMOVALS;
}

interface Removals {
  readonly lines: readonly Sentence[];
  readonly most: number;
  readonly verb: 'remove' | 'delete';
  /** Completes `name would …`. */
  readonly effect: string;
  /** Of the file. */
  readonly name: string;
}

/** Throws UsageError where more would go than may. */
export function refuseManyRemovals(context: Context, { lines, most, verb, effect, name }: Removals): void {
  if (lines.length <= most) return;
  throw new UsageError(`${name} would ${effect}; the limit is ${most} (--max-removals)`, {
    code: 'too-many-removals',
    reasons: shortenList(toSignedLines(context, lines)),
    hint: `Nothing was sent. To ${verb} them all, add --max-removals ${lines.length}.`,
  });
}

export function toSignedLines({ identity, places }: Context, sentences: readonly Sentence[]): readonly string[] {
  const signs = takesSigns(places.host, identity.settings.accessible.value);
  return sentences.map(({ sign, text }) => (signs ? `${sign} ${text}` : text));
}

/** Where no one is asked, what is about to happen is shown all the same; a dry run says it of each. */
export async function confirmSteps(
  context: Context,
  steps: readonly { readonly organization: string }[],
  sentences: readonly Sentence[],
): Promise<void> {
  const { identity, screen, services } = context;
  if (services.dryRun) return;
  const lines = toSignedLines(context, sentences);
  if (identity.optionGiven('yes')) {
    for (const line of screen.isJson ? [lines.join('; ')] : lines) screen.note(line);
  }
  await screen.confirm('apply roster', {
    changes: steps.length === 1 ? 'this change' : `these ${formatCount(steps.length)} changes`,
    place: describePlaceOf(steps),
    consequences: lines,
  });
}

export function describePlaceOf(steps: readonly { readonly organization: string }[]): string {
  return describeOrganizations(steps.map(({ organization }) => organization));
}
