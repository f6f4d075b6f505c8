import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { OrgctlError } from '../../errors.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import type { Caller } from '../../service/caller.ts';
import { withFill } from '../../service/pages.ts';
import { toUtc } from '../../text/time.ts';
import { parseAgo, toUtcText } from '../../when.ts';
import { addPageOptions, type PageFlags, toPageOptions } from '../options.ts';
import { AUDIT_TRAIL_COLUMNS } from './columns.ts';

interface Flags extends PageFlags {
  readonly since?: string;
}

type Input = ReturnType<typeof toListInput>;

const SAME_ANSWER = "The service answers the same to a token that can't read the audit trail.";

export function registerList(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('list')
    .alias('ls')
    .description('List events, with the audit trail token or the organization token')
    .option('--since <ago>', 'Only later events: 2d, 12h, a date, or an instant with time zone');
  addDocumentation(addPageOptions(verb), {
    examples: ['orgctl audit-trail list --since 2d', 'orgctl audit-trail list --since 1d -o ndjson > events.ndjson'],
    columns: AUDIT_TRAIL_COLUMNS,
  }).action(async (flags: Flags) => {
    const context = open(verb);
    await listAuditTrail(context, toListInput(flags, context.places.host.now()));
  });
}

function toListInput(flags: Flags, now: number) {
  return {
    since: flags.since === undefined ? undefined : toUtcText(parseAgo(flags.since, now)),
    page: toPageOptions(flags),
  };
}

async function listAuditTrail({ screen, services }: Context, input: Input): Promise<void> {
  const { auditTrail, identifyCaller } = await services.current();
  let caller: Caller | undefined;
  const reading = withFill(auditTrail.list(input.since, input.page), async () => {
    caller = await identifyCaller();
    refuseReader(caller);
    return undefined;
  });
  const empty = input.since === undefined ? 'No events.' : `No events since ${toUtc(Date.parse(input.since))}.`;
  await screen.list({ ...AUDIT_TRAIL_COLUMNS, empty }, reading);
  if (caller?.kind === 'unknown') {
    // A quiet day is nothing to warn of; no event at all is.
    const say = input.since === undefined && input.page.page === undefined ? screen.warn : screen.note;
    say(`No events. ${SAME_ANSWER}`);
  }
}

/** Throws for a token that the service answers with an empty list whatever has happened. */
function refuseReader({ kind, name }: Caller): void {
  if (kind !== 'user' && kind !== 'team') return;
  const account = name === undefined ? '' : ` (${name})`;
  throw new OrgctlError('not-authenticated', `this token can't read the audit trail: it is a ${kind} token${account}`, {
    code: 'wrong-token-kind',
    hint: 'Use the organization token or the audit trail token.',
  });
}

export function registerAuditTrail(noun: Command, open: OpenContext): void {
  registerList(noun, open);
  addDocumentation(noun, { examples: ['orgctl audit-trail list --since 2d'] });
}
