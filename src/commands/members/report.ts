import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { OrgctlError } from '../../errors.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { createChangeCount, createReportCount } from '../../report/count.ts';
import type { EarlierReport } from '../../report/read-earlier.ts';
import { readReport } from '../../report/report.ts';
import type { Page } from '../../service/page.ts';
import type { ListReading } from '../../service/pages.ts';
import type { FlatRecord } from '../../stdout/flatten.ts';
import { countThings } from '../../text/count.ts';
import { CHANGE_COLUMNS, REPORT_COLUMNS } from './columns.ts';
import { toFileReader } from './options.ts';

export function registerReport(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('report')
    .description('Print an access review: everyone, their teams, owners and second factor')
    .option('--against <file>', 'Print what changed since this earlier report, csv or json (exit 13 if anything did)');
  addDocumentation(verb, {
    examples: ['orgctl members report -o csv > report.csv', 'orgctl members report --against report.csv'],
    columns: REPORT_COLUMNS,
  }).action(async ({ against }: { readonly against?: string }) => {
    const context = open(verb);
    await (against === undefined ? printReport(context) : printChanges(context, against));
  });
}

async function printReport(context: Context): Promise<void> {
  const { identity, screen, services } = context;
  const count = createReportCount();
  const service = await services.current();
  const organization = identity.organization();
  const read = async (): Promise<readonly FlatRecord[]> => {
    const records = await readReport(service, organization);
    count.add(organization, records);
    return records;
  };
  await screen.list(REPORT_COLUMNS, toReading(read));
  for (const text of count.listUnknown()) screen.warn(text);
  screen.note(count.describe());
}

async function printChanges(context: Context, path: string): Promise<void> {
  const { identity, screen, services } = context;
  // With the parser of CSV.
  const { readEarlier } = await import('../../report/read-earlier.ts');
  const { compareReports } = await import('../../report/compare.ts');
  const earlier = await readEarlier(toFileReader(context), path);
  const service = await services.current();
  const count = createReportCount();
  const change = createChangeCount(earlier);
  const organization = identity.organization();
  const read = async (): Promise<readonly FlatRecord[]> => {
    const records = await readReport(service, organization);
    count.add(organization, records);
    if (!change.isComparable(organization)) return [];
    const comparison = compareReports(earlier.take(organization), records);
    change.add(organization, comparison);
    return comparison.changes;
  };
  await screen.list(CHANGE_COLUMNS, toReading(read));
  for (const text of [...count.listUnknown(), ...change.listUnknown()]) screen.warn(text);
  const said = change.describe();
  if (said !== undefined) screen.note(said);
  refuseChanges(change, earlier);
}

function refuseChanges(change: ReturnType<typeof createChangeCount>, { name }: EarlierReport): void {
  const missing = change.countMissing();
  const next = [['orgctl', 'members', 'report', '-o', 'csv']];
  if (missing > 0) {
    const what = countThings(missing, 'organization was', 'organizations were');
    throw new OrgctlError('incomplete', `${what} not compared with ${name}`, {
      code: 'not-compared',
      hint: 'Compare two reports of the same organizations.',
    });
  }
  if (change.count() === 0) return;
  throw new OrgctlError('attention', `${countThings(change.count(), 'change', 'changes')} since ${name}`, {
    code: 'changed',
    hint: 'Check them, and print the report that the next one is compared with:',
    next,
  });
}

/** So many rows are made to text at a time. */
const ROWS_AT_ONCE = 500;

function toReading(read: () => Promise<readonly FlatRecord[]>): ListReading {
  const toPage = (items: readonly FlatRecord[]) => ({
    items,
    included: [],
    document: { data: items },
    pagination: undefined,
  });
  return {
    async *stream() {
      const records = await read();
      for (let start = 0; start < records.length; start += ROWS_AT_ONCE) {
        yield toPage(records.slice(start, start + ROWS_AT_ONCE));
      }
    },
    async collect<Kept = Page>(keep: (page: Page) => Kept | Promise<Kept> = (page) => page as Kept) {
      return [await keep(toPage(await read()))];
    },
    shortfall: () => undefined,
  };
}
