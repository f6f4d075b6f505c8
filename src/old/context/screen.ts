import type { Host, HostOutput } from '../host.ts';
import type { CommandName } from '../input/about.ts';
import { type AnyAsked, type Asked, type ConfirmationName, fillIn, findConfirmation } from '../input/confirmations.ts';
import type { Interrupts } from '../interrupts.ts';
import { once } from '../once.ts';
import type { PageFacts } from '../service/page.ts';
import { type Left, type ListReading, toReading } from '../service/pages.ts';
import type { Settings } from '../settings/resolve-settings.ts';
import { createCommandOutput } from '../stderr/command-output.ts';
import { askFor, askSecret, confirm, findSilence, type Question } from '../stderr/prompt.ts';
import type { Reporter } from '../stderr/reporter.ts';
import type { Stderr } from '../stderr/stream.ts';
import type { Waiting } from '../stderr/waiting.ts';
import { type Columns, describeEmpty, toAnyColumns } from '../stdout/columns.ts';
import { FORMATS, type Format } from '../stdout/formats/index.ts';
import type { Output } from '../stdout/output.ts';
import type { Listed } from '../stdout/result.ts';
import { countThings, describePart, formatCount } from '../text/count.ts';
import { listNames } from '../text/join.ts';
import { createWriter, type Writer } from '../text/write.ts';

export type Screen = ReturnType<typeof createScreen>;

export interface ScreenOptions {
  readonly host: Host;
  readonly stderr: Stderr;
  readonly requested: {
    /** What `-o` names, or `--query` means. */
    readonly format: Format | undefined;
    readonly fields: readonly string[] | undefined;
    readonly query: string | undefined;
  };
  /** Whose questions may be asked. */
  readonly verb: CommandName | undefined;
  readonly yes: boolean;
  readonly dryRun: boolean;
  /** The writes that a dry run has kept from leaving so far. */
  readonly planned: object[];
  readonly reporter: Reporter;
  readonly waiting: Waiting;
  readonly interrupts: Pick<Interrupts, 'signal'>;
  /** Throws UsageError when one in use cannot be read. */
  settings(): Settings;
}

/** What is printed, said and asked. */
export function createScreen(options: ScreenOptions) {
  const { host, stderr, requested, verb, yes, dryRun, planned, reporter, waiting, interrupts, settings } = options;
  const { signal } = interrupts;
  const { secrets } = reporter;
  const terminal = { host, stderr, hide: secrets.redactText, signal };
  const silence = (): string | undefined => findSilence(terminal, settings()['no-input']);
  const listPlanned = (): readonly object[] => planned.map((write) => secrets.redactValue(write) as object);
  const openStdout = once(() => createWriter(host.stdout));
  /** The only way to stdout, but for help. */
  const stdout: Writer = {
    write(text) {
      if (text !== '') waiting.beforeStdout();
      return openStdout().write(text);
    },
  };
  /** Said in place of an empty list, where it is not the whole one. */
  let pastEnd: string | undefined;
  const makeOutput = async (stream: HostOutput, writer: Writer): Promise<Output> => {
    const { output: chosen, 'no-color': noColor, accessible } = settings();
    const { openOutput } = await import('../stdout/output.ts');
    return await openOutput({
      host,
      stdout: stream,
      writer,
      format: FORMATS[chosen.value ?? (stream.isTTY === true ? 'table' : 'tsv')],
      fields: requested.fields,
      query: requested.query,
      noColor: noColor.value,
      noteEmpty: (columns) => reporter.noteAtTerminal(pastEnd ?? describeEmpty(columns)),
      noteHidden: (fields) => reporter.note(`(no room for ${fields.join(', ')}; use --fields or -o json)`),
      accessible: accessible.value,
      ...(dryRun ? { planned: listPlanned } : {}),
    });
  };
  const outputs = {
    stdout: once(() => makeOutput(host.stdout, stdout)),
    stderr: once(() => makeOutput(stderr.stream, stderr)),
  };
  const listAll = async <Row extends object>(
    columns: Columns<Row>,
    reading: ListReading<Listed<NoInfer<Row>>>,
  ): Promise<void> => {
    const line = waiting.step(`Reading ${columns.name}`);
    const start = host.now();
    let count = 0;
    let total: number | undefined;
    try {
      await (await outputs.stdout()).list(columns, {
        async *read(way, keep) {
          yield* reading.read(way, (page) => {
            count += page.items.length;
            total = page.pagination?.totalCount;
            pastEnd = describePastEnd(page.pagination);
            const part = describePart(count, reading.expected?.(), host.now() - start);
            line.update(`Reading ${columns.name}: ${part}`);
            return keep(page);
          });
        },
      });
    } finally {
      line.stop();
    }
    const left = describeLeft(reading.left?.());
    if (left !== undefined) {
      await reporter.noteAtTerminal(`Showing ${formatCount(count)}; the limit was reached, so ${left}.`);
    } else if (count === reading.limit && total !== undefined && total > count) {
      await reporter.noteAtTerminal(`Showing ${formatCount(count)} of ${formatCount(total)}.`);
    }
  };
  return {
    /** What the command line names, whatever the settings say. */
    requested,
    /** Prints results; on stderr where stdout holds something else. */
    output: (stream: 'stdout' | 'stderr' = 'stdout') => outputs[stream](),
    /** Prints a list, or records that are all there. */
    async list<Row extends object>(
      columns: Columns<Row>,
      items: ListReading<Listed<NoInfer<Row>>> | readonly Listed<NoInfer<Row>>[],
    ): Promise<void> {
      if ('read' in items) await listAll(columns, items);
      else
        await (await outputs.stdout()).list(
          columns,
          toReading(async () => items),
        );
    },
    stdout,
    /** Puts this text and one newline on stdout, whatever the settings say and whether or not they can be read. */
    print: (text: string) => stdout.write(`${text}\n`),
    /** What makes lines of ndjson of records, for a command that gets them. Throws UsageError for unknown fields. */
    async createLines<Row extends object>(
      columns: Columns<Row>,
    ): Promise<(records: readonly Row[]) => string | Promise<string>> {
      const createNdjson = await FORMATS.ndjson.load();
      const feed = createNdjson({ host, stdout: host.stdout, fields: requested.fields }).feed(
        toAnyColumns(columns),
        false,
      );
      return (records) => feed.add(records);
    },
    /** Whether stderr speaks lines of JSON. */
    isJson: reporter.isJson,
    /** The writes that a dry run has kept from leaving so far. */
    listPlanned,
    /** Says what the command does, from now until it is stopped, which has to happen; without it its requests say it. */
    progress: waiting.step,
    note: reporter.note,
    /** What was done, where no result says so. */
    done: reporter.done,
    /** Adds to what a dry run lists what is no request. It is said elsewhere. */
    planDelivery(effect: string): void {
      planned.push({ effect });
    },
    /** Throws UsageError for fields that no such plan has. */
    async checkPlanFields(): Promise<void> {
      (await outputs.stdout()).checkFields(PLANS);
    },
    /** Says what a dry run leaves as it is on this machine. Programs that read JSON get it as the result, too. */
    async plan(effect: string): Promise<void> {
      const output = await outputs.stdout();
      await reporter.note(`Would ${effect}`);
      if (output.format.forPrograms)
        await output.one(PLANS, { changed: false, planned: { effect: effect.replace(/\.$/, '') } });
    },
    /** A note beside results, where a person looks at them. */
    noteAtTerminal: reporter.noteAtTerminal,
    warn: reporter.warn,
    /** Whether a person is there to answer. */
    canAsk: (): boolean => silence() === undefined,
    /** Why not; undefined where one is. */
    findSilence: silence,
    /** Returns when confirmed, and at once in a dry run. Throws otherwise. */
    async confirm<Name extends ConfirmationName>(name: Name, asked: Asked<Name>): Promise<void> {
      const { question, ...row } = findConfirmation(name, verb);
      const { consequences = [] }: AnyAsked = asked;
      if (dryRun && row.isPreviewed) for (const line of consequences) reporter.note(line);
      if (dryRun || yes || (row.elsewhere === 'nothing' && silence() !== undefined)) return;
      const confirmation = { question: fillIn(question, asked), consequences };
      await waiting.without(() => confirm(terminal, confirmation, silence()));
    },
    /** What is answered at the terminal; undefined at its end. For where a person is there. */
    ask: <Value>(question: Question<Value>) => waiting.without(() => askFor(terminal, question)),
    /** What is typed at the terminal, unseen. Throws `cancelled` where nothing is. */
    askSecret: (question: string) => waiting.without(() => askSecret(terminal, question)),
    secrets,
    /** For the commands that a verb runs. */
    commandOutput: { ...createCommandOutput(stderr, secrets, reporter.isJson), whileRunning: waiting.still },
  };
}

const PLANS: Columns<{ readonly changed: false; readonly planned: object }> = {
  name: 'plans',
  shape: 'record',
  shown: ['changed', 'planned'],
};

/** `globex and initech were not read` */
function describeLeft(left: Left | undefined): string | undefined {
  const { unread = [], cut } = left ?? {};
  if (unread.length > 0) return `${listNames(unread)} ${unread.length === 1 ? 'was' : 'were'} not read`;
  return cut === undefined ? undefined : `not all of ${cut} was read`;
}

/** `There is no page 99: the list has 2.` Undefined of a page that is there. */
function describePastEnd({ current, totalPages }: Partial<PageFacts> = {}): string | undefined {
  if (current === undefined || totalPages === undefined || totalPages < 1 || current <= totalPages) return undefined;
  return `There is no page ${formatCount(current)}: the list has ${countThings(totalPages, 'page', 'pages')}.`;
}
