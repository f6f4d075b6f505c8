import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context.ts';
import type { PageOptions } from '../../service/pages.ts';
import { parseAgo, toUtcText } from '../../when.ts';
import { addExamples, addPageOptions, type PageFlags, toPageOptions } from '../options.ts';
import { AUDIT_TRAIL_VIEW } from '../views/audit-trail.ts';

interface Flags extends PageFlags {
  readonly since?: string;
}

interface Input {
  /** UTC text. */
  readonly since: string | undefined;
  readonly page: PageOptions;
}

export function registerList(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('list')
    .alias('ls')
    .description('list the events; needs the audit trail token or the organization token')
    .option('--since <ago>', 'only later events: a date, an instant with zone, or how long ago, such as 2d');
  addExamples(addPageOptions(verb), [
    {
      command: 'orgctl audit-trail list --since 14d -o ndjson',
      shows: 'everything the service still keeps, one event a line',
    },
  ]).action(async function (this: Command, flags: Flags) {
    const context = open(this);
    await listAuditTrail(context, toListInput(flags, context.host.now()));
  });
}

function toListInput(flags: Flags, now: number): Input {
  return {
    since: flags.since === undefined ? undefined : toUtcText(parseAgo(flags.since, now)),
    page: toPageOptions(flags),
  };
}

async function listAuditTrail(context: Context, input: Input): Promise<void> {
  const { auditTrail } = await context.service();
  const count = await context.list(AUDIT_TRAIL_VIEW, auditTrail.list(input.since, input.page));
  if (count === 0) {
    // A quiet day is nothing to warn of; no event at all is.
    const say = input.since === undefined && input.page.page === undefined ? context.warn : context.note;
    say(
      'no events. The service also answers so to a token that may not read them: it takes the audit trail token or the organization token, not a user or team token',
    );
  }
}
