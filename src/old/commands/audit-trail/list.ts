import type { Context } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { RETENTION, RETENTION_TEXT, type TrailRange } from '../../service/audit-trail.ts';
import type { Caller } from '../../service/caller.ts';
import type { PageOptions } from '../../service/page.ts';
import { withFill } from '../../service/pages.ts';
import { toUtc } from '../../text/time.ts';
import { ago, noteDates } from '../dates.ts';
import { PAGE, searches, toPage } from '../options.ts';
import { verb } from '../verb.ts';
import { AUDIT_TRAIL_COLUMNS } from './columns.ts';
import { createFilter, type Wanted } from './filter.ts';
import { checkOwner, findAsked, refuseReader, SAME_ANSWER, UNCHECKED } from './reader.ts';

export const list = verb({
  name: 'audit-trail list',
  aliases: ['ls'],
  help: 'List events, with the audit trail token or the organization token',
  effect: 'reads',
  options: {
    since: ago('--since <ago>', 'Only later events: 2d, 12h, a date, or an instant with time zone'),
    until: ago('--until <ago>', 'Only earlier events; it takes what --since takes'),
    actor: searches('--actor <actors>', 'Only events of these actors: user names, parts of them, or ids'),
    action: searches('--action <actions>', 'Only these actions, separated by commas, such as create,update,destroy'),
    resource: searches('--resource <resources>', 'Only events about these resources: kinds, ids, or both as kind/id'),
    ...PAGE,
  },
  examples: [
    'orgctl audit-trail list --since 2d',
    'orgctl audit-trail list --since 3d --until 2d',
    'orgctl audit-trail list --action show --resource authentication_token',
    'orgctl audit-trail list --since 1d -o ndjson > events.ndjson',
  ],
  columns: AUDIT_TRAIL_COLUMNS,
  async run(context, { since, until, actor, action, resource, ...rest }) {
    if (since !== undefined && until !== undefined && since.at >= until.at) {
      throw new UsageError('--until must be later than --since', { hint: 'For example: --since 3d --until 2d' });
    }
    const page = toPage(rest);
    noteDates(context, since, until);
    const wanted = { actor, action, resource };
    refusePages(wanted, page);
    await listAuditTrail(context, { since: since?.at, until: until?.at }, createFilter(wanted), page);
  },
});

function refusePages(wanted: Wanted, { page }: PageOptions): void {
  const [name] = Object.entries(wanted).find(([, value]) => value !== undefined) ?? [];
  if (name === undefined || page === undefined) return;
  throw new UsageError(`use --${name} or --page, not both`, {
    hint: 'The service has no such filter: events are looked through from the newest on.',
  });
}

async function listAuditTrail(
  context: Context,
  range: TrailRange,
  isMeant: ReturnType<typeof createFilter>,
  page: PageOptions,
): Promise<void> {
  const { screen, services } = context;
  const service = await services.current();
  const { auditTrail, identifyCaller } = service;
  const asked = findAsked(context);
  const checked = asked === undefined ? undefined : await checkOwner(context, service, asked);
  if (checked !== undefined && checked.organization === undefined) screen.warn(UNCHECKED);
  let caller: Caller | undefined;
  let count = 0;
  const countAnswer = (events: number): void => {
    count += events;
  };
  let clock: number | undefined;
  const onClock = (shown: number | undefined): void => {
    clock ??= shown;
  };
  const reading = withFill(
    auditTrail.list({ ...range, isMeant }, page, { onEvents: countAnswer, onClock }),
    async () => {
      // There were some, outside what was asked for.
      if (count > 0) return undefined;
      caller = checked ?? (await identifyCaller());
      refuseReader(caller, service, context);
      return undefined;
    },
  );
  await screen.list(
    {
      ...AUDIT_TRAIL_COLUMNS,
      empty: `No events${isMeant === undefined ? '' : ' match'}${describeRange(range)}.`,
    },
    reading,
  );
  if (range.since !== undefined && clock !== undefined && range.since < clock - RETENTION) {
    screen.warn(`the service keeps ${RETENTION_TEXT}, so nothing before ${toUtc(clock - RETENTION)} is listed`);
  }
  if (caller?.kind === 'unknown') {
    // A quiet day is nothing to warn of; no event at all is.
    const say = range.since === undefined && page.page === undefined ? screen.warn : screen.note;
    say(`No events. ${SAME_ANSWER}`);
  }
}

/** ` from 2026-11-19 01:04 UTC to 2026-11-20 01:04 UTC` */
function describeRange({ since, until }: TrailRange): string {
  if (until === undefined) return since === undefined ? '' : ` since ${toUtc(since)}`;
  return since === undefined ? ` before ${toUtc(until)}` : ` from ${toUtc(since)} to ${toUtc(until)}`;
}
