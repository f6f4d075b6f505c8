import { defineVerb } from '../../cli/command.ts';
import { listEachOrg } from '../../cli/each-org.ts';
import { COUNT_OPTION, collect, option } from '../../cli/options.ts';
import { OrgctlError } from '../../lib/errors.ts';
import { readInput } from '../../lib/input.ts';
import type { JsonObject } from '../../lib/json.ts';
import { isSameName, plural } from '../../lib/text.ts';
import { REPORT_CHANGE_COLUMNS, REPORT_COLUMNS, withLastActive } from '../../members/columns.ts';
import { listFields } from '../../output/columns.ts';

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: { ...REPORT_COLUMNS, fields: listFields(withLastActive(REPORT_CHANGE_COLUMNS)).join(' ') },
  options: [
    option('--against <file>', 'print what changed since this earlier report, csv or json; exit 13 if anything did'),
    option('--activity <file>', 'add when people were last active, by events of `audit-trail follow`; repeatable', {
      parse: collect,
    }),
    COUNT_OPTION,
  ],
  examples: ['members report --all-orgs -o csv > january.csv', 'members report --all-orgs --against january.csv'],
  async run(session, { against, activity: files }) {
    const { client, messages, output } = session;
    const { openActivity } = await import('../../members/activity.ts');
    const { compareReports, findUnknown, parseReport, readReport } = await import('../../members/report.ts');
    const input = against === undefined ? undefined : await readInput(session, against);
    const earlier = input && parseReport(input.text, input.name);
    // The files are read before anything is sent.
    const activity = files && (await openActivity(session, client, files));
    const unknown: string[] = [];
    let changes = 0;
    async function* read(org: string): AsyncGenerator<JsonObject[]> {
      const listed = await readReport(client, org);
      const records = activity ? await activity.add(org, listed) : listed;
      const before = earlier?.get(org.toLowerCase());
      if (earlier && !before) return void unknown.push(`${org} (not in ${input?.name})`);
      unknown.push(...findUnknown(records, before).map((fact) => `${fact} in ${org}`));
      if (!before) return yield records;
      const rows = compareReports(before, records);
      changes += rows.length;
      yield rows;
    }
    const columns = earlier ? REPORT_CHANGE_COLUMNS : REPORT_COLUMNS;
    await listEachOrg(session, activity ? withLastActive(columns) : columns, read);
    if (activity) {
      output.facts = { activity: activity.describe() };
      messages.note(`activity: ${output.facts.activity}`);
    }
    if (!input || !earlier) {
      if (unknown.length > 0) messages.warn(`could not be read: ${unknown.join('; ')}`);
      return;
    }
    const orgs = await session.orgs();
    const others = [...earlier.keys()].filter((org) => !orgs.some((name) => isSameName(name, org)));
    unknown.push(...others.map((org) => `${org} (only in ${input.name})`));
    const found = changes > 0 ? `${plural(changes, 'change')} since ${input.name}` : undefined;
    if (unknown.length > 0) {
      throw new OrgctlError('incomplete', `${found ? `${found}; ` : ''}not compared: ${unknown.join('; ')}`, {
        code: 'not-compared',
      });
    }
    if (found) throw new OrgctlError('attention', found, { code: 'changed' });
    output.facts['found'] = `No changes since ${input.name}.`;
    messages.note(output.facts['found']);
  },
});
