import { listMembers, USER_AND_TEAMS } from '../../api/memberships.ts';
import type { ReadOptions } from '../../api/pagination.ts';
import { defineVerb } from '../../cli/command.ts';
import { completeTeams } from '../../cli/completers.ts';
import { listEachOrg } from '../../cli/each-org.ts';
import { collectList, INCLUDE_OPTION, LIST_OPTIONS, type OptionValues, option } from '../../cli/options.ts';
import type { Session } from '../../cli/session.ts';
import { OrgctlError } from '../../lib/errors.ts';
import { getField, type JsonObject } from '../../lib/json.ts';
import { plural } from '../../lib/text.ts';
import { addDuration, parseInstant } from '../../lib/time.ts';
import { INVITED_COLUMNS, MEMBER_COLUMNS } from '../../members/columns.ts';
import { parseEmail } from '../../members/member-query.ts';
import { readTeams } from '../../members/teams.ts';

const OPTIONS = [
  option('--status <status>', 'invited or active', { choices: ['invited', 'active'] }),
  option('--email <emails>', 'people with these emails', { parse: collectList }),
  option('-s, --search <text>', 'part of an email or a user name'),
  option('--team <team>', 'people in this team', { complete: completeTeams }),
  option('--no-2fa', 'people without two-factor authentication; excludes invited people'),
  option('--pending-older-than <duration>', 'invitations older than this, such as 30d'),
  INCLUDE_OPTION,
  ...LIST_OPTIONS,
] as const;

/** Undefined if the service doesn't show the field. */
type Filter = (record: JsonObject, teamId: string | undefined) => boolean | undefined;

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: MEMBER_COLUMNS,
  options: OPTIONS,
  examples: ['members list --status invited', 'members list --team owners --no-2fa', 'members list --all-orgs -o csv'],
  async run(session, options) {
    const { search, email, team, pendingOlderThan } = options;
    const filters = createFilters(session, options);
    const status = options.status ?? (pendingOlderThan === undefined ? undefined : 'invited');
    const emails = email && [...new Map(email.map((text) => [text.toLowerCase(), parseEmail(text)])).values()];
    const include = { ...USER_AND_TEAMS, asked: options.include };
    const columns = { ...(status === 'invited' ? INVITED_COLUMNS : MEMBER_COLUMNS) };
    if (pendingOlderThan !== undefined) columns.empty = `no invitations older than ${pendingOlderThan}`;
    let unknown = 0;
    async function* read(org: string, pages: ReadOptions): AsyncGenerator<JsonObject[]> {
      const teamId = team === undefined ? undefined : (await readTeams(session.client, org)).get(team).id;
      const list = listMembers(session.client, org, { search, status, emails }, include);
      for await (const records of list.records(pages)) {
        yield records.filter((record) => {
          const results = [...filters.values()].map((test) => test(record, teamId));
          if (results.includes(false)) return false;
          if (results.includes(undefined)) unknown += 1;
          return !results.includes(undefined);
        });
      }
    }
    await listEachOrg(session, columns, read, options, [...filters.keys()]);
    if (unknown === 0) return;
    const people = plural(unknown, 'person', 'people');
    throw new OrgctlError('incomplete', `${people} left out: the service doesn't show what is filtered`);
  },
});

function createFilters({ runtime }: Session, options: OptionValues<typeof OPTIONS>): Map<string, Filter> {
  const { team, pendingOlderThan, '2fa': twoFactor } = options;
  const filters = new Map<string, Filter>();
  if (team !== undefined) {
    filters.set('--team', (record, teamId) => {
      const ids = getField(record, 'teams.id');
      return Array.isArray(ids) ? ids.includes(teamId) : undefined;
    });
  }
  if (twoFactor === false) {
    filters.set('--no-2fa', (record) => {
      if (record.status === 'invited' || getField(record, 'user.is-service-account') === true) return false;
      const isOn = getField(record, 'user.two-factor.enabled');
      return typeof isOn === 'boolean' ? !isOn : undefined;
    });
  }
  if (pendingOlderThan !== undefined) {
    const before = addDuration(runtime.now(), pendingOlderThan, -1, '--pending-older-than');
    filters.set('--pending-older-than', (record) => {
      if (record.status !== 'invited') return false;
      const createdAt = parseInstant(String(record['created-at']));
      return createdAt === undefined ? undefined : createdAt < before;
    });
  }
  return filters;
}
