import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { OrgctlError } from '../../errors.ts';
import type { Caller } from '../../service/caller.ts';
import { withFill } from '../../service/pages.ts';
import { parseAgo, toUtcText } from '../../when.ts';
import { addExamples, addPageOptions, type PageFlags, toPageOptions } from '../options.ts';
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
    .description('list the events; needs the audit trail token or the organization token')
    .option('--since <ago>', 'only later events: a date, an instant with zone, or how long ago, such as 2d');
  addExamples(addPageOptions(verb), {
    'orgctl audit-trail list --since 14d -o ndjson': 'everything the service still keeps, one event a line',
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
  await screen.list(AUDIT_TRAIL_COLUMNS, reading);
  if (caller?.kind === 'unknown') {
    // A quiet day is nothing to warn of; no event at all is.
    const say = input.since === undefined && input.page.page === undefined ? screen.warn : screen.note;
    say(`no events. ${SAME_ANSWER}`);
  }
}

/** Throws for a token that the service answers with an empty list whatever has happened. */
function refuseReader({ kind, name }: Caller): void {
  if (kind !== 'user' && kind !== 'team') return;
  const account = name === undefined ? '' : ` (${name})`;
  throw new OrgctlError('not-authenticated', `this token can't read the audit trail: it is a ${kind} token${account}`, {
    code: 'wrong-token-kind',
    reasons: [SAME_ANSWER],
    hint: 'Use the organization token or the audit trail token.',
  });
}

export function registerAuditTrail(noun: Command, open: OpenContext): void {
  registerList(noun, open);
  addExamples(noun, {
    'orgctl audit-trail list --since 2d': 'what happened in the last two days',
  });
}
