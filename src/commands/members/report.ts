import type { Verb } from '../../cli/command.ts';
import { listEachOrg } from '../../cli/each-org.ts';
import { option } from '../../cli/options.ts';
import { readInput } from '../../cli/people.ts';
import { OrgctlError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import { plural } from '../../lib/text.ts';
import { listFields } from '../../output/columns.ts';
import { CHANGE_COLUMNS, REPORT_COLUMNS } from './columns.ts';

export const report: Verb<{ against?: string }> = {
  summary: 'Print an access review: everyone, their teams, owners and two-factor authentication',
  takesSeveralOrgs: true,
  columns: { ...REPORT_COLUMNS, fields: listFields(CHANGE_COLUMNS) },
  options: [
    option('--against <file>', 'print what changed since this earlier report, csv or json; exit 13 if anything did'),
  ],
  examples: ['members report --all-orgs -o csv > january.csv', 'members report --all-orgs --against january.csv'],
  async run(session, { against }) {
    const { client, messages } = session;
    const name = against === '-' ? 'stdin' : (against ?? '');
    const { compareReports, parseReport, readReport } = await import('../../members/report.ts');
    const earlier = against === undefined ? undefined : parseReport(await readInput(session, against), name);
    const uncompared: string[] = [];
    let changes = 0;
    async function* read(org: string): AsyncGenerator<JsonObject[]> {
      const records = await readReport(client, org);
      if (!earlier) return yield records;
      const before = earlier.get(org.toLowerCase());
      if (!before) return void uncompared.push(org);
      const rows = compareReports(before, records);
      changes += rows.length;
      yield rows;
    }
    await listEachOrg(session, earlier ? CHANGE_COLUMNS : REPORT_COLUMNS, read);
    if (uncompared.length > 0) {
      throw new OrgctlError('incomplete', `not compared: ${uncompared.join(', ')} (not in ${name})`, {
        code: 'not-compared',
      });
    }
    if (changes > 0) {
      throw new OrgctlError('attention', `${plural(changes, 'change')} since ${name}`, { code: 'changed' });
    }
    if (earlier) messages.note(`No changes since ${name}.`);
  },
};
