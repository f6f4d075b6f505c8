import { type AuditEvent, assertCanReadTrail, assertTrailOf, readEventId, readTrail } from '../../api/audit-trail.ts';
import { RETENTION } from '../../audit-trail/cursor.ts';
import { defineVerb } from '../../cli/command.ts';
import { printList } from '../../cli/each-org.ts';
import { collectList, LIST_OPTIONS, type OptionValues, option } from '../../cli/options.ts';
import type { Session } from '../../cli/session.ts';
import { UsageError } from '../../lib/errors.ts';
import { getField } from '../../lib/json.ts';
import { parseInstant, parseWhen } from '../../lib/time.ts';
import { formatValue } from '../../output/columns.ts';
import { EVENT_COLUMNS } from './columns.ts';

const OPTIONS = [
  option('--since <when>', 'events since an instant, a date, or a duration ago such as 2d'),
  option('--until <when>', 'events before this time'),
  option('--actor <names>', 'events of these actors: a part of a user name, or an id', { parse: collectList }),
  option('--action <actions>', 'these actions, such as create,destroy', { parse: collectList }),
  option('--resource <resources>', 'events about these types, ids, or both as type/id', { parse: collectList }),
  ...LIST_OPTIONS,
] as const;

const COLUMNS = { ...EVENT_COLUMNS, hasOtherFields: true };

export const verb = defineVerb({
  columns: COLUMNS,
  options: OPTIONS,
  examples: [
    'audit-trail list --since 2d',
    'audit-trail list --since 3d --until 1d -o ndjson',
    'audit-trail list --action show --resource authentication_token',
  ],
  async run(session, options) {
    const { client, runtime, messages } = session;
    const [since, until] = [parseStart(options.since, '--since'), parseStart(options.until, '--until')];
    if (until !== undefined && (since ?? 0) >= until) throw new UsageError('--until must be after --since');
    const filters = createFilters(until, options);
    const tests = [...filters.values()];
    const seen = new Set<string>();
    const actions = new Set<string>();

    function parseStart(text: string | undefined, name: string): number | undefined {
      return text === undefined ? undefined : parseWhen(text, runtime.now(), -1, name);
    }

    async function* read(): AsyncGenerator<AuditEvent[]> {
      await findTrailOrg(session);
      if ((since ?? until ?? runtime.now()) < runtime.now() - RETENTION) {
        messages.warn('the audit trail keeps 14 days, so earlier events are missing');
      }
      for await (const { items } of readTrail(client, since, options)) {
        yield items.filter((event) => {
          const id = readEventId(event);
          const isKnown = seen.has(id);
          seen.add(id);
          actions.add(formatValue(getField(event, 'resource.action')));
          return !isKnown && tests.every((isWanted) => isWanted(event));
        });
      }
      if (seen.size === 0) await assertCanReadTrail(client);
    }
    const empty = (): string =>
      options.action && seen.size > 0
        ? `no such events; actions: ${[...actions].sort().join(', ')}`
        : 'no events found';
    await printList(session, { ...COLUMNS, empty }, read, options, [...filters.keys()]);
  },
});

function createFilters(until: number | undefined, { actor, action, resource }: OptionValues<typeof OPTIONS>) {
  const filters = new Map<string, (event: AuditEvent) => boolean>();
  if (until !== undefined) filters.set('--until', ({ timestamp }) => (parseInstant(String(timestamp)) ?? 0) < until);
  const read = (event: AuditEvent, field: string): string => formatValue(getField(event, field)).toLowerCase();
  const add = (name: string, wanted: string[] | undefined, isLike: (event: AuditEvent, text: string) => boolean) => {
    const texts = wanted?.map((text) => text.toLowerCase());
    if (texts) filters.set(name, (event) => texts.some((text) => isLike(event, text)));
  };
  add('--actor', actor, (event, text) =>
    ['auth.description', 'auth.accessor_id'].some((field) => read(event, field).includes(text)),
  );
  add('--action', action, (event, text) => read(event, 'resource.action') === text);
  add('--resource', resource, (event, text) => {
    const [type, id] = [read(event, 'resource.type'), read(event, 'resource.id')];
    return [type, id, `${type}/${id}`].includes(text);
  });
  return filters;
}

/** The token decides whose trail is read, so the organization is optional. Throws UsageError for several, and for another. */
export async function findTrailOrg({ client, isSandbox, settings, org }: Session): Promise<string | undefined> {
  if (!isSandbox && settings.org.value === undefined) return undefined;
  const name = org();
  await assertTrailOf(client, name);
  return name;
}
