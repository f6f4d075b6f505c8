import type { Context } from '../../context/context.ts';
import { OrgctlError } from '../../errors.ts';
import { foldName } from '../../names.ts';
import { readTogether } from '../../organizations/read-together.ts';
import type { Hold } from '../../organizations/side-by-side.ts';
import type { ChangeRow } from '../../report/compare.ts';
import { createChangeCount, createReportCount } from '../../report/count.ts';
import type { EarlierReport } from '../../report/read-earlier.ts';
import { readReport } from '../../report/report.ts';
import { toReading } from '../../service/pages.ts';
import type { Service } from '../../service/service.ts';
import type { Columns } from '../../stdout/columns.ts';
import { countThings } from '../../text/count.ts';
import type { ReportRow } from '../../wire/flat.ts';
import { ORGANIZATIONS, printTogether } from '../organizations.ts';
import { text } from '../param.ts';
import { toFileReader } from '../people.ts';
import { verb } from '../verb.ts';
import { CHANGE_COLUMNS, REPORT_COLUMNS, SINGLE_REPORT_COLUMNS } from './columns.ts';

export const report = verb({
  name: 'members report',
  help: 'Print an access review: everyone, their teams, owners and second factor',
  effect: 'reads',
  options: {
    against: text(
      '--against <file>',
      'Print what changed since this earlier report, csv or json (exit 13 if anything did)',
      { complete: 'files' },
    ),
    ...ORGANIZATIONS,
  },
  examples: [
    'orgctl members report --all-orgs -o csv > january.csv',
    'orgctl members report --all-orgs --against january.csv',
    'orgctl members report --fields email,teams.name,owner,user.two-factor.enabled',
  ],
  columns: REPORT_COLUMNS,
  others: [{ with: ['--against'], columns: CHANGE_COLUMNS }],
  run: (context, { against }) => (against === undefined ? printReport(context) : printChanges(context, against)),
});

async function printReport(context: Context): Promise<void> {
  const { screen } = context;
  const count = createReportCount();
  const read = async (service: Service, organization: string, hold?: Hold): Promise<readonly ReportRow[]> => {
    const records = await readReport(service, organization, hold);
    count.add(organization, records);
    return records;
  };
  try {
    const organizations = await context.organizations.names();
    const columns = organizations.length === 1 ? SINGLE_REPORT_COLUMNS : REPORT_COLUMNS;
    await listRows(context, columns, read, organizations);
  } finally {
    // Where some could not be read too.
    for (const text of count.listUnknown()) screen.warn(text);
    noteIfAny(screen, count.describe());
  }
}

async function printChanges(context: Context, path: string): Promise<void> {
  const { screen } = context;
  // With the parser of CSV.
  const { readEarlier } = await import('../../report/read-earlier.ts');
  const { compareReports } = await import('../../report/compare.ts');
  const earlier = await readEarlier(toFileReader(context), path);
  const organizations = await context.organizations.names();
  const count = createReportCount();
  const change = createChangeCount(earlier, organizations);
  const read = async (service: Service, organization: string, hold?: Hold): Promise<readonly ChangeRow[]> => {
    const records = await readReport(service, organization, hold);
    count.add(organization, records);
    if (!earlier.organizations.has(foldName(organization))) return [];
    const comparison = compareReports(earlier.take(organization), records);
    change.add(organization, comparison);
    return comparison.changes;
  };
  try {
    await listRows(context, CHANGE_COLUMNS, read, organizations);
  } finally {
    for (const text of [...count.listUnknown(), ...change.listUnknown()]) screen.warn(text);
    noteIfAny(screen, change.describe());
  }
  refuseChanges(change, earlier);
}

async function listRows<Row extends ReportRow>(
  context: Context,
  columns: Columns<Row>,
  read: (service: Service, organization: string, hold?: Hold) => Promise<readonly Row[]>,
  organizations: readonly string[],
): Promise<void> {
  const { screen, services } = context;
  const service = await services.current();
  const { reading, failures } = readTogether({
    organizations,
    read: (organization, hold) =>
      toReading(async () => {
        const records = await read(service, organization, hold);
        hold.end();
        return records;
      }, ROWS_AT_ONCE),
  });
  await printTogether(failures, () => screen.list(columns, reading));
}

function noteIfAny({ note }: Context['screen'], text: string | undefined): void {
  if (text !== undefined) note(text);
}

function refuseChanges(change: ReturnType<typeof createChangeCount>, { name }: EarlierReport): void {
  const { missing } = change;
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
