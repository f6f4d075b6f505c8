import { showOrganization } from '../../api/organizations.ts';
import { defineVerb } from '../../cli/command.ts';
import { readEach } from '../../cli/each-org.ts';
import { assertPlain } from '../../cli/global-options.ts';
import { COUNT_OPTION, option } from '../../cli/options.ts';
import type { Session } from '../../cli/session.ts';
import { type FailedItem, formatInOneLine, OrgctlError, UsageError } from '../../lib/errors.ts';
import { readInput } from '../../lib/input.ts';
import { createOrgRecord, isObject } from '../../lib/json.ts';
import { joinNames, plural, quoteWord } from '../../lib/text.ts';
import type { Finding } from '../../organizations/evidence.ts';
import { throwFailures } from '../../organizations/names.ts';
import { openOrganization } from '../../organizations/organization.ts';
import { formatRules, INITIAL, type PreparedRule, prepareRules } from '../../organizations/rules/index.ts';
import { CHECK_COLUMNS } from './columns.ts';

type CheckRow = ReturnType<typeof createRow>;

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: CHECK_COLUMNS,
  options: [
    option('--rules <file>', 'YAML with other values, such as `owners: 2..3` or `settings: off`; - is stdin'),
    option('--init', 'print the rules as YAML instead'),
    COUNT_OPTION,
  ],
  examples: [
    'organizations check',
    'organizations check --init > rules.yaml',
    'organizations check --rules rules.yaml --all-orgs -o csv',
  ],
  async run(session, { rules: file, init, ...options }) {
    const { output, messages, runtime } = session;
    if (init) {
      if (file !== undefined) throw new UsageError('use --init or --rules, not both');
      assertPlain(options, 'check --init', ['-o json']);
      return output.text(output.format === 'json' ? `${JSON.stringify(INITIAL, null, 2)}\n` : formatRules());
    }
    const rules = file === undefined ? prepareRules({}, '', runtime.now()) : await readRules(session, file);
    const orgs = await session.orgs();
    const { rows, failures } = await checkAll(session, orgs, rules);
    const select = (status: CheckRow['status']): CheckRow[] => rows.filter((row) => row.status === status);
    const records = ORDER.flatMap(select);
    await output.list(CHECK_COLUMNS, [records]);
    // What repairs a failure is wider than most terminals.
    const fixes = records.flatMap(({ organization, rule, fix }) => (fix ? `${organization.id}, ${rule}: ${fix}` : []));
    const reasons = output.hidden.includes('fix') ? fixes : [];
    const counts = (['ok', 'failed', 'unknown', 'off'] as const).map((status) => `${select(status).length} ${status}`);
    const things = orgs.length > 1 ? plural(orgs.length, 'organization') : plural(rules.length, 'rule');
    const summary = `${things}: ${counts.filter((count) => !count.startsWith('0 ')).join(', ') || 'none checked'}`;
    output.facts = { found: summary };
    const items = [...failures, ...orgs.flatMap((org) => findUnknown(org, select('unknown'), failures))];
    if (items.length > 0) throw new OrgctlError('incomplete', summary, { items, reasons });
    if (select('failed').length > 0) throw new OrgctlError('attention', summary, { reasons });
    messages.note(summary);
  },
});

const FORM = 'Print one with `orgctl organizations check --init`.';
const ORDER = ['failed', 'unknown', 'ok', 'off'] as const;

async function readRules(session: Session, file: string): Promise<PreparedRule[]> {
  const { text, name } = await readInput(session, file);
  const { parseYaml } = await import('../../lib/yaml.ts');
  const values = parseYaml(text, name, FORM) ?? {};
  if (isObject(values)) return prepareRules(values, name, session.runtime.now());
  throw new UsageError(`${name} has no rules`, { hint: FORM });
}

/** Throws only if the service rejects the token for every organization. */
async function checkAll(session: Session, orgs: string[], rules: PreparedRule[]) {
  const rows: CheckRow[] = [];
  const failures: FailedItem[] = [];
  const { client, runtime } = session;
  const check = async (org: string): Promise<CheckRow[]> => {
    const { attributes = {} } = await showOrganization(client, org);
    const organization = openOrganization(client, org, attributes, runtime.now());
    return Promise.all(rules.map(async (rule) => createRow(session, org, rule, await rule.check(organization))));
  };
  for await (const { org, value, error } of readEach(session, orgs, check, failures)) {
    const found = error ? [formatInOneLine(error)] : [];
    rows.push(...(value ?? rules.map((rule) => createRow(session, org, rule, { status: 'unknown', found }))));
  }
  const areRejected = failures.every(({ error }) => error.exit === 'not-authenticated');
  if (failures.length === orgs.length && areRejected) throwFailures(failures, orgs.length);
  return { rows, failures };
}

/** What is unknown of an organization that could be read. */
function findUnknown(org: string, rows: CheckRow[], failures: FailedItem[]): FailedItem[] {
  const names = rows.filter(({ organization }) => organization.id === org).map(({ rule }) => rule);
  if (names.length === 0 || failures.some(({ item }) => item === org)) return [];
  return [{ item: org, error: new OrgctlError('incomplete', `can't judge ${joinNames(names)}`) }];
}

function createRow({ messages }: Session, org: string, { name, expected }: PreparedRule, finding: Finding) {
  const { status, found, fix = [] } = finding;
  const commands = fix.map((words) => ['orgctl', ...words, `--org=${org}`].map(quoteWord).join(' '));
  const completed = commands.map(messages.completeCommand).join(' && ') || null;
  return { organization: createOrgRecord(org), rule: name, status, found, expected, fix: completed };
}
