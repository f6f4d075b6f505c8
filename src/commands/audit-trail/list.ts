import type { Command } from 'commander';
import { RETENTION, RETENTION_TEXT } from '../../audit-trail/position.ts';
import type { Context, OpenContext } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import type { TrailRange } from '../../service/audit-trail.ts';
import type { Caller } from '../../service/caller.ts';
import { withFill } from '../../service/pages.ts';
import { toUtc } from '../../text/time.ts';
import { parseAgo } from '../../when.ts';
import { noteDates } from '../dates.ts';
import { addPageOptions, type PageFlags, toPageOptions } from '../options.ts';
import { AUDIT_TRAIL_COLUMNS } from './columns.ts';
import { refuseReader, SAME_ANSWER } from './reader.ts';

interface Flags extends PageFlags {
  readonly since?: string;
  readonly until?: string;
}

type Input = ReturnType<typeof toListInput>;

export function registerList(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('list')
    .alias('ls')
    .description('List events, with the audit trail token or the organization token')
    .option('--since <ago>', 'Only later events: 2d, 12h, a date, or an instant with time zone')
    .option('--until <ago>', 'Only earlier events, written in the same ways');
  addDocumentation(addPageOptions(verb), {
    examples: [
      'orgctl audit-trail list --since 2d',
      'orgctl audit-trail list --since 3d --until 2d',
      'orgctl audit-trail list --since 1d -o ndjson > events.ndjson',
    ],
    columns: AUDIT_TRAIL_COLUMNS,
  }).action(async (flags: Flags) => {
    const context = open(verb);
    const input = toListInput(flags, context.places.host.now());
    noteDates(context, flags.since, flags.until);
    await listAuditTrail(context, input);
  });
}

function toListInput(flags: Flags, now: number) {
  const toInstant = (text: string | undefined): number | undefined =>
    text === undefined ? undefined : parseAgo(text, now).getTime();
  const range: TrailRange = { since: toInstant(flags.since), until: toInstant(flags.until) };
  if (range.since !== undefined && range.until !== undefined && range.since >= range.until) {
    throw new UsageError('--until must be later than --since', { hint: 'For example: --since 3d --until 2d' });
  }
  return { range, page: toPageOptions(flags) };
}

async function listAuditTrail({ screen, services }: Context, { range, page }: Input): Promise<void> {
  const { auditTrail, identifyCaller } = await services.current();
  let caller: Caller | undefined;
  let count = 0;
  const countAnswer = (events: number): void => {
    count += events;
  };
  let clock: number | undefined;
  const onClock = (shown: number | undefined): void => {
    clock ??= shown;
  };
  const reading = withFill(auditTrail.list(range, page, { onEvents: countAnswer, onClock }), async () => {
    // There were some, outside what was asked for.
    if (count > 0) return undefined;
    caller = await identifyCaller();
    refuseReader(caller);
    return undefined;
  });
  await screen.list({ ...AUDIT_TRAIL_COLUMNS, empty: `No events${describeRange(range)}.` }, reading);
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
