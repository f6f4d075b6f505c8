import { basename, dirname, join, resolve } from 'node:path';
import { parseCursor, writeCursor } from '../../audit-trail/cursor.ts';
import { type FollowOptions, follow as followTrail } from '../../audit-trail/follow.ts';
import { defineVerb } from '../../cli/command.ts';
import { option } from '../../cli/options.ts';
import type { Session } from '../../cli/session.ts';
import { hasPartialLine, hasText, syncFile } from '../../lib/descriptors.ts';
import { OrgctlError, UsageError } from '../../lib/errors.ts';
import { openCommand } from '../../lib/exec.ts';
import { findRealPath, readOptionalFile } from '../../lib/files.ts';
import { withLock } from '../../lib/lock.ts';
import { plural } from '../../lib/text.ts';
import { addDuration, parseTimeout } from '../../lib/time.ts';
import { EVENT_COLUMNS } from './columns.ts';
import { findTrailOrg } from './list.ts';

type Delivery = Pick<FollowOptions, 'isDocument' | 'deliver' | 'finish'>;

export const verb = defineVerb({
  columns: EVENT_COLUMNS,
  options: [
    option('--cursor <file>', 'remembers how far the trail was read', { isRequired: true }),
    option('--once', 'read once and exit; 13 for a gap'),
    option('--interval <duration>', 'time between two readings', { default: '60s', parse: parseTimeout }),
    option('--since <duration>', 'where a new cursor begins (default: all that the service keeps)'),
    option('--to <exec:COMMAND>', 'pass each batch to a command, as ndjson on stdin', { complete: () => ['exec:'] }),
  ],
  examples: [
    'audit-trail follow --cursor acme.json --once -o ndjson >> audit.ndjson',
    "audit-trail follow --cursor acme.json --once --to 'exec:./import-events'",
  ],
  async run(session, options) {
    const { runtime, signals, messages, settings, isSandbox, isDryRun, renewClient, progress } = session;
    const { to, since, once, interval } = options;
    const { signal } = signals;
    const path = findRealPath(resolve(runtime.cwd, options.cursor));
    const start = since === undefined ? undefined : addDuration(runtime.now(), since, -1, '--since');
    const delivery = to === undefined ? createPrinter(session, options) : await createCommand(session, to);
    const service = isSandbox ? 'sandbox' : new URL(settings['base-url'].value).origin;
    const trail = { service, organization: await findTrailOrg(session) };
    const what = `follower of ${path}`;
    const hint = 'Wait until it ends, or name another file with --cursor.';
    const run = () => {
      const text = readOptionalFile(path);
      return followTrail({
        cursor: text === undefined ? { ...trail, since: start, recent: {} } : parseCursor(text, path, trail),
        path,
        once,
        interval,
        runtime,
        signal,
        openClient: renewClient,
        ...delivery,
        save: (cursor) => (isDryRun ? undefined : writeCursor(path, cursor)),
        warn: messages.warn,
        progress,
      });
    };
    const lock = join(dirname(path), `.${basename(path)}.lock`);
    await (isDryRun ? run() : withLock(lock, { what, hint, wait: 0, runtime, signal }, run));
  },
});

function createPrinter({ output, runtime }: Session, { once, query }: { once?: boolean; query?: string }): Delivery {
  const isDocument = query !== undefined || output.format === 'json';
  if (isDocument && !once) throw new UsageError('-o json and --query need --once', { hint: 'Use -o ndjson.' });
  if (output.format === 'html')
    throw new UsageError("-o html can't be used with follow", { hint: 'Use audit-trail list.' });
  const isTable = !isDocument && !output.isStreamed;
  const { stdoutDescriptor } = runtime;
  let hasHeader = !hasText(stdoutDescriptor);
  let rows: ReturnType<typeof output.rows> | undefined;
  const open = async () => {
    // A killed run may have left half a line.
    if (!rows && hasPartialLine(stdoutDescriptor)) await output.text('\n');
    rows ??= output.rows(EVENT_COLUMNS, hasHeader);
    hasHeader = false;
    return rows;
  };
  return {
    isDocument,
    async deliver(events) {
      const { add, end } = await open();
      for (const event of events) await add(event);
      if (isTable) {
        await end();
        rows = undefined;
      }
      syncFile(stdoutDescriptor);
    },
    async finish() {
      if (once) await (await open()).end();
      syncFile(stdoutDescriptor);
    },
  };
}

async function createCommand(
  { runtime, signals, messages, redactor, isDryRun }: Session,
  to: string,
): Promise<Delivery> {
  if (!to.startsWith('exec:')) throw new UsageError(`--to takes exec:COMMAND, not '${to}'`);
  const options = { runtime, signal: signals.signal, onLine: messages.debug, redact: redactor.text, isVerbose: true };
  const { file, check, run } = openCommand(to.slice('exec:'.length), '--to', options);
  await check();
  return {
    isDocument: false,
    async deliver(events) {
      if (isDryRun) return messages.note(`Would pass ${plural(events.length, 'event')} to exec:${file}`);
      const input = events.map((event) => `${JSON.stringify(event)}\n`).join('');
      const failure = await run(input);
      if (!failure) return;
      throw new OrgctlError('failure', `${file} did not take the events: ${failure.reason}`, {
        code: 'not-taken',
        hint: 'The next run passes them again.',
      });
    },
    finish: async () => undefined,
  };
}
