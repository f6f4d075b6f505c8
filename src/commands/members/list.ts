import { flattenPages } from '../../api/flatten.ts';
import { listMembers } from '../../api/memberships.ts';
import { readPages } from '../../api/pagination.ts';
import { defineVerb } from '../../cli/command.ts';
import { completeTeams } from '../../cli/completers.ts';
import { createReadOptions, listEachOrg } from '../../cli/each-org.ts';
import { collectList, INCLUDE_OPTION, type OptionValues, option, PAGE_OPTIONS } from '../../cli/options.ts';
import type { Session } from '../../cli/session.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { plural } from '../../lib/text.ts';
import { addDuration, parseInstant } from '../../lib/time.ts';
import { parseEmail } from '../../members/emails.ts';
import { readTeamFinder } from '../../members/teams.ts';
import { getField } from '../../output/columns.ts';
import { INVITED_COLUMNS, MEMBER_COLUMNS } from './columns.ts';

const OPTIONS = [
  option('--status <status>', 'invited or active', { choices: ['invited', 'active'] }),
  option('--email <emails>', 'people with these emails', { parse: collectList }),
  option('-s, --search <text>', 'part of an email or a user name'),
  option('--team <team>', 'people in this team', { complete: completeTeams }),
  option('--no-2fa', 'people without two-factor authentication; excludes invited people'),
  option('--pending-older-than <duration>', 'invitations older than this, such as 30d'),
  INCLUDE_OPTION,
  ...PAGE_OPTIONS,
] as const;

type Options = OptionValues<typeof OPTIONS>;

/** Undefined if the service doesn't show the field. */
type Filter = (record: JsonObject) => boolean | undefined;

export const verb = defineVerb({
  takesSeveralOrgs: true,
  columns: MEMBER_COLUMNS,
  options: OPTIONS,
  examples: ['members list --status invited', 'members list --team owners --no-2fa', 'members list --all-orgs -o csv'],
  async run(session, options) {
    const filters = createFilters(session, options);
    const isInvited = options.pendingOlderThan !== undefined || options.status === 'invited';
    const columns = { ...(isInvited ? INVITED_COLUMNS : MEMBER_COLUMNS) };
    if (options.pendingOlderThan !== undefined) columns.empty = `no invitations older than ${options.pendingOlderThan}`;
    let unknown = 0;
    async function* read(org: string): AsyncGenerator<JsonObject[]> {
      const tests = await Promise.all(filters.map((create) => create(org)));
      for await (const records of readMembers(session, org, options, filters.length > 0)) {
        yield records.filter((record) => {
          const results = tests.map((test) => test(record));
          if (results.includes(false)) return false;
          if (results.includes(undefined)) unknown += 1;
          return !results.includes(undefined);
        });
      }
    }
    await listEachOrg(session, columns, read, options.limit);
    if (unknown > 0) {
      session.messages.warn(
        `${plural(unknown, 'person', 'people')} left out: the service doesn't show what is filtered`,
      );
    }
  },
});

function readMembers(
  session: Session,
  org: string,
  options: Options,
  isFiltered: boolean,
): AsyncIterable<JsonObject[]> {
  const { status, email, search, pendingOlderThan, include: asked } = options;
  const filter = {
    search,
    status: status ?? (pendingOlderThan === undefined ? undefined : 'invited'),
    emails: email?.map(parseEmail),
  };
  const read = createReadOptions(session, options, isFiltered);
  return flattenPages(readPages(listMembers(session.client, org, filter, { own: ['user', 'teams'], asked }, read)));
}

function createFilters({ client, runtime }: Session, options: Options): ((org: string) => Promise<Filter>)[] {
  const { team, pendingOlderThan, '2fa': twoFactor } = options;
  const filters: ((org: string) => Promise<Filter>)[] = [];
  if (team !== undefined) {
    filters.push(async (org) => {
      const { id } = (await readTeamFinder(client, org))(team);
      return ({ teams }) => (Array.isArray(teams) ? teams.some((one) => isObject(one) && one.id === id) : undefined);
    });
  }
  if (twoFactor === false) {
    filters.push(async () => (record) => {
      if (record.status === 'invited' || getField(record, 'user.is-service-account') === true) return false;
      const isOn = getField(record, 'user.two-factor.enabled');
      return typeof isOn === 'boolean' ? !isOn : undefined;
    });
  }
  if (pendingOlderThan !== undefined) {
    const before = addDuration(runtime.now(), pendingOlderThan, -1, '--pending-older-than');
    filters.push(async () => (record) => {
      if (record.status !== 'invited') return false;
      const createdAt = parseInstant(String(record['created-at']));
      return createdAt === undefined ? undefined : createdAt < before;
    });
  }
  return filters;
}
